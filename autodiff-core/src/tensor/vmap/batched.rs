//! `vmap!(#[batched] ..)`: the closure runs once, for all examples.
//!
//! Its parameters are tensors whose buffers have a part for each example ([`Batch`]), and every operation runs for all of
//! them. In the reverse pass the cotangent of what it captures is, until it ends, one for each example; then they are summed.
//!
//! Where a device takes one example after the other, and inside another such call, so does this.

use super::examples::{Examples, ExamplesRule};
use super::joined::{Joined, JoinedRule, NESTED};
use super::sequence::same;
use crate::ad::{Acc, Adj, Argument, Ct, Differentiable, Mode, On};
use crate::device::Batch;
use crate::tensor::raw::examples::shared_cotangent;

/// What the forward pass keeps.
#[derive(Clone)]
enum Kept<W, P> {
    /// Of all examples at once.
    All(Batch, W, P),
    /// Of one after the other.
    Each(Vec<(W, P)>),
}

/// The trait for one number of batches. Of each batch beside the first: its type, its mode, the batch, its examples, their
/// cotangents, those of all, where these go, its tangent, and those of its examples.
macro_rules! batched {
    ($Trait:ident: $batched:ident $vjp:ident $jvp:ident; $($Y:ident $M:ident $y:ident $one:ident $ct:ident $cts:ident $d:ident $t:ident $t_one:ident),*) => {
        /// A closure of an example of each batch, for all examples.
        #[diagnostic::on_unimplemented(
            message = "`vmap!(#[batched] ..)` takes tensors, not `{Self}`",
            label = "not a tensor with a first axis",
            note = "leave out `#[batched]` for slices, arrays and `Vec`s: their examples come one after the other"
        )]
        #[allow(clippy::too_many_arguments, clippy::type_complexity)]
        pub trait $Trait: Examples {
            /// The results of all examples along the first axis.
            ///
            /// # Panics
            /// If the batches have different numbers of examples.
            #[track_caller]
            fn $batched<$($Y: Examples<Dim = Self::Dim>,)* R: Joined<Self::Dim>>(
                &self,
                $($y: &$Y,)*
                mut f: impl FnMut(&Self::Example, $(&$Y::Example),*) -> R,
            ) -> R::Out {
                let n = self.count();
                $( same(n, $y.count()); )*
                let batch = Batch::new(n);
                match (Batch::is_running(), self.all(batch), $($y.all(batch),)*) {
                    (false, Some(one), $(Some($one),)*) => {
                        batch.enter(|| f(&one, $(&$one),*)).joined(batch, self.dim())
                    }
                    _ => {
                        let results = (0..n).map(|i| f(&self.one(i), $(&$y.one(i)),*));
                        R::stack(results.collect(), self.dim())
                    }
                }
            }

            #[doc(hidden)]
            #[track_caller]
            fn $vjp<M0: Mode, $($M: Mode, $Y: ExamplesRule<Dim = Self::Dim>,)* ME: Mode, E: Differentiable, C, R: JoinedRule<Self::Dim>, P>(
                &self,
                _: (M0, $($M,)* ME),
                $($y: &$Y,)*
                env: &E,
                code: C,
            ) -> (
                R::Out,
                impl FnOnce(Ct<R::Out>, &Self, $(&$Y,)* &E, &mut Adj<Self, M0>, $(&mut Adj<$Y, $M>,)* &mut Adj<E, ME>)
                + Clone
                + use<Self, M0, $($M, $Y,)* ME, E, C, R, P>,
            )
            where
                Self: ExamplesRule,
                C: Fn(&E, (&Self::Example, $(&$Y::Example,)*)) -> (R, P),
                P: FnOnce(Ct<R>, &E, (&Self::Example, $(&$Y::Example,)*), &mut Ct<E>, (&mut Ct<Self::Example>, $(&mut Ct<$Y::Example>,)*)) + Clone,
            {
                let n = self.count();
                $( same(n, $y.count()); )*
                let batch = Batch::new(n);
                let (value, kept) = match (Batch::is_running(), self.all(batch), $($y.all(batch),)*) {
                    (false, Some(one), $(Some($one),)*) => {
                        let (value, pullback) = batch.record(|| code(env, (&one, $(&$one,)*)));
                        let witness = value.proto();
                        (value.joined(batch, self.dim()), Kept::All(batch, witness, pullback))
                    }
                    _ => {
                        let one = |i| {
                            let (value, pullback) = code(env, (&self.one(i), $(&$y.one(i),)*));
                            let witness = value.proto();
                            (value, (witness, pullback))
                        };
                        let (values, kept): (Vec<_>, _) = (0..n).map(one).unzip();
                        (R::stack(values, self.dim()), Kept::Each(kept))
                    }
                };
                let pullback = |ct: Ct<R::Out>, this: &Self, $($y: &$Y,)* env: &E, d: &mut Adj<Self, M0>, $($d: &mut Adj<$Y, $M>,)* d_env: &mut Adj<E, ME>| match kept {
                    Kept::All(batch, witness, pullback) => batch.reverse(|| {
                        let ct = R::parts(&ct, batch, &witness);
                        let one = this.all(batch).expect(NESTED);
                        let mut ct_one = one.zero_adj(On);
                        $( let $one = $y.all(batch).expect(NESTED); let mut $ct = $one.zero_adj(On); )*
                        let mut own = env.zero_adj(On);
                        pullback(ct, env, (&one, $(&$one,)*), &mut own, (&mut ct_one, $(&mut $ct,)*));
                        this.collect::<M0>(ct_one, batch, d);
                        $( $y.collect::<$M>($ct, batch, $d); )*
                        if ME::ON {
                            d_env.acc(shared_cotangent(env, own, batch));
                        }
                    }),
                    Kept::Each(kept) => env.with::<ME>(d_env, |d_env| {
                        let mut cts = Vec::with_capacity(kept.len());
                        $( let mut $cts = Vec::with_capacity(kept.len()); )*
                        for (i, (witness, pullback)) in kept.into_iter().enumerate() {
                            let one = this.one(i);
                            let mut ct_one = one.zero_adj(On);
                            $( let $one = $y.one(i); let mut $ct = $one.zero_adj(On); )*
                            pullback(R::part(&ct, i, &witness), env, (&one, $(&$one,)*), d_env, (&mut ct_one, $(&mut $ct,)*));
                            cts.push(ct_one);
                            $( $cts.push($ct); )*
                        }
                        this.collect_each::<M0>(cts, d);
                        $( $y.collect_each::<$M>($cts, $d); )*
                    }),
                };
                (value, pullback)
            }

            #[doc(hidden)]
            #[track_caller]
            fn $jvp<$($Y: ExamplesRule<Dim = Self::Dim>,)* E: Differentiable, C, R: JoinedRule<Self::Dim>>(
                &self,
                t: &Self::Tangent,
                $($y: &$Y, $t: &$Y::Tangent,)*
                env: &E,
                code: C,
                _: (),
                t_env: &E::Tangent,
            ) -> (R::Out, <R::Out as Differentiable>::Tangent)
            where
                Self: ExamplesRule,
                C: Fn(
                    &E,
                    &E::Tangent,
                    (&Self::Example, $(&$Y::Example,)*),
                    (&<Self::Example as Differentiable>::Tangent, $(&<$Y::Example as Differentiable>::Tangent,)*),
                ) -> (R, R::Tangent),
            {
                let n = self.count();
                $( same(n, $y.count()); )*
                let batch = Batch::new(n);
                let all = (self.all(batch), Self::all_tangents(t, batch));
                match (Batch::is_running(), all, $(($y.all(batch), $Y::all_tangents($t, batch)),)*) {
                    (false, (Some(one), Some(t_one)), $((Some($one), Some($t_one)),)*) => {
                        let (value, tangent) = batch.enter(|| code(env, t_env, (&one, $(&$one,)*), (&t_one, $(&$t_one,)*)));
                        (value.joined(batch, self.dim()), R::joined_tangent(tangent, batch, self.dim()))
                    }
                    _ => {
                        let one = |i| {
                            let tangents = (&Self::one_tangent(t, i), $(&$Y::one_tangent($t, i),)*);
                            code(env, t_env, (&self.one(i), $(&$y.one(i),)*), tangents)
                        };
                        let (values, tangents) = (0..n).map(one).unzip();
                        (R::stack(values, self.dim()), R::stack_tangents(tangents, self.dim()))
                    }
                }
            }
        }

        impl<X: Examples> $Trait for X {}
    };
}

batched!(Batched1: batched1 __batched1_vjp __batched1_jvp;);
batched!(Batched2: batched2 __batched2_vjp __batched2_jvp; Y1 M1 y1 one1 ct1 cts1 d1 t1 t_one1);
batched!(Batched3: batched3 __batched3_vjp __batched3_jvp; Y1 M1 y1 one1 ct1 cts1 d1 t1 t_one1, Y2 M2 y2 one2 ct2 cts2 d2 t2 t_one2);
batched!(Batched4: batched4 __batched4_vjp __batched4_jvp; Y1 M1 y1 one1 ct1 cts1 d1 t1 t_one1, Y2 M2 y2 one2 ct2 cts2 d2 t2 t_one2, Y3 M3 y3 one3 ct3 cts3 d3 t3 t_one3);
