//! How the product of lettered tensors is computed.
//!
//! One operand: diagonals and permutations are views, what is left is a sum. Two operands: each is
//! first summed over what it has alone. Then, with the letters in both and in the output (batch), in
//! one and the output (left, right), and in both only (summed):
//!
//! * nothing is summed: an elementwise product of broadcast views;
//! * only batch and summed letters: an elementwise product and a sum;
//! * otherwise one product of matrices `[batch, left, summed] · [batch, summed, right]`, on the strides that
//!   the operands have: axes are merged without a copy wherever they follow one another.
//!
//! Three operands: the pair whose product takes the fewest multiplications first.

use crate::device::{Backend, BinaryOp, Float, MAX_RANK, ReduceOp};
use crate::tensor::Raw;

/// A tensor with a letter for each axis.
#[derive(Clone)]
pub struct Term<T: Float, D: Backend> {
    pub letters: Vec<u8>,
    pub x: Raw<T, D>,
}

/// The letters in a number of the type `Einsum`.
#[track_caller]
pub fn word(packed: u64) -> Vec<u8> {
    let bytes = packed.to_le_bytes();
    bytes.into_iter().take_while(|&b| b != 0).collect()
}

/// A letter has one size.
#[track_caller]
pub fn check<T: Float, D: Backend>(terms: &[Term<T, D>]) {
    let mut sizes = [None; 256];
    for term in terms {
        for (&l, &n) in term.letters.iter().zip(term.x.dims().iter()) {
            let known = *sizes[usize::from(l)].get_or_insert(n);
            assert!(
                known == n,
                "einsum: the run-time dimension of the letter `{}` is {known} and {n}",
                char::from(l)
            );
        }
    }
}

impl<T: Float, D: Backend> Term<T, D> {
    #[track_caller]
    fn has(&self, letter: u8) -> bool {
        self.letters.contains(&letter)
    }

    #[track_caller]
    fn axis(&self, letter: u8) -> usize {
        let found = self.letters.iter().position(|&l| l == letter);
        found.expect("the term has this letter")
    }

    #[track_caller]
    fn size(&self, letter: u8) -> usize {
        self.x.dims()[self.axis(letter)]
    }

    /// Each letter once: repeated ones are a diagonal.
    #[track_caller]
    fn distinct(mut self) -> Self {
        let mut j = 1;
        while j < self.letters.len() {
            match self.letters[..j].iter().position(|&l| l == self.letters[j]) {
                Some(i) => {
                    self.x = self.x.diagonal(i, j);
                    self.letters.remove(j);
                }
                None => j += 1,
            }
        }
        self
    }

    /// Summed over the letters that are not kept.
    #[track_caller]
    fn summed(self, keep: impl Fn(u8) -> bool) -> Self {
        let axes: Vec<usize> = (0..self.letters.len())
            .filter(|&i| !keep(self.letters[i]))
            .collect();
        if axes.is_empty() {
            return self;
        }
        let sum = self.x.reduce_keepdim(ReduceOp::Sum, &axes);
        let letters: Vec<u8> = self.letters.iter().copied().filter(|&l| keep(l)).collect();
        let dims: Vec<usize> = letters.iter().map(|&l| self.size(l)).collect();
        Term {
            letters,
            x: sum.into_reshaped(dims.as_slice()),
        }
    }

    /// The axes in another order.
    #[track_caller]
    fn ordered(&self, letters: &[u8]) -> Raw<T, D> {
        if letters == self.letters {
            return self.x.clone();
        }
        let order: Vec<usize> = letters.iter().map(|&l| self.axis(l)).collect();
        self.x.permute(&order)
    }

    /// The axes in the order of `letters`, with size 1 for those that are missing.
    #[track_caller]
    fn aligned(&self, letters: &[u8]) -> Raw<T, D> {
        let own: Vec<u8> = letters.iter().copied().filter(|&l| self.has(l)).collect();
        let mut x = self.ordered(&own);
        for (i, &l) in letters.iter().enumerate() {
            if !self.has(l) {
                x = x.unsqueeze(i);
            }
        }
        x
    }

    /// The axes in the order of the groups, each group as one axis.
    #[track_caller]
    fn grouped(&self, groups: &[&[u8]]) -> Raw<T, D> {
        let mut x = self.ordered(&groups.concat());
        for (at, group) in groups.iter().enumerate() {
            x = match group.len() {
                0 => x.unsqueeze(at),
                1 => x,
                n => x.merge(at, n),
            };
        }
        x
    }

    /// Whether [`grouped`](Term::grouped) would share the elements.
    #[track_caller]
    fn groups_freely(&self, letters: &[u8]) -> bool {
        letters.windows(2).all(|pair| {
            let [a, b] = [self.axis(pair[0]), self.axis(pair[1])];
            let (dims, strides) = (self.x.dims(), self.x.layout().strides());
            strides[a] == strides[b] * dims[b]
        })
    }
}

/// The terms multiplied, summed over the letters that are not in `out`, with the axes of `out`.
#[track_caller]
pub fn contract<T: Float, D: Backend>(terms: Vec<Term<T, D>>, out: &[u8]) -> Raw<T, D> {
    let mut terms: Vec<_> = terms.into_iter().map(Term::distinct).collect();
    while terms.len() > 2 {
        let (i, j, inner) = cheapest(&terms, out);
        let (b, a) = (terms.remove(j), terms.remove(i));
        let x = pair(a, b, &inner);
        terms.push(Term { letters: inner, x });
    }
    match terms.pop() {
        None => unreachable!("an einsum has an operand"),
        Some(b) => match terms.pop() {
            None => b.summed(|l| out.contains(&l)).ordered(out),
            Some(a) => pair(a, b, out),
        },
    }
}

/// Two terms to multiply, and the letters that their product keeps.
type Step = (usize, usize, Vec<u8>);

/// The two of three terms to multiply first.
#[track_caller]
fn cheapest<T: Float, D: Backend>(terms: &[Term<T, D>], out: &[u8]) -> Step {
    let mut best: Option<(f64, Step)> = None;
    for i in 0..terms.len() {
        for j in i + 1..terms.len() {
            let (a, b) = (&terms[i], &terms[j]);
            let mut both = a.letters.clone();
            both.extend(b.letters.iter().filter(|&&l| !a.has(l)));
            let needed = |l: u8| {
                let others = terms.iter().enumerate();
                out.contains(&l)
                    || others
                        .into_iter()
                        .any(|(k, t)| k != i && k != j && t.has(l))
            };
            let inner: Vec<u8> = both.iter().copied().filter(|&l| needed(l)).collect();
            if inner.len() > MAX_RANK {
                continue;
            }
            let size = |l: u8| if a.has(l) { a.size(l) } else { b.size(l) } as f64;
            let work: f64 = both.iter().map(|&l| size(l)).product();
            let left: f64 = inner.iter().map(|&l| size(l)).product();
            // The product is written, and takes part in the next one.
            let cost = work + left;
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, (i, j, inner)));
            }
        }
    }
    best.expect("the macro found an order within 6 axes").1
}

/// The product of two terms with distinct letters.
#[track_caller]
fn pair<T: Float, D: Backend>(a: Term<T, D>, b: Term<T, D>, out: &[u8]) -> Raw<T, D> {
    let (mut a, mut b) = {
        let (in_a, in_b) = (a.letters.clone(), b.letters.clone());
        (
            a.summed(|l| out.contains(&l) || in_b.contains(&l)),
            b.summed(|l| out.contains(&l) || in_a.contains(&l)),
        )
    };
    // The result comes out as batch, left, right: right has the last axis if it can.
    if out.last().is_some_and(|&l| a.has(l) && !b.has(l)) {
        (a, b) = (b, a);
    }
    let of_out =
        |f: &dyn Fn(u8) -> bool| -> Vec<u8> { out.iter().copied().filter(|&l| f(l)).collect() };
    let batch = of_out(&|l| a.has(l) && b.has(l));
    let left = of_out(&|l| a.has(l) && !b.has(l));
    let right = of_out(&|l| !a.has(l));
    let of_both = |x: &Term<T, D>, y: &Term<T, D>| -> Vec<u8> {
        let kept = |l: &u8| y.has(*l) && !out.contains(l);
        x.letters.iter().copied().filter(kept).collect()
    };
    let mut summed = of_both(&a, &b);

    if summed.is_empty() {
        return Raw::binary(BinaryOp::Mul, a.aligned(out), b.aligned(out));
    }
    if left.is_empty() && right.is_empty() && !batch.is_empty() {
        let letters = [batch, summed].concat();
        let x = Raw::binary(BinaryOp::Mul, a.ordered(&letters), b.ordered(&letters));
        let product = Term { letters, x };
        return product.summed(|l| out.contains(&l)).ordered(out);
    }
    if !a.groups_freely(&summed) {
        let other = of_both(&b, &a);
        if b.groups_freely(&other) || a.groups_freely(&other) {
            summed = other;
        }
    }
    // Batch axes stay apart where there is room: merging them may need a copy.
    let one_batch = batch.len() + 2 > MAX_RANK;
    let batches: Vec<&[u8]> = match one_batch {
        true => vec![&batch],
        false => batch.chunks(1).collect(),
    };
    let x = a.grouped(&[&batches[..], &[&left, &summed]].concat());
    let y = b.grouped(&[&batches[..], &[&summed, &right]].concat());
    let product = Raw::matmul(&x, &y);
    let letters = [&batch[..], &left, &right].concat();
    let sizes = letters
        .iter()
        .map(|&l| if a.has(l) { a.size(l) } else { b.size(l) });
    let sizes: Vec<usize> = sizes.collect();
    let product = Term {
        letters,
        x: product.into_reshaped(sizes.as_slice()),
    };
    product.ordered(out)
}

/// The cotangent of term `of`.
#[track_caller]
pub fn pull<T: Float, D: Backend>(
    mut terms: Vec<Term<T, D>>,
    of: usize,
    out: Vec<u8>,
    ct: &Raw<T, D>,
) -> Raw<T, D> {
    let target = core::mem::replace(
        &mut terms[of],
        Term {
            letters: out,
            x: ct.clone(),
        },
    );
    let whole = *target.x.dims();
    let repeated = target.letters.clone();
    let target = target.distinct();
    let reached: Vec<u8> = target
        .letters
        .iter()
        .copied()
        .filter(|&l| terms.iter().any(|t| t.has(l)))
        .collect();
    let found = Term {
        x: contract(terms, &reached),
        letters: reached,
    };
    // What only this operand has was summed: its cotangent is the same all along.
    let sum = found.aligned(&target.letters).expand(*target.x.dims());
    if repeated.len() == target.letters.len() {
        return sum;
    }
    Raw::placed(&sum, whole, |mut layout| {
        let mut letters = repeated;
        let mut j = 1;
        while j < letters.len() {
            match letters[..j].iter().position(|&l| l == letters[j]) {
                Some(i) => {
                    layout = layout.diagonal(i, j);
                    letters.remove(j);
                }
                None => j += 1,
            }
        }
        layout
    })
}
