//! The signatures that emitted code calls: those of a function of a function, a state and some numbers and
//! options, as `ad/callable.rs` has them.
//!
//! A companion is a table: the name of its type over any scalar `S`; the trait of the function's code with those of its
//! pullback and of its forward mode; the arguments by value and by reference behind the state, each with the name of its
//! tangent, its types and its mode; the result; and what runs. `plain` is the function itself. `$Kept::new` gives the
//! value and what the pullback keeps, whose `pull` adds to the cotangents; `$Kept::push` gives value and tangent.

macro_rules! companions {
    ($(
        $name:ident ($Over:ident) of $Code:ident, $Pullback:ident, $Forward:ident;
        $(value $v:ident $t_v:ident: $V:ty, $VM:ident: $VB:ident;)*
        $(lent $l:ident $t_l:ident: $L:ty, $LT:ty, $LA:ty, $LM:ident;)*
        keeps $Kept:ty => $out:ty;
        plain |$f:ident: ($($A:ty),*), $y0:ident| $plain:expr;
        new($($new:expr),*) pull($($pull:expr),*) push($($push:expr),*)
    )*) => { $(
        $crate::ode::over_any_scalar! { $name $Over }

        #[doc(hidden)]
        #[allow(clippy::too_many_arguments, clippy::type_complexity, unused_variables)]
        impl<S: $crate::ad::Scalar> $Over<S> {
            pub fn __over<Y: State<S> + ?Sized>(
                $f: impl Fn($($A),*) -> Y::Owned,
                $y0: &Y,
                $($v: $V,)*
                $($l: $L,)*
            ) -> $out {
                $plain
            }

            pub fn __vjp<MF: Mode, MY: Mode, $($VM: $VB,)* $($LM: Mode,)* Y, E, C, P>(
                _: (MF, MY, $($VM,)* $($LM,)*),
                env: &E,
                code: C,
                y0: &Y,
                $($v: $V,)*
                $($l: $L,)*
            ) -> (
                $out,
                impl FnOnce(
                    Ct<$out>,
                    &E,
                    &Y,
                    $($L,)*
                    &mut Adj<E, MF>,
                    &mut Y::Acc<MY>,
                    $(&mut Adj<$V, $VM>,)*
                    $(&mut $LA,)*
                ) + Clone
                + use<S, MF, MY, $($VM,)* $($LM,)* Y, E, C, P>,
            )
            where
                Y: State<S> + ?Sized,
                E: Differentiable + Clone,
                C: $Code<S, Y, E, P>,
                P: $Pullback<S, Y, E>,
            {
                let (value, kept) = <$Kept>::new::<Y, E, P>(env, code, y0, $($new),*);
                let pullback = move |ct: Ct<$out>,
                                     env: &E,
                                     y0: &Y,
                                     $(_: $L,)*
                                     d_env: &mut Adj<E, MF>,
                                     d_y: &mut Y::Acc<MY>,
                                     $($v: &mut Adj<$V, $VM>,)*
                                     $($l: &mut $LA,)*| {
                    kept.pull::<MF, MY, Y, E, P>(ct, env, y0, d_env, d_y, $($pull),*);
                };
                (value, pullback)
            }

            pub fn __jvp<Y, E, C>(
                env: &E,
                code: C,
                (): (),
                t_env: &E::Tangent,
                y0: &Y,
                t_y0: &Y::Direction,
                $($v: $V, $t_v: <$V as Differentiable>::Tangent,)*
                $($l: $L, $t_l: $LT,)*
            ) -> ($out, <$out as Differentiable>::Tangent)
            where
                Y: State<S> + ?Sized,
                E: Differentiable,
                C: $Forward<S, Y, E>,
            {
                <$Kept>::push::<Y, E>((env, t_env), code, (y0, t_y0), $($push),*)
            }
        }
    )* };
}
pub(crate) use companions;

/// The type of a companion: `$Over<S>` over any scalar, whose function for `f64` it is called by.
macro_rules! over_any_scalar {
    ($name:ident $Over:ident) => {
        #[doc = concat!("Derivatives of the function [`", stringify!($name), "`](fn@", stringify!($name), ").")]
        #[allow(non_camel_case_types)]
        pub type $name = $Over<f64>;

        #[doc = concat!("The same over the scalar `S`.")]
        #[derive(Debug)]
        pub struct $Over<S>(core::marker::PhantomData<S>);

        #[doc(hidden)]
        impl<S> $Over<S> {
            pub const __WEIGHT: usize = 1;
            pub const __OVER: bool = true;
        }
        impl<S, T> $crate::__rt::Over<T> for $Over<S> {
            type Item = $Over<T>;
        }
    };
}
pub(crate) use over_any_scalar;
