//! `docs/book/src/reference/accuracy.md`: how far the functions of one number are from the exact value, at each level of
//! vector instructions, over dense sweeps.
//!
//! The test fails where the page is stale; `BLESS=1 cargo test --release -p differentiable --test accuracy` writes it anew.

mod accuracy {
    pub mod double;
    pub mod functions;
    pub mod pairs;
    pub mod slopes;
}

use accuracy::double::Double;
use accuracy::functions::{Row, Unit, rows};
use accuracy::slopes::{Slope, SlopeUnit, slopes};
use differentiable::device::{Cpu, Float, Saves};
use differentiable::kernel::simd::{Level, at_level};
use differentiable::tensor::raw::Raw;
use std::{env, fs};

const PAGE: &str = "docs/book/src/reference/accuracy.md";

const HEAD: &str = "\
<!-- Made by `BLESS=1 cargo test --release -p differentiable --test accuracy`: do not edit. -->

# Accuracy of the functions of one number

The worst error found in a sweep, in units in the last place: of the value or, where the function subtracts
(`gelu` of negative numbers), of the operand `x`. Below the smallest normal number a unit is that of the
smallest normal number. The error is promised to be at most that of the column *promised*, which the test
checks; `std` marks what the standard library computes, whose errors are those of the platform. All levels
of vector instructions (AVX-512, AVX2, baseline) give the same bits, in the sweep and in every other kernel.

A sweep has 100,000 points in even steps over each range, as many in even steps of the bits, the numbers next to where the
method changes, and the ends of the subnormal numbers. The reference has 30 digits and agrees
with mpmath (`tests/accuracy/`). The last column has the values at −0, 0, −∞ and ∞, which are exact (six
digits are printed); NaN gives NaN.

| function | elements | worst | promised | sweep | at −0 \\| 0 \\| −∞ \\| ∞ |
|---|---|---|---|---|---|
";

const SLOPES: &str = "
# Accuracy of their derivatives

The same sweeps of the derivatives that tensors and fused regions have, and of those of scalars. Both are the same
formulas (`autodiff-vocabulary/src/table.rs`), of the value or the operand that the reverse pass keeps. A unit of
*1* is that of the derivative, or of 1 where it is smaller: `1 − tanh²` is exact to that, as the value is all that is
kept. `std` marks what the standard library has a part in. A cotangent of zero stays one where the derivative is infinite.

| derivative of | elements | tensors | scalars | promised | sweep | at −0 \\| 0 \\| −∞ \\| ∞ |
|---|---|---|---|---|---|---|
";

const PAIRS: &str = "
Derivatives of functions of two numbers, over all pairs of numbers of both signs and of sizes from the smallest to the
largest whose exact derivative is a normal number.

| derivative | elements | tensors | scalars | promised |
|---|---|---|---|---|
";

/// What a sweep needs to know of an element type.
trait Swept: Float {
    const DIGITS: u32;
    /// The derivative of scalars.
    fn slope(row: &Slope) -> Option<fn(Self) -> Self>;
    /// Numbers in order, counted from 0.
    fn ordinal(self) -> i64;
    fn at(ordinal: i64) -> Self;
    fn bits(self) -> u64;
}

macro_rules! swept {
    ($($t:ident $bits:ident $int:ident $digits:literal;)*) => { $(
        impl Swept for $t {
            const DIGITS: u32 = $digits;
            fn slope(row: &Slope) -> Option<fn($t) -> $t> {
                row.$t
            }
            fn ordinal(self) -> i64 {
                let size = i64::from(self.abs().to_bits() as $int);
                if self < 0.0 { -size } else { size }
            }
            fn at(ordinal: i64) -> Self {
                let size = $t::from_bits(ordinal.unsigned_abs() as $bits);
                if ordinal < 0 { -size } else { size }
            }
            fn bits(self) -> u64 {
                u64::from(self.to_bits())
            }
        }
    )* };
}
swept!(f32 u32 i32 24; f64 u64 i64 53;);

/// Without optimisation fewer points are tried, and the page is not compared.
const FEWER: i64 = if cfg!(debug_assertions) { 25 } else { 1 };

/// Points in even steps and in even steps of the ordinal, and the neighbours of where the method changes.
fn points<T: Swept>(ranges: &[(f64, f64)], switches: &[f64], each: i64) -> Vec<T> {
    let mut points = Vec::new();
    for &(low, high) in ranges {
        let (low, high) = (T::from_f64(low), T::from_f64(high));
        let (from, to) = (low.ordinal(), high.ordinal());
        for i in 0..=each {
            points.push(T::from_f64(
                low.to_f64() * (1.0 - i as f64 / each as f64)
                    + high.to_f64() * (i as f64 / each as f64),
            ));
            let part = (i128::from(to) - i128::from(from)) * i128::from(i) / i128::from(each);
            points.push(T::at((i128::from(from) + part) as i64));
        }
    }
    let inside = |x: f64| ranges.iter().any(|r| r.0 <= x && x <= r.1);
    for &s in switches {
        for near in [s, -s] {
            let n = T::from_f64(near).ordinal();
            points.extend((n - 4..=n + 4).map(T::at).filter(|x| inside(x.to_f64())));
        }
    }
    let edge = T::MIN_POSITIVE.ordinal();
    points.extend(
        [1, 2, 3, edge / 3, edge - 1, edge, edge + 1]
            .into_iter()
            .flat_map(|n| [T::at(n), T::at(-n)])
            .filter(|x| inside(x.to_f64())),
    );
    // The ends of a range may round out of it.
    points.retain(|x| x.to_f64().is_finite());
    points
}

fn apply<T: Swept>(row: &Row, x: &[T]) -> Vec<T> {
    Raw::from_slice(&Cpu, [x.len()], x).unary(row.op).to_vec()
}

/// The size of a unit in the last place of a number, not below that of the smallest normal one.
fn unit<T: Swept>(x: f64) -> f64 {
    let size = x.abs().max(T::MIN_POSITIVE.to_f64());
    // The power of two below, then as many digits down; not by `powi`, which inverts what may overflow.
    let power = f64::from_bits(size.to_bits() & (0x7ff << 52));
    power / (1u64 << (T::DIGITS - 1)) as f64
}

fn exact<T: Swept>(row: &Row, x: T) -> Double {
    let x = x.to_f64();
    // The reference knows turns up to here; of an `f32`, the standard library in `f64` is exact enough.
    match row.name {
        "sin" if x.abs() > 2e6 => x.sin().into(),
        "cos" if x.abs() > 2e6 => x.cos().into(),
        "tan" if x.abs() > 2e6 => x.tan().into(),
        _ => (row.exact)(x.into()),
    }
}

/// The worst error over the sweep, and where; the same bits at every level.
fn sweep<T: Swept>(row: &Row) -> (f64, f64) {
    let x = points::<T>(&row.ranges, &row.switches, 100_000 / FEWER);
    let mut found: Option<Vec<T>> = None;
    for level in Level::ALL {
        let Some(y) = at_level(level, || apply(row, &x)) else {
            continue;
        };
        let first = found.get_or_insert_with(|| y.clone());
        for ((x, a), b) in x.iter().zip(first).zip(&y) {
            let same = a.bits() == b.bits() || a.is_nan() && b.is_nan();
            assert!(
                same,
                "{}({x:?}) is {a:?}, at level {level:?} {b:?}",
                row.name
            );
        }
    }
    let y = found.expect("the lowest level is always there");
    let mut worst = (0.0, 0.0);
    for (x, y) in x.into_iter().zip(y) {
        let e = exact(row, x);
        if x.to_f64() == 0.0 {
            continue;
        }
        if T::from_f64(e.0).abs() == T::INFINITY {
            assert_eq!(y.to_f64(), T::from_f64(e.0).to_f64(), "{}({x:?})", row.name);
            continue;
        }
        let of = match row.unit {
            Unit::Value => e.0,
            Unit::Operand => x.to_f64(),
        };
        // In units first: what is left is small.
        let by = unit::<T>(of);
        let off = ((y.to_f64() - e.0) / by - e.1 / by).abs();
        if off > worst.0 || off.is_nan() {
            worst = (off, x.to_f64());
        }
    }
    worst
}

#[test]
fn the_reference_agrees_with_mpmath() {
    let mut names = Vec::new();
    for line in include_str!("accuracy/exact.txt").lines() {
        let mut words = line.split(' ');
        let name = words.next().expect("a name");
        let mut number = || {
            let word = words.next().expect("a number");
            f64::from_bits(u64::from_str_radix(word, 16).expect("its bits"))
        };
        let (x, y) = (number(), Double(number(), number()));
        let z = Double::from(x);
        let found = match name {
            "exp" => z.exp(),
            "exp_m1" => z.exp_m1(),
            "ln" => z.ln(),
            "ln_1p" => z.ln_1p(),
            "sin" => z.sin(),
            "cos" => z.cos(),
            "tan" => z.tan(),
            "tanh" => z.tanh(),
            "erf" => z.erf(),
            "erfc" => z.erfc(),
            "sigmoid" => z.sigmoid(),
            "softplus" => z.softplus(),
            "sinh" => z.sinh(),
            "cosh" => z.cosh(),
            "cbrt" => z.cbrt(),
            "atan" => z.atan(),
            "asin" => z.asin(),
            "acos" => z.acos(),
            "asinh" => z.asinh(),
            "acosh" => z.acosh(),
            "atanh" => z.atanh(),
            "sqrt" => z.sqrt(),
            other => panic!("{other}"),
        };
        let off = (found - y).abs().0 / y.0.abs();
        // Where the value is next to the smallest number, its second half is cut off.
        let limit = if y.0.abs() < 1e-280 { 1e-20 } else { 1e-24 };
        assert!(
            off < limit,
            "{name}({x:e}): {found:?}, {y:?}, off by {off:e}"
        );
        names.push(name);
    }
    assert!(names.len() > 600);
}

#[test]
fn special_values_are_exact() {
    fn check<T: Swept>(row: &Row) {
        let x = [-0.0, 0.0, f64::NEG_INFINITY, f64::INFINITY, f64::NAN].map(T::from_f64);
        let mut all = row.special.map(T::from_f64).to_vec();
        all.push(T::NAN);
        for level in Level::ALL {
            // Alone, and in a vector.
            let x: Vec<T> = x.iter().copied().cycle().take(5 * 67).collect();
            let Some(y) = at_level(level, || apply(row, &x)) else {
                continue;
            };
            let alone = at_level(level, || {
                x[..5]
                    .iter()
                    .map(|x| apply(row, &[*x])[0])
                    .collect::<Vec<_>>()
            });
            for (i, y) in y.iter().chain(alone.iter().flatten()).enumerate() {
                let (x, want) = (x[i % 5], all[i % 5]);
                let same = y.bits() == want.bits() || y.is_nan() && want.is_nan();
                assert!(
                    same,
                    "{}({x:?}) is {y:?}, not {want:?}, at level {level:?}",
                    row.name
                );
            }
        }
    }
    for row in &rows() {
        if row.f32 {
            check::<f32>(row);
        } else {
            check::<f64>(row);
        }
    }
}

/// The derivative of tensors times a cotangent.
fn pulled<T: Swept>(row: &Slope, x: &[T], ct: T) -> Vec<T> {
    let x = Raw::from_slice(&Cpu, [x.len()], x);
    let saved = match row.op.saves() {
        Saves::Output => x.clone().unary(row.op),
        _ => x.clone(),
    };
    Raw::unary_pullback(row.op, &saved, Raw::full(&Cpu, *x.dims(), ct)).to_vec()
}

/// The worst errors of tensors, the same bits at every level, and of scalars.
fn sweep_slopes<T: Swept>(row: &Slope, ranges: &[(f64, f64)]) -> [Option<f64>; 2] {
    let x = points::<T>(ranges, &[0.5, 1.0], 20_000 / FEWER);
    let mut found: Option<Vec<T>> = None;
    for level in Level::ALL {
        let Some(y) = at_level(level, || pulled(row, &x, T::ONE)) else {
            continue;
        };
        let first = found.get_or_insert_with(|| y.clone());
        let same = |(a, b): (&T, &T)| a.bits() == b.bits() || a.is_nan() && b.is_nan();
        assert!(first.iter().zip(&y).all(same), "{} at {level:?}", row.name);
    }
    let tensors = found.expect("the lowest level is always there");
    let scalars = T::slope(row).map(|f| x.iter().map(|x| f(*x)).collect::<Vec<_>>());
    [Some(tensors), scalars].map(|of| {
        let off = of?.into_iter().zip(&x).map(|(y, &x)| off(row, x, y));
        off.reduce(|worst, off| {
            if off > worst || off.is_nan() {
                off
            } else {
                worst
            }
        })
    })
}

/// The error of one derivative, in units.
fn off<T: Swept>(row: &Slope, x: T, y: T) -> f64 {
    let exact = (row.exact)(x.to_f64().into());
    let rounded = T::from_f64(exact.0);
    if x.to_f64() == 0.0 || !rounded.to_f64().is_finite() {
        let same = y.to_f64() == rounded.to_f64();
        assert!(
            x.to_f64() == 0.0 || same,
            "{}({x:?}): {y:?}, {exact:?}",
            row.name
        );
        return 0.0;
    }
    let by = unit::<T>(match row.unit {
        SlopeUnit::Value => exact.0,
        SlopeUnit::One => exact.0.abs().max(1.0),
    });
    let off = ((y.to_f64() - exact.0) / by - exact.1 / by).abs();
    assert!(
        off <= row.bound,
        "{}({x:?}): {y:?}, exact {exact:?}, off by {off}",
        row.name
    );
    off
}

/// Derivatives at the ends, of tensors alone and in a vector, and of scalars.
fn special_slopes<T: Swept>(row: &Slope) {
    let x = [-0.0, 0.0, f64::NEG_INFINITY, f64::INFINITY, f64::NAN].map(T::from_f64);
    let mut want = row.special.map(T::from_f64).to_vec();
    want.push(T::NAN);
    let x: Vec<T> = x.iter().copied().cycle().take(5 * 67).collect();
    for (x, y) in x.iter().zip(pulled(row, &x[..2], T::ZERO)) {
        let stays = y.to_f64() == 0.0 || row.special[0].is_nan();
        assert!(stays, "{}({x:?}), cotangent 0: {y:?}", row.name);
    }
    let vector = pulled(row, &x, T::ONE);
    let alone = x[..5].iter().map(|x| pulled(row, &[*x], T::ONE)[0]);
    let scalars = T::slope(row).map(|f| x[..5].iter().map(move |x| f(*x)));
    let all = vector
        .into_iter()
        .chain(alone)
        .chain(scalars.into_iter().flatten());
    for (i, y) in all.enumerate() {
        let want = want[i % 5];
        let same = y.to_f64() == want.to_f64() || y.is_nan() && want.is_nan();
        assert!(same, "{}({:?}) is {y:?}, not {want:?}", row.name, x[i % 5]);
    }
}

fn slope_lines(row: &Slope) -> String {
    special_slopes::<f32>(row);
    special_slopes::<f64>(row);
    let mut lines = String::new();
    for (k, elements) in ["f32", "f64"].into_iter().enumerate() {
        let worst = match k {
            0 => sweep_slopes::<f32>(row, &row.ranges[k]),
            _ => sweep_slopes::<f64>(row, &row.ranges[k]),
        };
        let [tensors, scalars] = [0, 1].map(|of| error(worst[of], row.std[of]));
        let unit = match row.unit {
            SlopeUnit::Value => "",
            SlopeUnit::One => " of 1",
        };
        lines += &format!(
            "| `{}` | `{elements}` | {tensors} | {scalars} | {}{unit} | {} | {} |\n",
            row.name,
            row.bound,
            intervals(&row.ranges[k]),
            row.special.map(special).join(" \\| "),
        );
    }
    lines
}

/// The worst error as the page has it.
fn error(worst: Option<f64>, std: bool) -> String {
    match worst {
        None => "–".into(),
        Some(_) if std => "std".into(),
        Some(worst) => format!("{:.2}", (worst * 100.0).ceil() / 100.0),
    }
}

fn intervals(ranges: &[(f64, f64)]) -> String {
    let ranges: Vec<String> = ranges
        .iter()
        .map(|&(a, b)| format!("[{}, {}]", number(a), number(b)))
        .collect();
    ranges.join(" ")
}

fn number(x: f64) -> String {
    match x.abs() {
        a if a == 0.0 || (1e-3..1e5).contains(&a) => format!("{x}"),
        _ => format!("{x:e}"),
    }
    .replace("inf", "∞")
    .replace('-', "−")
}

/// `−∞` where it is infinite, six digits elsewhere.
fn special(x: f64) -> String {
    if x.is_nan() {
        return "NaN".into();
    }
    number(if x.is_finite() {
        (x * 1e6).round() / 1e6
    } else {
        x
    })
}

fn line(row: &Row, worst: f64) -> String {
    let error = error(Some(worst), row.std);
    let unit = match row.unit {
        Unit::Value => "",
        Unit::Operand => " of `x`",
    };
    format!(
        "| `{}` | `{}` | {error}{unit} | {}{unit} | {} | {} |\n",
        row.name,
        if row.f32 { "f32" } else { "f64" },
        row.bound,
        intervals(&row.ranges),
        row.special.map(special).join(" \\| "),
    )
}

#[test]
fn the_page_is_up_to_date() {
    for level in Level::ALL {
        if level > Level::of_processor() {
            println!(
                "not tested, since this processor lacks it: {}",
                level.name()
            );
        }
    }
    let mut page = String::from(HEAD);
    let mut above = Vec::new();
    for row in &rows() {
        let (worst, at) = if row.f32 {
            sweep::<f32>(row)
        } else {
            sweep::<f64>(row)
        };
        let name = format!("{} of {}", row.name, if row.f32 { "f32" } else { "f64" });
        println!("{name}: {worst:.3} at {at:e}");
        if worst > row.bound || worst.is_nan() {
            above.push(format!("{name}: {worst} at {at:e}, above {}", row.bound));
        }
        page.push_str(&line(row, worst));
    }
    assert!(above.is_empty(), "{}", above.join("\n"));
    page.push_str(SLOPES);
    page.extend(slopes().iter().map(slope_lines));
    page.push_str(PAIRS);
    page.push_str(&accuracy::pairs::lines());
    if env::var_os("BLESS").is_some() {
        assert_eq!(FEWER, 1, "the page is written with --release");
        return fs::write(PAGE, page).expect("the page is written");
    }
    if FEWER > 1 {
        return;
    }
    let found = fs::read_to_string(PAGE).unwrap_or_default();
    let stale = page.lines().zip(found.lines()).find(|(a, b)| a != b);
    assert!(
        page == found,
        "{PAGE} is stale (first difference: {stale:?}); run BLESS=1 cargo test --release -p differentiable --test accuracy"
    );
}
