use super::common::*;
use autodiff_core::device::{Cpu, Dims};
use autodiff_core::tensor::raw::Raw;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn copies_agree_with_indexing(s in sizes(), l in lie(), seed in 1u64..1000) {
        let x = make_f32(&s, l, seed, -1.0, 1.0);
        // The view's own strides, applied by hand to the shared buffer, are the reference.
        let buffer = x.view().buf.to_vec();
        let by_hand: Vec<f32> = indices(&s).iter().map(|at| {
            buffer[x.layout().offset() + at.iter().zip(x.layout().strides()).map(|(i, s)| i * s).sum::<usize>()]
        }).collect();
        prop_assert_eq!(x.to_vec(), by_hand.clone());
        let dense = x.copied();
        prop_assert_eq!(dense.as_slice().unwrap(), &by_hand[..]);
        prop_assert_eq!(x.reshape([by_hand.len()]).to_vec(), by_hand);
    }

    /// Axes are split, merged and split otherwise: whether the result is a view or a copy, the elements are the same.
    #[test]
    fn other_shapes(s in some_sizes(), l in lie(), seed in 1u64..1000, cuts in prop::collection::vec(1usize..4, 6), part in any::<bool>()) {
        let whole = make_f64(&s, l, seed, -1.0, 1.0);
        let x = match part {
            true => whole.slice(s.len() - 1, s[s.len() - 1] / 2, s[s.len() - 1].div_ceil(2)),
            false => whole,
        };
        let mut left: usize = x.numel();
        let mut to = Vec::new();
        for cut in cuts.into_iter().take(5) {
            let size = if left.is_multiple_of(cut) { cut } else { 1 };
            to.push(size);
            left /= size;
        }
        to.push(left);
        let reshaped = x.reshape(&to[..]);
        prop_assert_eq!(reshaped.dims().as_slice(), &to[..]);
        prop_assert_eq!(reshaped.to_vec(), x.to_vec());
        prop_assert_eq!(reshaped.reshape(*x.dims()).to_vec(), x.to_vec());
    }

    #[test]
    fn transposes_and_slices_by_index(s in some_sizes(), l in lie(), seed in 1u64..1000, pick in any::<prop::sample::Index>()) {
        let x = make_f64(&s, l, seed, -1.0, 1.0);
        let v = x.to_vec();
        let axis = pick.index(s.len());
        let t = x.transpose(0, axis);
        for (at, found) in indices(t.dims()).iter().zip(t.to_vec()) {
            let mut at = at.clone();
            at.swap(0, axis);
            prop_assert_eq!(found, v[position(&s, &at)]);
        }
        let start = pick.index(s[axis]);
        let part = x.slice(axis, start, s[axis] - start);
        for (at, found) in indices(part.dims()).iter().zip(part.to_vec()) {
            let mut at = at.clone();
            at[axis] += start;
            prop_assert_eq!(found, v[position(&s, &at)]);
        }
        // Cut in two and joined again.
        let joined = Raw::concat(axis, &[&x.slice(axis, 0, start), &part]);
        prop_assert_eq!(joined.to_vec(), v.clone());
        let mut zero = Raw::zeros(&Cpu, *x.dims());
        zero.assign_slice(axis, start, &part);
        for (at, found) in indices(&s).iter().zip(zero.to_vec()) {
            prop_assert_eq!(found, if at[axis] >= start { v[position(&s, at)] } else { 0.0 });
        }
    }

    #[test]
    fn permutations(s in prop::collection::vec(1usize..5, 3), seed in 1u64..1000) {
        let x = make_f64(&s, Lie::Dense, seed, -1.0, 1.0);
        let p = x.permute(&[2, 0, 1]);
        prop_assert_eq!(p.dims().as_slice(), &[s[2], s[0], s[1]]);
        for (at, found) in indices(p.dims()).iter().zip(p.to_vec()) {
            prop_assert_eq!(found, x.to_vec()[position(&s, &[at[1], at[2], at[0]])]);
        }
    }
}

/// The heads of queries in the middle of a product: no copy.
#[test]
fn heads_of_a_part_are_a_view() {
    let x = make_f64(&[2, 6, 24], Lie::Dense, 1, -1.0, 1.0).slice(2, 8, 8);
    let heads = x.layout().reshape(Dims::new(&[2, 6, 2, 4])).unwrap();
    assert_eq!((heads.strides(), heads.offset()), (&[144, 24, 4, 1][..], 8));
    let turned = x.transpose(0, 1);
    assert_eq!(turned.layout().reshape(Dims::new(&[12, 8])), None);
    let one = x.expand([3, 2, 6, 8]);
    assert_eq!(one.layout().reshape(Dims::new(&[3, 2, 6, 2, 4])), None);
}

#[test]
fn rank_six_and_empty() {
    let x = make_f64(&[2, 1, 3, 2, 1, 2], Lie::Transposed, 3, 0.0, 1.0);
    assert_eq!(x.unsqueeze_and_back(), x.to_vec());
    let e = Raw::<f32, Cpu>::zeros(&Cpu, [3, 0, 2]);
    assert!(e.transpose(0, 2).to_vec().is_empty());
    assert!(e.slice(0, 3, 0).copied().to_vec().is_empty());
    assert_eq!(
        Raw::concat(1, &[&e, &Raw::full(&Cpu, [3, 1, 2], 1.0)]).to_vec(),
        [1.0; 6]
    );
}

trait RoundTrip {
    fn unsqueeze_and_back(&self) -> Vec<f64>;
}

impl RoundTrip for Tensor<f64> {
    fn unsqueeze_and_back(&self) -> Vec<f64> {
        self.squeeze(1).unsqueeze(1).to_vec()
    }
}

#[test]
#[should_panic(expected = "is not within axis")]
fn a_slice_past_the_end_panics() {
    let _ = Raw::<f32, Cpu>::zeros(&Cpu, [3]).slice(0, 2, 2);
}
