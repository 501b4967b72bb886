//! The signatures that emitted code calls: those of a function of a function, a state and some numbers and
//! options, as `ad/callable.rs` has them.
//!
//! A companion is a table: the trait of the function's code with those of its pullback and of its forward mode; the
//! arguments by value and by reference behind the state, each with the name of its tangent, its types and its mode;
//! the result; and what runs. `$Kept::new` gives the value and what the pullback keeps, whose `pull` adds to the
//! cotangents; `$Kept::push` gives value and tangent.

macro_rules! companions {
    ($(
        $name:ident of $Code:ident, $Pullback:ident, $Forward:ident;
        $(value $v:ident $t_v:ident: $V:ty, $VM:ident: $VB:ident;)*
        $(lent $l:ident $t_l:ident: $L:ty, $LT:ty, $LA:ty, $LM:ident;)*
        keeps $Kept:ty => $out:ty;
        new($($new:expr),*) pull($($pull:expr),*) push($($push:expr),*)
    )*) => { $(
        #[doc = concat!("Derivatives of the function [`", stringify!($name), "`](fn@", stringify!($name), ").")]
        #[allow(non_camel_case_types)]
        #[derive(Debug)]
        pub enum $name {}

        $crate::ode::first_derivative_only! { $name [Env Code State $($VM)* $($LM)*] [t_env t_code t_state $($t_v)* $($t_l)*] }

        #[doc(hidden)]
        #[allow(clippy::too_many_arguments, clippy::type_complexity, unused_variables)]
        impl $name {
            pub const __WEIGHT: usize = 1;

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
                + use<MF, MY, $($VM,)* $($LM,)* Y, E, C, P>,
            )
            where
                Y: State + ?Sized,
                E: Differentiable + Clone,
                C: $Code<Y, E, P>,
                P: $Pullback<Y, E>,
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
                Y: State + ?Sized,
                E: Differentiable,
                C: $Forward<Y, E>,
            {
                <$Kept>::push::<Y, E>((env, t_env), code, (y0, t_y0), $($push),*)
            }
        }
    )* };
}
pub(crate) use companions;

/// What a companion is over another scalar: a call of it is an error that says what to do, with the arguments and
/// the tangents that are called `$arg` and `$tangent`.
macro_rules! first_derivative_only {
    ($name:ident [$($arg:ident)*] [$($tangent:ident)*]) => {
        const _: () = {
            use $crate::ode::SecondDerivative as HasDerivative;
            #[allow(missing_debug_implementations)]
            pub enum Refused {}
            #[doc(hidden)]
            impl $name {
                pub const __OVER: bool = true;
            }
            impl<S> $crate::__rt::Over<S> for $name {
                type Item = Refused;
            }
            #[allow(non_camel_case_types, clippy::too_many_arguments, clippy::extra_unused_lifetimes)]
            impl Refused {
                $crate::__companion_functions! { Refused [$($arg)*] [$($tangent)*] }
            }
        };
    };
}
pub(crate) use first_derivative_only;

/// A derivative of a solver's derivative. Nothing implements it.
#[diagnostic::on_unimplemented(
    message = "a solver of `ode` or `implicit` has a first derivative only: in a function with `higher_order` write its steps as a loop, or wrap the call in `no_grad!`",
    label = "this has a first derivative only"
)]
#[doc(hidden)]
pub trait SecondDerivative<'z> {}
