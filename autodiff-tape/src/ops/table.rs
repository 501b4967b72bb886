//! How operations of tensors are written down.
//!
//! A row is the name, the name of the operation, its companions, its own generics, the shape of the result, bounds, and the
//! kind of its second derivative: `linear`, `none`, or `replay |x| ..` with the composition that it is.

use autodiff_core::ad::{Ct, Differentiable};

/// The name of an operation of such arguments.
pub(super) fn name_of<V, O>(operation: &O, _: &(crate::Var<V>,)) -> &'static str
where
    V: Differentiable + Clone + 'static,
    O: crate::operation::Operation<(V,)>,
{
    operation.name()
}

/// A value with its pullback, whose types are these.
pub(super) fn with<V, P>(y: V, pull: P) -> (V, P)
where
    V: Differentiable,
    P: FnOnce(&(V,), Ct<V>, &mut Ct<(V,)>),
{
    (y, pull)
}

/// An operation of each element of a tensor: its value, both, and its rule as a formula, for the second derivative.
macro_rules! of_tensors {
    ($Op:ty, $name:expr, |$this:ident, $x:ident| $value:expr, $with_pullback:expr, $rule:expr) => {
        impl<S: Shape, T: Float, D: Backend> Operation<(Tensor<S, T, D>,)> for $Op {
            type Output = Tensor<S, T, D>;
            fn name(&self) -> &'static str {
                $name
            }
            fn value(&self, ($x,): &(Tensor<S, T, D>,)) -> Tensor<S, T, D> {
                let $this = self;
                $value
            }
            fn run(
                &self,
                ($x,): &(Tensor<S, T, D>,),
                _: Active,
            ) -> (
                Tensor<S, T, D>,
                impl FnOnce(&(Tensor<S, T, D>,), Ct<Tensor<S, T, D>>, &mut Ct<(Tensor<S, T, D>,)>)
                + use<S, T, D>,
            ) {
                let $this = *self;
                $with_pullback
            }
            fn again(
                &self,
                _: &Tape,
                args: &(Var<Tensor<S, T, D>>,),
                y: &Var<Tensor<S, T, D>>,
                ct: Cotangents,
            ) -> Result<Vec<Cotangents>, TapeError> {
                let $this = self;
                $crate::again::formula::of_elements($name, args, y, ct, $rule)
            }
        }
    };
}
pub(super) use of_tensors;

/// The same of floats.
macro_rules! of_floats {
    (@ $t:ident $Op:ty, $name:expr, |$this:ident, $x:ident| $value:expr, $with_pullback:expr, $rule:expr) => {
        impl Operation<($t,)> for $Op {
            type Output = $t;
            fn name(&self) -> &'static str {
                $name
            }
            fn value(&self, &($x,): &($t,)) -> $t {
                let $this = self;
                $value
            }
            fn run(&self, &($x,): &($t,), _: Active) -> ($t, impl FnOnce(&($t,), $t, &mut ($t,)) + use<>) {
                let $this = *self;
                $with_pullback
            }
            fn again(
                &self,
                _: &Tape,
                args: &(Var<$t>,),
                y: &Var<$t>,
                ct: Cotangents,
            ) -> Result<Vec<Cotangents>, TapeError> {
                let $this = self;
                $crate::again::formula::of_elements($name, args, y, ct, $rule)
            }
        }
    };
    ($Op:ty, $name:expr, |$this:ident, $x:ident| $value:expr, $with_pullback:expr, $rule:expr) => {
        $crate::ops::table::of_floats!(@ f32 $Op, $name, |$this, $x| $value, $with_pullback, $rule);
        $crate::ops::table::of_floats!(@ f64 $Op, $name, |$this, $x| $value, $with_pullback, $rule);
    };
}
pub(super) use of_floats;

/// The same, by the formula itself.
macro_rules! of_floats_by_rule {
    ($Op:ty, $name:expr, |$this:ident, $x:ident| $value:expr, |$operand:ident, $y:ident, $ct:ident| $pull:expr) => {
        $crate::ops::table::of_floats!(
            $Op,
            $name,
            |$this, $x| $value,
            {
                let ($operand, $y) = ($x, $value);
                $crate::ops::table::with($y, move |_, $ct, sums| sums.0.acc($pull))
            },
            |$operand, $y, $ct| $pull
        );
    };
}
pub(super) use of_floats_by_rule;

/// The cotangents of the cotangents, by the kind.
macro_rules! again {
    ([linear] $this:ident $tape:ident $args:ident $ct:ident) => {
        $crate::again::linear::of_one($this, $args, $ct)
    };
    ([none $instead:literal] $this:ident $tape:ident $args:ident $ct:ident) => {
        Err($crate::TapeError::NoSecondDerivative {
            operation: $crate::ops::table::name_of($this, $args),
            instead: $instead,
        })
    };
    ([replay |$x:ident| $composed:expr] $this:ident $tape:ident $args:ident $ct:ident) => {
        $crate::again::replay::of_one($tape, $args, $ct, |$x| $composed)
    };
}
pub(super) use again;

/// Operations of one tensor, without arguments.
macro_rules! of_one {
    ($(
        $(#[$doc:meta])*
        $name:ident $Op:ident $vjp:ident $jvp:ident
        [$(const $c:ident: $cty:ty),* $(; $g:ident: $gb:ident)?] -> $out:ty where [$($w:tt)*] $kind:tt;
    )*) => { $(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $Op<$(const $c: $cty,)* $($g)?>(core::marker::PhantomData<fn() -> ($($g,)?)>);

        impl<$(const $c: $cty,)* $($g)?> Clone for $Op<$($c,)* $($g)?> {
            fn clone(&self) -> Self {
                $Op(core::marker::PhantomData)
            }
        }

        impl<S: Shape, T: Float, D: Backend, $(const $c: $cty,)* $($g: $gb + 'static)?> Operation<(Tensor<S, T, D>,)> for $Op<$($c,)* $($g)?>
        where
            $($w)*
        {
            type Output = Tensor<$out, T, D>;
            fn name(&self) -> &'static str {
                stringify!($name)
            }
            fn value(&self, (x,): &(Tensor<S, T, D>,)) -> Tensor<$out, T, D> {
                x.$name::<$($c,)* $($g)?>()
            }
            fn run(
                &self,
                (x,): &(Tensor<S, T, D>,),
                _: Active,
            ) -> (
                Tensor<$out, T, D>,
                impl FnOnce(&(Tensor<S, T, D>,), Ct<Tensor<$out, T, D>>, &mut Ct<(Tensor<S, T, D>,)>) + use<S, T, D, $($c,)* $($g)?>,
            ) {
                let (y, pull) = x.$vjp::<On, $($c,)* $($g)?>((On,));
                let pull = move |(x,): &(Tensor<S, T, D>,), ct: Ct<Tensor<$out, T, D>>, sums: &mut Ct<(Tensor<S, T, D>,)>| {
                    pull(ct, x, &mut sums.0)
                };
                (y, pull)
            }
            #[allow(unused_variables, reason = "not every kind reads all")]
            fn again(
                &self,
                tape: &Tape,
                args: &(Var<Tensor<S, T, D>>,),
                _: &Var<Tensor<$out, T, D>>,
                ct: Cotangents,
            ) -> Result<Vec<Cotangents>, TapeError> {
                let this = self;
                again!($kind this tape args ct)
            }
        }

        impl<S: Shape, T: Float, D: Backend, $(const $c: $cty,)* $($g: $gb + 'static)?> Push1<Tensor<S, T, D>> for $Op<$($c,)* $($g)?>
        where
            $($w)*
        {
            fn push(&self, (x,): &(Tensor<S, T, D>,), t: &Tensor<S, T, D>) -> Tensor<$out, T, D> {
                x.$jvp::<$($c,)* $($g)?>(t).1
            }
        }

        impl<S: Shape, T: Float, D: Backend> Var<Tensor<S, T, D>> {
            $(#[$doc])*
            #[track_caller]
            #[must_use]
            pub fn $name<$(const $c: $cty,)* $($g: $gb + 'static)?>(&self) -> Var<Tensor<$out, T, D>>
            where
                $($w)*
            {
                self.run($Op::<$($c,)* $($g)?>(core::marker::PhantomData))
            }
        }
    )* };
}
pub(super) use of_one;
