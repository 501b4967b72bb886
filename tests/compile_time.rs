//! Programs that grow: that they compile at all says that the types of pullbacks do not grow with them.
//! `scripts/measure_compile_time.sh` has the seconds.
#![allow(missing_docs)]
// The macros here take one name after the other.
#![recursion_limit = "512"]

use differentiable::prelude::*;

/// Each function calls the previous one once, or twice with a `+`.
macro_rules! grown {
    (chain $below:ident) => {};
    (chain $below:ident $next:ident $($rest:ident)*) => {
        #[differentiable]
        pub fn $next(x: f64, y: f64) -> f64 {
            $below(x * 0.9, y) * y + x
        }
        grown!(chain $next $($rest)*);
    };
    (tree $below:ident) => {};
    (tree $below:ident $next:ident $($rest:ident)*) => {
        #[differentiable]
        pub fn $next(x: f64, y: f64) -> f64 {
            $below(x * 0.9, y) * y + $below(y, x + 0.1)
        }
        grown!(tree $next $($rest)*);
    };
}

#[differentiable]
fn leaf(x: f64, y: f64) -> f64 {
    (x * y).sin() + x
}

/// The value of the leaf and its derivatives, by hand.
fn leaf_by_hand(x: f64, y: f64) -> [f64; 3] {
    let slope = (x * y).cos();
    [(x * y).sin() + x, slope * y + 1.0, slope * x]
}

mod chain {
    use super::*;
    grown!(chain leaf
        g1 g2 g3 g4 g5 g6 g7 g8 g9 g10 g11 g12 g13 g14 g15 g16 g17 g18 g19 g20 g21 g22 g23 g24 g25
        g26 g27 g28 g29 g30 g31 g32 g33 g34 g35 g36 g37 g38 g39 g40 g41 g42 g43 g44 g45 g46 g47 g48
        g49 g50 g51 g52 g53 g54 g55 g56 g57 g58 g59 g60 g61 g62 g63 g64 g65 g66 g67 g68 g69 g70 g71
        g72 g73 g74 g75 g76 g77 g78 g79 g80 g81 g82 g83 g84 g85 g86 g87 g88 g89 g90 g91 g92 g93 g94
        g95 g96 g97 g98 g99 g100 g101 g102 g103 g104 g105 g106 g107 g108 g109 g110 g111 g112 g113
        g114 g115 g116 g117 g118 g119 g120 g121 g122 g123 g124 g125 g126 g127 g128 g129 g130 g131
        g132 g133 g134 g135 g136 g137 g138 g139 g140 g141 g142 g143 g144 g145 g146 g147 g148 g149
        g150 g151 g152 g153 g154 g155 g156 g157 g158 g159 g160 g161 g162 g163 g164 g165 g166 g167
        g168 g169 g170 g171 g172 g173 g174 g175 g176 g177 g178 g179 g180 g181 g182 g183 g184 g185
        g186 g187 g188 g189 g190 g191 g192 g193 g194 g195 g196 g197 g198 g199 g200);
}

#[test]
fn chain_of_200_functions() {
    fn by_hand(depth: usize, x: f64, y: f64) -> [f64; 3] {
        if depth == 0 {
            return leaf_by_hand(x, y);
        }
        let [value, d_x, d_y] = by_hand(depth - 1, x * 0.9, y);
        [value * y + x, d_x * 0.9 * y + 1.0, d_y * y + value]
    }
    let (value, pullback) = chain::g200::vjp(0.3, 0.7);
    let size = size_of_val(&pullback);
    let (d_x, d_y) = pullback(1.0);
    assert_near([value, d_x, d_y], by_hand(200, 0.3, 0.7));
    // Each function keeps at least the value of the one below: 1600 bytes without a cut.
    assert!(size < 800, "{size} bytes");
}

mod tree {
    use super::*;
    grown!(tree leaf g1 g2 g3 g4 g5 g6 g7 g8 g9 g10 g11 g12 g13 g14);
}

#[test]
fn tree_of_14_levels() {
    fn by_hand(depth: usize, x: f64, y: f64) -> [f64; 3] {
        if depth == 0 {
            return leaf_by_hand(x, y);
        }
        let [a, a_x, a_y] = by_hand(depth - 1, x * 0.9, y);
        let [b, b_x, b_y] = by_hand(depth - 1, y, x + 0.1);
        [a * y + b, a_x * 0.9 * y + b_y, a_y * y + a + b_x]
    }
    let (value, pullback) = tree::g14::vjp(0.3, 0.7);
    let size = size_of_val(&pullback);
    let (d_x, d_y) = pullback(1.0);
    assert_near([value, d_x, d_y], by_hand(14, 0.3, 0.7));
    // 16384 leaves keep two numbers each: 262144 bytes without a cut.
    assert!(size < 800, "{size} bytes");
    let (_, of_three) = tree::g3::vjp(0.3, 0.7);
    let same = std::thread::spawn(move || of_three(1.0)).join().unwrap();
    assert_eq!(same, tree::g3::grad(0.3, 0.7));
}

macro_rules! statements {
    ($($number:literal)*) => {
        #[differentiable]
        fn long(x: f64, y: f64) -> f64 {
            let v = x * y;
            $(
                let w = v.sin() * 0.5;
                let u = if w > 0.2 { w } else { v * x };
                let t = (u + w) / (1.0 + x * x);
                let v = t * y + x / (1.0 + $number as f64);
            )*
            v
        }
    };
}

statements!(
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33
    34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
    65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95
    96 97 98 99
);

#[test]
fn function_of_400_statements() {
    let (x, y) = (0.3_f64, 0.7_f64);
    let [mut v, mut v_x, mut v_y] = [x * y, y, x];
    for n in 0..100 {
        let (w, w_v) = (v.sin() * 0.5, v.cos() * 0.5);
        let [u, u_v, u_x] = if w > 0.2 {
            [w, w_v, 0.0]
        } else {
            [v * x, x, v]
        };
        let s = 1.0 + x * x;
        let (t, t_v, t_x) = (
            (u + w) / s,
            (u_v + w_v) / s,
            u_x / s - (u + w) * 2.0 * x / (s * s),
        );
        let c = 1.0 / (1.0 + n as f64);
        let slope = t_v * y;
        (v_x, v_y) = (slope * v_x + t_x * y + c, slope * v_y + t);
        v = t * y + x * c;
    }
    let (value, (d_x, d_y)) = long::value_and_grad(x, y);
    assert_near([value, d_x, d_y], [v, v_x, v_y]);
}

/// A `match` with an arm for each number, and as many conditions.
macro_rules! sides {
    ($($number:literal)*) => {
        #[differentiable]
        fn chosen(k: usize, x: f64, y: f64) -> f64 {
            match k {
                $($number => x * $number as f64 + y.sin(),)*
                _ => x * y,
            }
        }

        #[differentiable]
        fn stepped(x: f64, y: f64) -> f64 {
            $(if x < $number as f64 { x * $number as f64 * y } else)* { x * y }
        }
    };
}

sides!(
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33
    34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
    65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95
    96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119
    120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142
    143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163 164 165
    166 167 168 169 170 171 172 173 174 175 176 177 178 179 180 181 182 183 184 185 186 187 188
    189 190 191 192 193 194 195 196 197 198 199
);

#[test]
fn branches_of_200_sides() {
    for k in [0, 1, 15, 16, 100, 199] {
        assert_eq!(chosen::grad(k, 0.3, 0.7), (k as f64, 0.7_f64.cos()));
        let x = k as f64 - 0.5;
        assert_eq!(stepped::grad(x, 0.7), (k as f64 * 0.7, x * k as f64));
    }
    assert_eq!(chosen::grad(200, 0.3, 0.7), (0.7, 0.3));
    assert_eq!(stepped::grad(200.0, 0.7), (0.7, 200.0));
}

fn assert_near(found: [f64; 3], expected: [f64; 3]) {
    for (f, e) in found.iter().zip(expected) {
        let near = (f - e).abs() <= 1e-12 * e.abs().max(1.0);
        assert!(near, "{found:?}, by hand {expected:?}");
    }
}
