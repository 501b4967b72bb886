//! Products of matrices and sums by letters.

use super::{Call, Results, array, floats};
use crate::import::fault::Fault;
use crate::import::rules::elementwise::{binary, scalar};
use crate::import::rules::product::matmul;
use crate::import::rules::reduce::reduce;
use crate::import::rules::view::{View, reshape, view};
use crate::import::tape::Tape;
use crate::import::value::{Array, Number, sizes};
use autodiff_core::device::{BinaryOp, MAX_RANK, ReduceOp};

pub fn mat_mul(call: &mut Call<'_>) -> Results {
    floats!(call, call.operand(0)?, a => {
        let b = call.array(1)?;
        array(matmul(call.tape, &a, &b)?)
    })
}

/// `alpha·a·b + beta·c`, with `a` and `b` transposed or not.
pub fn gemm(call: &mut Call<'_>) -> Results {
    let alpha = call.attributes.number("alpha", 1.0);
    let beta = call.attributes.number("beta", 1.0);
    let turned = ["transA", "transB"].map(|name| call.attributes.is_on(name));
    fn matrix<T: Number>(tape: &Tape, x: Array<T>, turned: bool) -> Result<Array<T>, Fault> {
        match (x.dims().rank(), turned) {
            (2, false) => Ok(x),
            (2, true) => Ok(view(tape, &x, View::Permute(vec![1, 0]))),
            _ => Err(Fault::sizes(format!(
                "the sizes {:?}, expected a matrix",
                x.dims()
            ))),
        }
    }
    macro_rules! run {
        ($a:ident) => {{
            let tape = call.tape;
            let a = matrix(tape, $a, turned[0])?;
            let b = matrix(tape, call.array(1)?, turned[1])?;
            let product = match alpha {
                1.0 => matmul(tape, &a, &b)?,
                _ => scalar(tape, BinaryOp::Mul, matmul(tape, &a, &b)?, alpha),
            };
            let Some(c) = call.optional(2)?.filter(|_| beta != 0.0) else {
                return array(product);
            };
            let dims = *product.dims();
            if dims.broadcast(c.dims()) != Some(dims) {
                return Err(Fault::sizes(format!(
                    "a bias of sizes {:?} for a product of sizes {dims:?}",
                    c.dims()
                )));
            }
            let c = if beta == 1.0 {
                c
            } else {
                scalar(tape, BinaryOp::Mul, c, beta)
            };
            array(binary(tape, BinaryOp::Add, product, c)?)
        }};
    }
    floats!(call, call.operand(0)?, a => run!(a))
}

/// An equation: the letters of the operands and of the result. Letters that an ellipsis stands for are capital ones that the
/// equation does not use.
struct Equation {
    operands: Vec<Vec<char>>,
    result: Vec<char>,
}

impl Equation {
    fn parse(text: &str, ranks: &[usize]) -> Result<Self, Fault> {
        let unfit = |what: &str| Fault::Attribute {
            name: "equation",
            what: format!("is `{text}`: {what}"),
        };
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let (left, right) = match text.split_once("->") {
            Some((left, right)) => (left, Some(right)),
            None => (&text[..], None),
        };
        let terms: Vec<&str> = left.split(',').collect();
        if terms.len() != ranks.len() {
            return Err(unfit("it has another number of operands"));
        }
        // Axes of an ellipsis, from the last one on.
        let letters = |term: &str| term.replace("...", "").chars().count();
        let hidden = |term: &str, rank: usize| rank.checked_sub(letters(term));
        let mut most = 0;
        for (term, &rank) in terms.iter().zip(ranks) {
            if term.contains("...") {
                most =
                    most.max(hidden(term, rank).ok_or_else(|| unfit("an operand has fewer axes"))?);
            }
        }
        if most > MAX_RANK {
            return Err(unfit("too many axes"));
        }
        let names = ['\u{1}', '\u{2}', '\u{3}', '\u{4}', '\u{5}', '\u{6}'];
        let spelled = |term: &str, count: usize| -> Vec<char> {
            match term.split_once("...") {
                None => term.chars().collect(),
                Some((a, b)) => {
                    let dots = &names[most - count..most];
                    a.chars()
                        .chain(dots.iter().copied())
                        .chain(b.chars())
                        .collect()
                }
            }
        };
        let mut operands = Vec::new();
        for (term, &rank) in terms.iter().zip(ranks) {
            let count = hidden(term, rank).unwrap_or(0);
            let all = spelled(term, count);
            let plain = all
                .iter()
                .all(|c| c.is_ascii_alphabetic() || names.contains(c));
            if !plain || all.len() != rank {
                return Err(unfit("the letters of an operand are not its axes"));
            }
            operands.push(all);
        }
        let result = match right {
            Some(right) => spelled(right, most),
            None => {
                let all: Vec<char> = operands.concat();
                let mut once: Vec<char> = all
                    .iter()
                    .copied()
                    .filter(|c| names.contains(c) || all.iter().filter(|d| *d == c).count() == 1)
                    .collect();
                once.sort_unstable();
                once.dedup();
                once
            }
        };
        let all: Vec<char> = operands.concat();
        let twice = |c: &char| result.iter().filter(|d| *d == c).count() > 1;
        if result.iter().any(|c| !all.contains(c) || twice(c)) {
            return Err(unfit(
                "the result has letters that no operand has, or one twice",
            ));
        }
        Ok(Equation { operands, result })
    }
}

/// An operand whose letters are distinct: diagonals of those that stand twice.
fn distinct<T: Number>(
    tape: &Tape,
    mut x: Array<T>,
    letters: &mut Vec<char>,
) -> Result<Array<T>, Fault> {
    while let Some((i, j)) = (0..letters.len())
        .flat_map(|i| (i + 1..letters.len()).map(move |j| (i, j)))
        .find(|&(i, j)| letters[i] == letters[j])
    {
        if x.dims()[i] != x.dims()[j] {
            return Err(Fault::sizes(format!(
                "one letter for the axes {i} and {j} of the sizes {:?}",
                x.dims()
            )));
        }
        x = view(tape, &x, View::Diagonal(i, j));
        letters.remove(j);
    }
    Ok(x)
}

/// Summed over the axes whose letters are not in `kept`.
fn summed<T: Number>(
    tape: &Tape,
    x: Array<T>,
    letters: &mut Vec<char>,
    kept: &[char],
) -> Result<Array<T>, Fault> {
    let gone: Vec<usize> = (0..letters.len())
        .filter(|&i| !kept.contains(&letters[i]))
        .collect();
    if gone.is_empty() {
        return Ok(x);
    }
    let sum = reduce(tape, ReduceOp::Sum, &x, &gone)?;
    let dims = crate::import::rules::reduce::without(x.dims(), &gone);
    letters.retain(|c| kept.contains(c));
    Ok(reshape(tape, &sum, &dims))
}

/// The axes in the order of `order`, which has all of their letters.
fn ordered<T: Number>(tape: &Tape, x: &Array<T>, letters: &[char], order: &[char]) -> Array<T> {
    let at = |c: &char| letters.iter().position(|d| d == c).expect("a letter");
    view(tape, x, View::Permute(order.iter().map(at).collect()))
}

/// The product of two operands, summed over the letters that are not in `kept`: a product of matrices.
fn contracted<T: Number>(
    tape: &Tape,
    (a, mut la): (Array<T>, Vec<char>),
    (b, mut lb): (Array<T>, Vec<char>),
    kept: &[char],
) -> Result<(Array<T>, Vec<char>), Fault> {
    // What only one of them has and nobody wants is summed before.
    let in_a = [kept, &lb[..]].concat();
    let a = summed(tape, a, &mut la, &in_a)?;
    let in_b = [kept, &la[..]].concat();
    let b = summed(tape, b, &mut lb, &in_b)?;
    let size = |x: &Array<T>, l: &[char], c: char| {
        let at = l.iter().position(|d| *d == c).expect("a letter");
        x.dims()[at]
    };
    for &c in la.iter().filter(|c| lb.contains(c)) {
        let (m, n) = (size(&a, &la, c), size(&b, &lb, c));
        if m != n {
            return Err(Fault::sizes(format!(
                "the letter `{c}` has the sizes {m} and {n}"
            )));
        }
    }
    let of = |l: &[char], f: &dyn Fn(&char) -> bool| -> Vec<char> {
        l.iter().copied().filter(|c| f(c)).collect()
    };
    let batch = of(&la, &|c| lb.contains(c) && kept.contains(c));
    let inner = of(&la, &|c| lb.contains(c) && !kept.contains(c));
    let left = of(&la, &|c| !lb.contains(c));
    let right = of(&lb, &|c| !la.contains(c));
    let dims = |x: &Array<T>, l: &[char], of: &[char]| -> Vec<usize> {
        of.iter().map(|&c| size(x, l, c)).collect()
    };
    let (batches, rows) = (dims(&a, &la, &batch), dims(&a, &la, &left));
    let (inners, columns) = (dims(&a, &la, &inner), dims(&b, &lb, &right));
    let count = |d: &[usize]| d.iter().product::<usize>();
    let a = ordered(tape, &a, &la, &[&batch[..], &left, &inner].concat());
    let b = ordered(tape, &b, &lb, &[&batch[..], &inner, &right].concat());
    let a = reshape(tape, &a, &[count(&batches), count(&rows), count(&inners)]);
    let b = reshape(
        tape,
        &b,
        &[count(&batches), count(&inners), count(&columns)],
    );
    let all: Vec<usize> = [&batches[..], &rows, &columns].concat();
    sizes(&all)?;
    let out = matmul(tape, &a, &b)?;
    Ok((reshape(tape, &out, &all), [batch, left, right].concat()))
}

fn einsum_of<T: Number>(
    tape: &Tape,
    equation: &str,
    operands: Vec<Array<T>>,
) -> Result<Array<T>, Fault> {
    let ranks: Vec<usize> = operands.iter().map(|x| x.dims().rank()).collect();
    let Equation {
        operands: letters,
        result,
    } = Equation::parse(equation, &ranks)?;
    let mut terms = Vec::new();
    for (x, mut l) in operands.into_iter().zip(letters) {
        let x = distinct(tape, x, &mut l)?;
        terms.push((x, l));
    }
    let mut terms = terms.into_iter();
    let mut all = terms.next().ok_or(Fault::Missing { input: 0 })?;
    while let Some(next) = terms.next() {
        // Letters that later operands or the result have.
        let later = terms.as_slice().iter().flat_map(|(_, l)| l.iter().copied());
        let kept: Vec<char> = result.iter().copied().chain(later).collect();
        all = contracted(tape, all, next, &kept)?;
    }
    let (x, mut l) = all;
    let x = summed(tape, x, &mut l, &result)?;
    Ok(ordered(tape, &x, &l, &result))
}

pub fn einsum(call: &mut Call<'_>) -> Results {
    let equation = call.attributes.text("equation", "").to_owned();
    macro_rules! run {
        ($first:ident) => {{
            let mut all = vec![$first];
            for i in 1..call.inputs.len() {
                all.push(call.array(i)?);
            }
            array(einsum_of(call.tape, &equation, all)?)
        }};
    }
    floats!(call, call.operand(0)?, x => run!(x))
}
