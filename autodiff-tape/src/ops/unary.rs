//! The functions of one number, of floats and of each element of a tensor: those of the table in the crate
//! `autodiff-vocabulary`.

use super::table::{of_floats, of_floats_by_rule, of_tensors, with};
use crate::again::linear::{self, Push1};
use crate::again::{Cotangents, Vector};
use crate::operation::{Active, Operation};
use crate::{Numbers, Tape, TapeError, Var};
use autodiff_core::ad::*;
use autodiff_core::device::{Backend, Float};
use autodiff_core::rt::elementwise;
use autodiff_core::shape::Shape;
use autodiff_core::tensor::Tensor;

/// The operations.
#[allow(non_camel_case_types)] // the names of the functions
pub mod functions {
    macro_rules! structs {
        ({} [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident $costs:tt $domain:tt;)*]) => { $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $name;
        )* };
    }
    autodiff_vocabulary::functions!(short structs, {} [numbers turns shifts activations elements apart flat flat_elements]);

    /// `-x`.
    #[derive(Clone, Copy, Debug)]
    pub struct neg;
}

/// The rule as a formula: of sines with the form for all arguments.
macro_rules! slope {
    (turns $name:ident) => {
        |x, y, ct| elementwise::$name::pull::<_, false>(x, y, ct)
    };
    (plain $name:ident) => {
        |x, y, ct| elementwise::$name::pull(x, y, ct)
    };
}

/// The methods, and the functions by name.
macro_rules! methods {
    ({} [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident $costs:tt $domain:tt;)*]) => {
        /// What the functions of the vocabulary are operations of.
        pub trait Functions: Vector {
            $(
                #[doc(hidden)]
                #[track_caller]
                fn $name(x: &Var<Self>) -> Var<Self>;
            )*
        }

        impl<S: Shape, T: Float, D: Backend> Functions for Tensor<S, T, D> { $(
            fn $name(x: &Var<Self>) -> Var<Self> {
                x.run(functions::$name)
            }
        )* }
        methods!(@floats f32 $($name)*);
        methods!(@floats f64 $($name)*);

        /// The functions of one number, of floats and of each element of a tensor.
        impl<V: Numbers> Var<V> { $(
            $(#[$doc])*
            #[track_caller]
            #[must_use]
            pub fn $name(&self) -> Self {
                V::$name(self)
            }
        )* }

        /// The function with the name.
        pub(super) fn by_name<V: Functions>(name: &str, x: &Var<V>) -> Option<Var<V>> {
            Some(match name {
                $(stringify!($name) => V::$name(x),)*
                _ => return None,
            })
        }
    };
    (@floats $t:ident $($name:ident)*) => {
        impl Functions for $t { $(
            fn $name(x: &Var<$t>) -> Var<$t> {
                x.run(functions::$name)
            }
        )* }
    };
}

/// Functions with a rule that floats and tensors share.
macro_rules! ruled {
    ({ $form:ident $float:ident }
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:ident $reads:ident $costs:tt $domain:tt;)*]
    ) => { $(
        of_tensors!(functions::$name, stringify!($name), |_this, x| x.$name(), {
            let y = x.$name();
            let saved = autodiff_vocabulary::saved!($reads x (&y)).clone();
            with(y, move |_, ct, sums| $Rule::pull(&saved, &ct, &mut sums.0))
        }, slope!($form $name));
        ruled!(@ $float $form $name $Rule $reads);
    )* };
    (@ float $form:ident $name:ident $Rule:ident $reads:ident) => {
        of_floats!(functions::$name, stringify!($name), |_this, x| x.$name(), {
            let y = x.$name();
            let saved = autodiff_vocabulary::saved!($reads x y);
            with(y, move |_, ct, sums| $Rule::pull(&saved, &ct, &mut sums.0))
        }, slope!($form $name));
    };
    (@ real $form:ident $name:ident $Rule:ident $reads:ident) => {
        real!($name);
    };
}

/// Functions of floats that only tensors have as methods: by the formulas of their elements.
macro_rules! real {
    ($name:ident) => {
        of_floats_by_rule!(
            functions::$name,
            stringify!($name),
            |_this, x| elementwise::$name::value(x),
            |x, y, ct| elementwise::$name::pull(x, y, ct)
        );
    };
}

/// Functions that only tensors have.
macro_rules! with_companions {
    ({} [$($(#[$doc:meta])* $name:ident $Op:ident ($vjp:ident $jvp:ident) $reads:ident $costs:tt $domain:tt;)*]) => { $(
        of_tensors!(functions::$name, stringify!($name), |_this, x| x.$name(), {
            let (y, pull) = x.$vjp((On,));
            with(y, move |(x,), ct, sums| pull(ct, x, &mut sums.0))
        }, slope!(plain $name));
        real!($name);
    )* };
}

autodiff_vocabulary::functions!(short ruled, { plain float } [numbers shifts]);
autodiff_vocabulary::functions!(short ruled, { turns float } [turns]);
autodiff_vocabulary::functions!(short ruled, { plain real } [activations]);
autodiff_vocabulary::functions!(short with_companions, {} [elements apart flat flat_elements]);
autodiff_vocabulary::functions!(short methods, {} [numbers turns shifts activations elements apart flat flat_elements]);

impl<V> Operation<(V,)> for functions::neg
where
    V: NegRule + core::ops::Neg<Output = V> + Vector,
{
    type Output = V;
    fn name(&self) -> &'static str {
        "-"
    }
    fn value(&self, (x,): &(V,)) -> V {
        -x.clone()
    }
    fn run(
        &self,
        (x,): &(V,),
        _: Active,
    ) -> (V, impl FnOnce(&(V,), Ct<V>, &mut Ct<(V,)>) + use<V>) {
        let pull = |(x,): &(V,), ct: Ct<V>, sums: &mut Ct<(V,)>| {
            V::pull(&Wit(x.proto()), &ct, &mut sums.0);
        };
        (-x.clone(), pull)
    }
    fn again(
        &self,
        _: &Tape,
        args: &(Var<V>,),
        _: &Var<V>,
        ct: Cotangents,
    ) -> Result<Vec<Cotangents>, TapeError> {
        linear::of_one(self, args, ct)
    }
}

impl<V> Push1<V> for functions::neg
where
    V: NegRule + core::ops::Neg<Output = V> + Vector,
{
    fn push(&self, _: &(V,), t: &V) -> V {
        -t.clone()
    }
}
