//! `einsum!`, `dot`, `outer`.

use crate::check::between;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Batch, Time);

type Cube = Tensor![f64; 2, 3, 4];

fn cube(seed: u64) -> Cube {
    between(Default::default(), seed, -1.0, 1.0)
}

/// A sum over all letters, by loops.
fn by_loops(subscripts: &str, operands: &[(&[usize], Vec<f64>)]) -> Vec<f64> {
    let (left, out) = subscripts.split_once("->").unwrap();
    let words: Vec<&str> = left.split(',').collect();
    let mut letters: Vec<(char, usize)> = Vec::new();
    for (word, (dims, _)) in words.iter().zip(operands) {
        for (c, n) in word.chars().zip(*dims) {
            if letters.iter().all(|(l, _)| *l != c) {
                letters.push((c, *n));
            }
        }
    }
    let size = |c: char| letters.iter().find(|(l, _)| *l == c).unwrap().1;
    let total: usize = letters.iter().map(|(_, n)| n).product();
    let mut sums = vec![0.0; out.chars().map(size).product()];
    for mut number in 0..total {
        let mut at = Vec::new();
        for (l, n) in &letters {
            at.push((*l, number % n));
            number /= n;
        }
        let place = |word: &str| {
            let value = |c: char| at.iter().find(|(l, _)| *l == c).unwrap().1;
            word.chars().fold(0, |p, c| p * size(c) + value(c))
        };
        let product: f64 = words
            .iter()
            .zip(operands)
            .map(|(w, (_, x))| x[place(w)])
            .product();
        sums[place(out)] += product;
    }
    sums
}

/// Value against loops, and both modes against central differences.
macro_rules! einsums {
    ($($name:ident $text:literal: $($x:ident [$($d:tt),*]),+ -> [$($o:tt),*];)*) => { $(
        #[test]
        fn $name() {
            #[differentiable]
            fn function($($x: &Tensor![f64; $($d),*]),+) -> Tensor![f64; $($o),*] {
                einsum!($text, $($x),+)
            }
            let mut seed = 0;
            $(
                seed += 1;
                let $x: Tensor![f64; $($d),*] = between(Default::default(), seed, -1.0, 1.0);
            )+
            let operands = [$(($x.dims(), $x.to_vec())),+];
            let operands: Vec<_> = operands.iter().map(|(d, x)| (d.as_slice(), x.clone())).collect();
            let expected = by_loops($text, &operands);
            let found = function($(&$x),+).to_vec();
            assert_eq!(found.len(), expected.len());
            for (a, b) in found.iter().zip(&expected) {
                assert!((a - b).abs() < 1e-12, "{found:?} is not {expected:?}");
            }
            check_grads::<function, _>(&($($x,)+)).unwrap();
        }
    )* };
}

einsums! {
    identity "ij->ij": a [2, 3] -> [2, 3];
    transposed "ij->ji": a [2, 3] -> [3, 2];
    total "ijk->": a [2, 3, 4] -> [];
    sums_and_turns "ijk->kj": a [2, 3, 4] -> [4, 3];
    trace "ii->": a [3, 3] -> [];
    diagonal "iji->ji": a [3, 2, 3] -> [2, 3];
    triple_diagonal "iii->i": a [3, 3, 3] -> [3];
    scalar "->": a [] -> [];

    product "ij,jk->ik": a [2, 3], b [3, 4] -> [2, 4];
    product_turned "ij,jk->ki": a [2, 3], b [3, 4] -> [4, 2];
    product_of_transposed "ji,kj->ik": a [3, 2], b [4, 3] -> [2, 4];
    matrix_vector "ij,j->i": a [2, 3], b [3] -> [2];
    vector_matrix "j,ji->i": a [3], b [3, 2] -> [2];
    inner "i,i->": a [3], b [3] -> [];
    outer "i,j->ij": a [2], b [3] -> [2, 3];
    outer_turned "i,j->ji": a [2], b [3] -> [3, 2];
    elementwise "ij,ji->ij": a [2, 3], b [3, 2] -> [2, 3];
    scaled "ij,j->ij": a [2, 3], b [3] -> [2, 3];
    by_a_scalar "ij,->ij": a [2, 3], b [] -> [2, 3];
    batches "bij,bjk->bik": a [2, 3, 4], b [2, 4, 5] -> [2, 3, 5];
    batches_last "ijb,jkb->ikb": a [3, 4, 2], b [4, 5, 2] -> [3, 5, 2];
    batch_of_inner "bi,bi->b": a [3, 4], b [3, 4] -> [3];
    heads "bqhd,bkhd->bhqk": a [2, 3, 2, 4], b [2, 5, 2, 4] -> [2, 2, 3, 5];
    two_summed "ijk,jkl->il": a [2, 3, 4], b [3, 4, 5] -> [2, 5];
    two_summed_crossed "ijk,kjl->il": a [2, 3, 4], b [4, 3, 5] -> [2, 5];
    two_left "ijk,kl->jil": a [2, 3, 4], b [4, 5] -> [3, 2, 5];
    alone_in_one "ijk,jl->l": a [2, 3, 4], b [3, 5] -> [5];
    alone_in_both "ij,kl->jk": a [2, 3], b [4, 5] -> [3, 4];
    diagonal_times "ii,ij->j": a [3, 3], b [3, 2] -> [2];
    sizes_of_one "ij,jk->ik": a [1, 1], b [1, 1] -> [1, 1];
    many_axes "abcdef,f->abcde": a [1, 2, 1, 2, 1, 2], b [2] -> [1, 2, 1, 2, 1];
    many_batches "abcdef,abcdef->abcde": a [1, 2, 1, 2, 1, 2], b [1, 2, 1, 2, 1, 2] -> [1, 2, 1, 2, 1];
    many_batches_of_matrices "abcdx,abcdy->abcdxy": a [1, 2, 1, 2, 3], b [1, 2, 1, 2, 2] -> [1, 2, 1, 2, 3, 2];
    five_batches "abcdes,abcdes->abcde": a [1, 2, 1, 2, 1, 3], b [1, 2, 1, 2, 1, 3] -> [1, 2, 1, 2, 1];

    chain "ij,jk,kl->il": a [2, 3], b [3, 4], c [4, 2] -> [2, 2];
    bilinear "bi,ijk,bk->bj": a [2, 3], b [3, 4, 5], c [2, 5] -> [2, 4];
    elementwise_of_three "i,i,i->i": a [3], b [3], c [3] -> [3];
    inner_of_three "i,i,i->": a [3], b [3], c [3] -> [];
    outer_of_three "i,j,k->kji": a [2], b [3], c [4] -> [4, 3, 2];
    alone_in_three "ia,ib,ic->i": a [2, 3], b [2, 4], c [2, 5] -> [2];
    diagonal_in_three "ii,ij,kj->k": a [3, 3], b [3, 2], c [4, 2] -> [4];
}

#[test]
fn of_views() {
    let (a, b) = (cube(1), cube(2));
    let t = b.permute::<2, 0, 1>();
    let y: Tensor![f64; 2, 3, 3] = einsum!("bij,jbk->bik", &a, &t);
    let expected = a.matmul(&b.transpose::<1, 2>());
    assert!((y - expected).abs().max().item() < 1e-14);
    let (wide, row) = (
        a.slice::<2, 1, 2>(),
        b.slice::<0, 1, 1>().expand::<0, _>(Sz::<2>),
    );
    let found: Tensor![f64; 3, 2] = einsum!("bij,bik->ij", &wide, &row);
    let dims = [wide.dims(), row.dims()];
    let expected = by_loops(
        "bij,bik->ij",
        &[(&dims[0], wide.to_vec()), (&dims[1], row.to_vec())],
    );
    for (x, y) in found.to_vec().iter().zip(&expected) {
        assert!((x - y).abs() < 1e-14);
    }
}

#[test]
fn run_time_dimensions() {
    #[differentiable]
    fn function(
        q: &Tensor![f64; Batch, Time, 2],
        k: &Tensor![f64; Batch, Time, 2],
        mask: &Tensor![f64; Time],
    ) -> Tensor![f64; Batch, Time, Time] {
        einsum!("bqd,bkd,k->bqk", q, k, mask)
    }
    let at = |seed| between((Batch(2), Time(3), Sz), seed, -1.0, 1.0);
    check_grads::<function, _>(&(at(1), at(2), between((Time(3),), 3, -1.0, 1.0))).unwrap();
    // Nothing to sum over.
    let none: Tensor![f64; Batch, 2] = Tensor::zeros_with((Batch(0), Sz));
    let y: Tensor![f64; 2, 2] = einsum!("bi,bj->ij", &none, &none);
    assert_eq!(y.to_vec(), [0.0; 4]);
    assert!(einsum!("bi,bj->bij", &none, &none).is_empty());
    assert!(einsum!("bi,bi->b", &none, &none).is_empty());
}

#[test]
fn single_precision() {
    let a: Tensor![2, 3] = tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let y: Tensor![2, 2] = einsum!("ij,kj->ik", &a, &a);
    assert_eq!(y.to_vec(), [14.0, 32.0, 32.0, 77.0]);
    assert_eq!(tensor([1.0f32, 2.0]).dot(&tensor([3.0, 4.0])).item(), 11.0);
    assert_eq!(
        tensor([1.0f32, 2.0]).outer(&tensor([3.0, 4.0])).to_vec(),
        [3.0, 4.0, 6.0, 8.0]
    );
}

#[test]
#[should_panic(expected = "einsum: the run-time dimension of the letter `b` is 2 and 3")]
fn other_sizes() {
    let at = |n| Tensor::<shape![Batch, 2], f64>::zeros_with((Batch(n), Sz));
    let _ = einsum!("bi,bj->ij", &at(2), &at(3));
}

#[test]
fn vectors() {
    #[differentiable]
    fn function(a: &Tensor![f64; Batch], b: &Tensor![f64; Batch]) -> Tensor![f64; Batch, Batch] {
        a.outer(b) * a.dot(b)
    }
    for n in [0, 1, 3] {
        let at = |seed| between((Batch(n),), seed, -1.0, 1.0);
        let checked = check_grads::<function, _>(&(at(1), at(2)));
        let nothing = differentiable::ad::GradientMismatch::NothingToCompare;
        assert_eq!(checked, if n == 0 { Err(nothing) } else { Ok(()) });
    }
}
