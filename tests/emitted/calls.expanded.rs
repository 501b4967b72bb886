::differentiable::__companion! {
    "`square` has no derivative: annotate it with `#[differentiable]`, give it a rule with `#[derivative(of = square)]`, or wrap the call in `no_grad!`"
    __path0 __fallback0 square[A0] [T0] helpers::square
}
::differentiable::__companion! {
    "`scale` has no derivative: annotate it with `#[differentiable]`, give it a rule with `#[derivative(of = scale)]`, or wrap the call in `no_grad!`"
    __path1 __fallback1 scale[A0 A1 A2] [T0 T1 T2] helpers::scale
}
impl calls {
    const __CALLS: usize = 1usize + __callee0::__WEIGHT + __callee1::__WEIGHT
        + __callee1::__WEIGHT;
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = ::differentiable::__rt::weight(Self::__CALLS);
    pub fn __vjp_open<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Inactive,
    >(
        __modes: (__M0, __M1),
        x: f64,
        k: f64,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &mut ::differentiable::__rt::Adj<f64, __M0>,
            &mut dyn ::differentiable::__rt::Unread,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = calls;
        let (m0, m1) = __modes;
        let x: __Checked_calls<_> = x;
        let k: __Checked_calls<_> = k;
        let (y, p_y) = __callee0::__vjp((m0,), x);
        let w_y = y.__wit();
        let mut z1_v0 = ad::no_adj(&k);
        let mut z2_v0 = ad::no_adj(&3);
        let (v0, p_v0) = __callee1::__vjp((ad::On, ad::Off, ad::Off), y, k, 3);
        let w_v0 = v0.__wit();
        let mut z2_v1 = ad::no_adj(&2);
        let (v1, p_v1) = __callee1::__vjp((ad::On, ad::On, ad::Off), y, y, 2);
        let w_v1 = v1.__wit();
        let kept_v2: __Checked_calls<_> = ad::Operands(v0.__v(), v1.__v()).keep_add();
        let v2 = v0 + v1;
        let w_v2 = v2.__wit();
        let __value = v2;
        (
            __value,
            move |__ct, d_x, d_k| {
                let d_x: __Checked_calls<_> = d_x;
                let d_k: __Checked_calls<_> = d_k;
                let __ct: __Checked_calls<_> = __ct;
                let mut d_v2 = ad::first(&w_v2, __ct);
                let mut d_v0 = w_v0.zero();
                let mut d_v1 = w_v1.zero();
                kept_v2.add(&w_v0, &w_v1, d_v2, &mut d_v0, &mut d_v1);
                let mut d_y = w_y.zero();
                let mut t1 = w_y.zero();
                p_v1(d_v1, &mut d_y, &mut t1, &mut z2_v1);
                ad::acc(&w_y, t1, &mut d_y);
                p_v0(d_v0, &mut d_y, &mut z1_v0, &mut z2_v0);
                p_y(d_y, &mut *d_x);
            },
        )
    }
    pub fn __vjp<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Inactive,
    >(
        __modes: (__M0, __M1),
        x: f64,
        k: f64,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &mut ::differentiable::__rt::Adj<f64, __M0>,
            &mut dyn ::differentiable::__rt::Unread,
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp_open(__modes, x, k);
        (
            __value,
            ::differentiable::__rt::Finish::<
                _,
                dyn FnMut(
                    ::differentiable::__rt::Ct<f64>,
                    &mut ::differentiable::__rt::Adj<f64, __M0>,
                    &mut dyn ::differentiable::__rt::Unread,
                ) + 'static,
                _,
            >::finish(
                {
                    use ::differentiable::__rt::MayStay as _;
                    let __cut = ::differentiable::__rt::Cut::<
                        { ::differentiable::__rt::is_cut(Self::__CALLS) },
                    >;
                    let __way = __cut.probe(&__pullback).way();
                    (__cut, __way)
                },
                __pullback,
                |__held| ::differentiable::__rt::Pooled::<
                    dyn FnMut(
                        ::differentiable::__rt::Ct<f64>,
                        &mut ::differentiable::__rt::Adj<f64, __M0>,
                        &mut dyn ::differentiable::__rt::Unread,
                    ) + 'static,
                >::new(
                    __held,
                    |mut __inside| move |
                        __a0: ::differentiable::__rt::Ct<f64>,
                        __a1: &mut ::differentiable::__rt::Adj<f64, __M0>,
                        __a2: &mut dyn ::differentiable::__rt::Unread|
                    __inside.take()(__a0, __a1, __a2),
                    |__call| __call,
                ),
                |__held| move |
                    __a0: ::differentiable::__rt::Ct<f64>,
                    __a1: &mut ::differentiable::__rt::Adj<f64, __M0>,
                    __a2: &mut dyn ::differentiable::__rt::Unread|
                ::differentiable::__rt::Unboxed::unboxed(
                    __held,
                    &mut ::differentiable::__rt::CallRoom::new(),
                )(__a0, __a1, __a2),
            ),
        )
    }
    pub fn __jvp(
        x: f64,
        t_x: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
        k: f64,
        t_k: impl ::core::marker::Sized,
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x: __Checked_calls<_> = x;
        let k: __Checked_calls<_> = k;
        let t_x: __Checked_calls<_> = t_x;
        let t_k: __Checked_calls<_> = t_k;
        let (y, t_y) = __callee0::__jvp(x, t_x);
        let (v0, t_v0) = __callee1::__jvp(
            ::core::clone::Clone::clone(&y),
            ::std::borrow::ToOwned::to_owned(&t_y),
            k,
            ad::zero_tangent(&k),
            3,
            ad::zero_tangent(&3),
        );
        let (v1, t_v1) = __callee1::__jvp(
            ::core::clone::Clone::clone(&y),
            ::std::borrow::ToOwned::to_owned(&t_y),
            ::core::clone::Clone::clone(&y),
            ::std::borrow::ToOwned::to_owned(&t_y),
            2,
            ad::zero_tangent(&2),
        );
        let v2 = ::core::clone::Clone::clone(&v0) + ::core::clone::Clone::clone(&v1);
        let t_v2 = ad::tangent_sum(
            ad::Operands(v0.__v(), v1.__v()).add_push_l(&v2, &t_v0),
            ad::Operands(v0.__v(), v1.__v()).add_push_r(&v2, &t_v1),
        );
        let __tangent = ::std::borrow::ToOwned::to_owned(&t_v2);
        (v2, __tangent)
    }
}
