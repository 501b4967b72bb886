//! `einsum!`: products and sums of one, two or three tensors, written with a letter for each axis.
//!
//! ```text
//! y[o] = Σ a[α] · b[β] · c[γ]
//! ```
//!
//! over all letters that are not in `o`. It is linear in each operand, so the derivative with respect
//! to one is an einsum of the cotangent and the others: `d_b[β] = Σ ct[o] · a[α] · c[γ]`. A letter of
//! `b` alone is repeated over its axis; one that `b` has twice names a diagonal, and the cotangent
//! stands on that diagonal. [`contract`] says how a product is computed.

mod contract;

use crate::ad::{Acc, Adj, Ct, Mode};
use crate::device::{Backend, Float};
use crate::shape::{Letters, Shape, Subscripts};
use crate::tensor::{Raw, Tensor};
use contract::{Term, contract, pull, word};

/// The terms of the operands, and the letters of the output.
#[track_caller]
fn terms<T: Float, D: Backend>(words: [u64; 4], raws: &[&Raw<T, D>]) -> (Vec<Term<T, D>>, Vec<u8>) {
    let terms = words.iter().zip(raws).map(|(w, x)| Term {
        letters: word(*w),
        x: (*x).clone(),
    });
    (terms.collect(), word(words[3]))
}

#[track_caller]
fn value<T: Float, D: Backend>(words: [u64; 4], raws: &[&Raw<T, D>]) -> Raw<T, D> {
    let (terms, out) = terms(words, raws);
    contract::check(&terms);
    contract(terms, &out)
}

#[track_caller]
fn gradient<T: Float, D: Backend>(
    words: [u64; 4],
    raws: &[&Raw<T, D>],
    of: usize,
    ct: &Raw<T, D>,
) -> Raw<T, D> {
    let (terms, out) = terms(words, raws);
    pull(terms, of, out, ct)
}

/// `value` with the operand `k` replaced by its tangent, summed over `k`.
fn tangent<T: Float, D: Backend>(
    words: [u64; 4],
    raws: &[&Raw<T, D>],
    tangents: &[&Raw<T, D>],
) -> Raw<T, D> {
    let one = |k: usize| {
        let mut raws = raws.to_vec();
        raws[k] = tangents[k];
        value(words, &raws)
    };
    let mut sum = one(0);
    for k in 1..raws.len() {
        sum.add_assign(&one(k));
    }
    sum
}

macro_rules! einsum {
    ($name:ident $vjp:ident $jvp:ident; $m0:ident $d0:ident; $($k:tt $s:ident $x:ident $t:ident $d:ident $m:ident),*) => {
        // Called by what `einsum!` expands to.
        impl<S: Shape, T: Float, D: Backend> Tensor<S, T, D> {
            #[doc(hidden)]
            #[track_caller]
            pub fn $name<E, $($s: Shape),*>(&self, $($x: &Tensor<$s, T, D>),*) -> Tensor<E::Out, T, D>
            where
                E: Subscripts<(S, $($s,)*)>,
                E::Letters: Letters<(S, $($s,)*)>,
            {
                let shape = E::shape(&(self.shape(), $($x.shape(),)*));
                Tensor::new(shape, value(E::WORDS, &[self.raw(), $($x.raw()),*]))
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $vjp<$m0: Mode, $($m: Mode,)* E, $($s: Shape),*>(
                &self,
                _: ($m0, $($m,)*),
                $($x: &Tensor<$s, T, D>),*
            ) -> (
                Tensor<E::Out, T, D>,
                impl FnOnce(
                    Ct<Tensor<E::Out, T, D>>,
                    &Self,
                    $(&Tensor<$s, T, D>,)*
                    &mut Adj<Self, $m0>,
                    $(&mut Adj<Tensor<$s, T, D>, $m>,)*
                ) + Clone + use<S, T, D, E, $m0, $($s, $m),*>,
            )
            where
                E: Subscripts<(S, $($s,)*)>,
                E::Letters: Letters<(S, $($s,)*)>,
            {
                let out = self.$name::<E, $($s),*>($($x),*);
                (out, |ct, first, $($x,)* $d0, $($d,)*| {
                    let Some(ct) = ct.raw() else { return };
                    let raws = [first.raw(), $($x.raw()),*];
                    if $m0::ON {
                        $d0.acc(Tensor::new(first.shape(), gradient(E::WORDS, &raws, 0, ct)).into());
                    }
                    $(if $m::ON {
                        $d.acc(Tensor::new($x.shape(), gradient(E::WORDS, &raws, $k, ct)).into());
                    })*
                })
            }

            #[doc(hidden)]
            #[allow(clippy::type_complexity)]
            #[track_caller]
            pub fn $jvp<E, $($s: Shape),*>(
                &self,
                t: &Self,
                $($x: &Tensor<$s, T, D>, $t: &Tensor<$s, T, D>),*
            ) -> (Tensor<E::Out, T, D>, Tensor<E::Out, T, D>)
            where
                E: Subscripts<(S, $($s,)*)>,
                E::Letters: Letters<(S, $($s,)*)>,
            {
                let out = self.$name::<E, $($s),*>($($x),*);
                let raws = [self.raw(), $($x.raw()),*];
                let pushed = tangent(E::WORDS, &raws, &[t.raw(), $($t.raw()),*]);
                let pushed = Tensor::new(out.shape(), pushed);
                (out, pushed)
            }
        }
    };
}
einsum!(einsum1 __einsum1_vjp __einsum1_jvp; M0 d0;);
einsum!(einsum2 __einsum2_vjp __einsum2_jvp; M0 d0; 1 R b t_b d1 M1);
einsum!(einsum3 __einsum3_vjp __einsum3_jvp; M0 d0; 1 R b t_b d1 M1, 2 Q c t_c d2 M2);
