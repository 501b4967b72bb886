::differentiable::__companion! {
    "`square` has no derivative: annotate it with `#[differentiable]`, give it a rule with `#[derivative(of = square)]`, or wrap the call in `no_grad!`"
    __path0 __fallback0 square[A0] [T0] square
}
::differentiable::__companion_over! {
    "`square` has a first derivative only: annotate it with `#[differentiable(higher_order)]`, make it generic over `T: ad::Scalar`, or wrap the call in `no_grad!`"
    __path0 __over0 __fallback_over0 square[A0] [T0]
}
impl higher_order {
    const __CALLS: usize = 1usize + __callee0::__WEIGHT;
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = ::differentiable::__rt::weight(Self::__CALLS);
    pub fn __vjp_open<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
    >(
        __modes: (__M0, __M1),
        x: &[f64],
        w: f64,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &[f64],
            &mut [::differentiable::__rt::Adj<f64, __M0>],
            &mut ::differentiable::__rt::Adj<f64, __M1>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = higher_order;
        let (m0, m1) = __modes;
        let x: __Checked_higher_order<_> = x;
        let w: __Checked_higher_order<_> = w;
        let mut tape1 = ad::Tape::new();
        let mut s: __Checked_higher_order<_> = 0.5 * w;
        let __trips = 0..x.len();
        tape1.reserve(ad::trips(&__trips));
        for i in __trips {
            let (v0, p_v0) = __callee0::__vjp((m0,), x[i]);
            let w_v0 = v0.__wit();
            let kept_v1: __Checked_higher_order<_> = ad::Operands(v0.__v(), &w)
                .keep_mul_of_values();
            let v1 = ::core::clone::Clone::clone(&v0) * w;
            let w_v1 = v1.__wit();
            s += v1;
            tape1.push_reserved((v0, p_v0, w_v1, kept_v1));
        }
        let v2 = s / (x.len() as f64);
        let __value = v2;
        (
            __value,
            move |__ct, x, d_x, d_w| {
                let d_x = &mut d_x[..x.len()];
                let x: __Checked_higher_order<_> = x;
                let d_x: __Checked_higher_order<_> = d_x;
                let d_w: __Checked_higher_order<_> = d_w;
                let __ct: __Checked_higher_order<_> = __ct;
                let mut d_s = ad::F64.zero();
                let mut d_v2 = ad::F64.zero();
                ad::acc(&ad::F64, __ct, &mut d_v2);
                ad::div::pull_l(&ad::F64, &(x.len() as f64), &d_v2, &mut d_s);
                {
                    let __trips = 0..x.len();
                    let __end = ad::end_of(__trips.clone());
                    let x = &x[..__end];
                    let d_x = &mut d_x[..__end];
                    for i in __trips.rev() {
                        let (v0, p_v0, w_v1, kept_v1) = tape1.pop();
                        let w_v0 = v0.__wit();
                        let mut d_v1 = w_v1.zero();
                        ad::add::pull_r(&ad::F64, &w_v1, &d_s, &mut d_v1);
                        let mut d_v0 = w_v0.zero();
                        kept_v1
                            .mul_of_values(
                                &w_v0,
                                v0.__v(),
                                &ad::F64,
                                &w,
                                d_v1,
                                &mut d_v0,
                                &mut *d_w,
                            );
                        p_v0(d_v0, &mut d_x[i]);
                    }
                }
                ad::mul::pull_r(&0.5, &ad::F64, &d_s, &mut *d_w);
            },
        )
    }
    pub fn __vjp<__M0: ::differentiable::__rt::Mode, __M1: ::differentiable::__rt::Mode>(
        __modes: (__M0, __M1),
        x: &[f64],
        w: f64,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &[f64],
            &mut [::differentiable::__rt::Adj<f64, __M0>],
            &mut ::differentiable::__rt::Adj<f64, __M1>,
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp_open(__modes, x, w);
        (
            __value,
            ::differentiable::__rt::Finish::<
                _,
                dyn FnMut(
                    ::differentiable::__rt::Ct<f64>,
                    &[f64],
                    &mut [::differentiable::__rt::Adj<f64, __M0>],
                    &mut ::differentiable::__rt::Adj<f64, __M1>,
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
                        &[f64],
                        &mut [::differentiable::__rt::Adj<f64, __M0>],
                        &mut ::differentiable::__rt::Adj<f64, __M1>,
                    ) + 'static,
                >::new(
                    __held,
                    |mut __inside| move |
                        __a0: ::differentiable::__rt::Ct<f64>,
                        __a1: &[f64],
                        __a2: &mut [::differentiable::__rt::Adj<f64, __M0>],
                        __a3: &mut ::differentiable::__rt::Adj<f64, __M1>|
                    __inside.take()(__a0, __a1, __a2, __a3),
                    |__call| __call,
                ),
                |__held| move |
                    __a0: ::differentiable::__rt::Ct<f64>,
                    __a1: &[f64],
                    __a2: &mut [::differentiable::__rt::Adj<f64, __M0>],
                    __a3: &mut ::differentiable::__rt::Adj<f64, __M1>|
                ::differentiable::__rt::Unboxed::unboxed(
                    __held,
                    &mut ::differentiable::__rt::CallRoom::new(),
                )(__a0, __a1, __a2, __a3),
            ),
        )
    }
    pub fn __jvp(
        x: &[f64],
        t_x: &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
        w: f64,
        t_w: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x: __Checked_higher_order<_> = x;
        let w: __Checked_higher_order<_> = w;
        let t_x: __Checked_higher_order<_> = t_x;
        let t_w: __Checked_higher_order<_> = t_w;
        let mut s: __Checked_higher_order<_> = 0.5 * w;
        let mut t_s = ad::mul::push_r(&0.5, &w, &s, &t_w);
        for i in 0..x.len() {
            let (v0, t_v0) = __callee0::__jvp(x[i], t_x[i]);
            let v1 = ::core::clone::Clone::clone(&v0) * w;
            let t_v1 = ad::tangent_sum(
                ad::Operands(v0.__v(), &w).mul_push_l(&v1, &t_v0),
                ad::Operands(v0.__v(), &w).mul_push_r(&v1, &t_w),
            );
            let __tangent = ad::add::push_r(&s, v1.__v(), &s, &t_v1);
            ad::tangent_add(&mut t_s, __tangent);
            s += ::core::clone::Clone::clone(&v1);
        }
        let v2 = s / (x.len() as f64);
        let t_v2 = ad::div::push_l(&s, &(x.len() as f64), &v2, &t_s);
        let __tangent = t_v2;
        (v2, __tangent)
    }
    pub fn __code(
        _: &(),
        (__a0, __a1): (&[f64], &f64),
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &(),
            (&[f64], &f64),
            &mut ::differentiable::__rt::Ct<()>,
            (
                &mut [::differentiable::__rt::Ct<f64>],
                &mut ::differentiable::__rt::Ct<f64>,
            ),
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp(
            (::differentiable::__rt::On, ::differentiable::__rt::On),
            __a0,
            ::core::clone::Clone::clone(__a1),
        );
        (
            __value,
            move |
                __ct,
                _: &(),
                (__a0, __a1): (&[f64], &f64),
                _: &mut ::differentiable::__rt::Ct<()>,
                (
                    __d0,
                    __d1,
                ): (
                    &mut [::differentiable::__rt::Ct<f64>],
                    &mut ::differentiable::__rt::Ct<f64>,
                )|
            { __pullback(__ct, __a0, __d0, __d1) },
        )
    }
    pub fn __forward_code(
        _: &(),
        _: &(),
        (__a0, __a1): (&[f64], &f64),
        (
            __t0,
            __t1,
        ): (
            &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
            &<f64 as ::differentiable::__rt::Differentiable>::Tangent,
        ),
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        Self::__jvp(
            __a0,
            __t0,
            ::core::clone::Clone::clone(__a1),
            ::core::clone::Clone::clone(__t1),
        )
    }
}
impl<AnyScalar: ::differentiable::__rt::Number> __Over<AnyScalar>
where
    for<'__r> &'__r AnyScalar: ::differentiable::__rt::NumberRef<AnyScalar>,
{
    pub fn __vjp_open<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
    >(
        __modes: (__M0, __M1),
        x: &[AnyScalar],
        w: AnyScalar,
    ) -> (
        AnyScalar,
        impl FnOnce(
            ::differentiable::__rt::Ct<AnyScalar>,
            &[AnyScalar],
            &mut [::differentiable::__rt::Adj<AnyScalar, __M0>],
            &mut ::differentiable::__rt::Adj<AnyScalar, __M1>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = higher_order;
        let (m0, m1) = __modes;
        let x: __Checked_higher_order<_> = x;
        let w: __Checked_higher_order<_> = w;
        let mut tape1 = ad::Tape::new();
        let mut s: __Checked_higher_order<_> = <AnyScalar as ::differentiable::__rt::Scalar>::lit(
            0.5,
        ) * w;
        let __trips = 0..x.len();
        tape1.reserve(ad::trips(&__trips));
        for i in __trips {
            let (v0, p_v0) = __over0::<AnyScalar>::__vjp((m0,), x[i]);
            let w_v0 = v0.__wit();
            let kept_v1: __Checked_higher_order<_> = ad::Operands(v0.__v(), &w)
                .keep_mul_of_values();
            let v1 = ::core::clone::Clone::clone(&v0) * w;
            let w_v1 = v1.__wit();
            s += v1;
            tape1.push_reserved((v0, p_v0, w_v1, kept_v1));
        }
        let v2 = s / (::differentiable::__rt::float::<AnyScalar, _>(x.len()));
        let __value = v2;
        (
            __value,
            move |__ct, x, d_x, d_w| {
                let d_x = &mut d_x[..x.len()];
                let x: __Checked_higher_order<_> = x;
                let d_x: __Checked_higher_order<_> = d_x;
                let d_w: __Checked_higher_order<_> = d_w;
                let __ct: __Checked_higher_order<_> = __ct;
                let mut d_s = ad::witness_of::<AnyScalar>().zero();
                let mut d_v2 = ad::witness_of::<AnyScalar>().zero();
                ad::acc(&ad::witness_of::<AnyScalar>(), __ct, &mut d_v2);
                ad::div::pull_l(
                    &ad::witness_of::<AnyScalar>(),
                    &(::differentiable::__rt::float::<AnyScalar, _>(x.len())),
                    &d_v2,
                    &mut d_s,
                );
                {
                    let __trips = 0..x.len();
                    let __end = ad::end_of(__trips.clone());
                    let x = &x[..__end];
                    let d_x = &mut d_x[..__end];
                    for i in __trips.rev() {
                        let (v0, p_v0, w_v1, kept_v1) = tape1.pop();
                        let w_v0 = v0.__wit();
                        let mut d_v1 = w_v1.zero();
                        ad::add::pull_r(
                            &ad::witness_of::<AnyScalar>(),
                            &w_v1,
                            &d_s,
                            &mut d_v1,
                        );
                        let mut d_v0 = w_v0.zero();
                        kept_v1
                            .mul_of_values(
                                &w_v0,
                                v0.__v(),
                                &ad::witness_of::<AnyScalar>(),
                                &w,
                                d_v1,
                                &mut d_v0,
                                &mut *d_w,
                            );
                        p_v0(d_v0, &mut d_x[i]);
                    }
                }
                ad::mul::pull_r(
                    &<AnyScalar as ::differentiable::__rt::Scalar>::lit(0.5),
                    &ad::witness_of::<AnyScalar>(),
                    &d_s,
                    &mut *d_w,
                );
            },
        )
    }
    pub fn __vjp<__M0: ::differentiable::__rt::Mode, __M1: ::differentiable::__rt::Mode>(
        __modes: (__M0, __M1),
        x: &[AnyScalar],
        w: AnyScalar,
    ) -> (
        AnyScalar,
        impl FnOnce(
            ::differentiable::__rt::Ct<AnyScalar>,
            &[AnyScalar],
            &mut [::differentiable::__rt::Adj<AnyScalar, __M0>],
            &mut ::differentiable::__rt::Adj<AnyScalar, __M1>,
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp_open(__modes, x, w);
        (
            __value,
            ::differentiable::__rt::Finish::<
                _,
                dyn FnMut(
                    ::differentiable::__rt::Ct<AnyScalar>,
                    &[AnyScalar],
                    &mut [::differentiable::__rt::Adj<AnyScalar, __M0>],
                    &mut ::differentiable::__rt::Adj<AnyScalar, __M1>,
                ) + 'static,
                _,
            >::finish(
                {
                    use ::differentiable::__rt::MayStay as _;
                    let __cut = ::differentiable::__rt::Cut::<
                        { ::differentiable::__rt::is_cut(higher_order::__CALLS) },
                    >;
                    let __way = __cut.probe(&__pullback).way();
                    (__cut, __way)
                },
                __pullback,
                |__held| ::differentiable::__rt::Pooled::<
                    dyn FnMut(
                        ::differentiable::__rt::Ct<AnyScalar>,
                        &[AnyScalar],
                        &mut [::differentiable::__rt::Adj<AnyScalar, __M0>],
                        &mut ::differentiable::__rt::Adj<AnyScalar, __M1>,
                    ) + 'static,
                >::new(
                    __held,
                    |mut __inside| move |
                        __a0: ::differentiable::__rt::Ct<AnyScalar>,
                        __a1: &[AnyScalar],
                        __a2: &mut [::differentiable::__rt::Adj<AnyScalar, __M0>],
                        __a3: &mut ::differentiable::__rt::Adj<AnyScalar, __M1>|
                    __inside.take()(__a0, __a1, __a2, __a3),
                    |__call| __call,
                ),
                |__held| move |
                    __a0: ::differentiable::__rt::Ct<AnyScalar>,
                    __a1: &[AnyScalar],
                    __a2: &mut [::differentiable::__rt::Adj<AnyScalar, __M0>],
                    __a3: &mut ::differentiable::__rt::Adj<AnyScalar, __M1>|
                ::differentiable::__rt::Unboxed::unboxed(
                    __held,
                    &mut ::differentiable::__rt::CallRoom::new(),
                )(__a0, __a1, __a2, __a3),
            ),
        )
    }
    pub fn __jvp(
        x: &[AnyScalar],
        t_x: &[<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent],
        w: AnyScalar,
        t_w: <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (AnyScalar, <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x: __Checked_higher_order<_> = x;
        let w: __Checked_higher_order<_> = w;
        let t_x: __Checked_higher_order<_> = t_x;
        let t_w: __Checked_higher_order<_> = t_w;
        let mut s: __Checked_higher_order<_> = <AnyScalar as ::differentiable::__rt::Scalar>::lit(
            0.5,
        ) * w;
        let mut t_s = ad::mul::push_r(
            &<AnyScalar as ::differentiable::__rt::Scalar>::lit(0.5),
            &w,
            &s,
            &t_w,
        );
        for i in 0..x.len() {
            let (v0, t_v0) = __over0::<AnyScalar>::__jvp(x[i], t_x[i]);
            let v1 = ::core::clone::Clone::clone(&v0) * w;
            let t_v1 = ad::tangent_sum(
                ad::Operands(v0.__v(), &w).mul_push_l(&v1, &t_v0),
                ad::Operands(v0.__v(), &w).mul_push_r(&v1, &t_w),
            );
            let __tangent = ad::add::push_r(&s, v1.__v(), &s, &t_v1);
            ad::tangent_add(&mut t_s, __tangent);
            s += ::core::clone::Clone::clone(&v1);
        }
        let v2 = s / (::differentiable::__rt::float::<AnyScalar, _>(x.len()));
        let t_v2 = ad::div::push_l(
            &s,
            &(::differentiable::__rt::float::<AnyScalar, _>(x.len())),
            &v2,
            &t_s,
        );
        let __tangent = t_v2;
        (v2, __tangent)
    }
    pub fn __code(
        _: &(),
        (__a0, __a1): (&[AnyScalar], &AnyScalar),
    ) -> (
        AnyScalar,
        impl FnOnce(
            ::differentiable::__rt::Ct<AnyScalar>,
            &(),
            (&[AnyScalar], &AnyScalar),
            &mut ::differentiable::__rt::Ct<()>,
            (
                &mut [::differentiable::__rt::Ct<AnyScalar>],
                &mut ::differentiable::__rt::Ct<AnyScalar>,
            ),
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp(
            (::differentiable::__rt::On, ::differentiable::__rt::On),
            __a0,
            ::core::clone::Clone::clone(__a1),
        );
        (
            __value,
            move |
                __ct,
                _: &(),
                (__a0, __a1): (&[AnyScalar], &AnyScalar),
                _: &mut ::differentiable::__rt::Ct<()>,
                (
                    __d0,
                    __d1,
                ): (
                    &mut [::differentiable::__rt::Ct<AnyScalar>],
                    &mut ::differentiable::__rt::Ct<AnyScalar>,
                )|
            { __pullback(__ct, __a0, __d0, __d1) },
        )
    }
    pub fn __forward_code(
        _: &(),
        _: &(),
        (__a0, __a1): (&[AnyScalar], &AnyScalar),
        (
            __t0,
            __t1,
        ): (
            &[<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent],
            &<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
        ),
    ) -> (AnyScalar, <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent) {
        Self::__jvp(
            __a0,
            __t0,
            ::core::clone::Clone::clone(__a1),
            ::core::clone::Clone::clone(__t1),
        )
    }
    pub fn __over(x: &[AnyScalar], w: AnyScalar) -> AnyScalar {
        use ::differentiable::__rt::{self as ad, methods::*};
        let mut s = <AnyScalar as ::differentiable::__rt::Scalar>::lit(0.5) * w;
        for i in 0..x.len() {
            let v0 = __over0::<AnyScalar>::__over(x[i]);
            let v1 = ::core::clone::Clone::clone(&v0) * w;
            s += ::core::clone::Clone::clone(&v1);
        }
        let v2 = s / (::differentiable::__rt::float::<AnyScalar, _>(x.len()));
        v2
    }
    pub fn __value_and_grad(
        x: &[AnyScalar],
        w: AnyScalar,
    ) -> (
        AnyScalar,
        (
            <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
            <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
        ),
    ) {
        let mut d_x = <[AnyScalar] as ::differentiable::__rt::Differentiable>::zero_adj(
            x,
            ::differentiable::__rt::On,
        );
        let mut d_w = <AnyScalar as ::differentiable::__rt::Differentiable>::zero_adj(
            &w,
            ::differentiable::__rt::On,
        );
        let q_x = <[AnyScalar] as ::differentiable::__rt::Differentiable>::proto(x);
        let q_w = <AnyScalar as ::differentiable::__rt::Differentiable>::proto(&w);
        let (__value, __pullback) = Self::__vjp(
            (::differentiable::__rt::On, ::differentiable::__rt::On),
            x,
            w,
        );
        __pullback(
            ::differentiable::__rt::unit::<AnyScalar, AnyScalar>(),
            x,
            &mut d_x,
            &mut d_w,
        );
        (
            __value,
            (
                <[AnyScalar] as ::differentiable::__rt::Differentiable>::finish(
                    &q_x,
                    d_x,
                ),
                <AnyScalar as ::differentiable::__rt::Differentiable>::finish(&q_w, d_w),
            ),
        )
    }
    pub fn __grad(
        x: &[AnyScalar],
        w: AnyScalar,
    ) -> (
        <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
        <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
    ) {
        Self::__value_and_grad(x, w).1
    }
    pub fn __value_and_grad_vjp<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
    >(
        __modes: (__M0, __M1),
        x: &[AnyScalar],
        w: AnyScalar,
    ) -> (
        (
            AnyScalar,
            (
                <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
            ),
        ),
        impl FnOnce(
            ::differentiable::__rt::Ct<
                (
                    AnyScalar,
                    (
                        <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                        <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                    ),
                ),
            >,
            &[AnyScalar],
            &mut [::differentiable::__rt::Adj<AnyScalar, __M0>],
            &mut ::differentiable::__rt::Adj<AnyScalar, __M1>,
        ) + ::core::clone::Clone,
    ) {
        let (m0, m1) = __modes;
        let __kept = {
            let w = ::core::clone::Clone::clone(&w);
            (x, w)
        };
        let __value = Self::__value_and_grad(x, w);
        let __proto = ::differentiable::__rt::Differentiable::proto(&__value);
        let (x, w) = __kept;
        (
            __value,
            move |__ct, x, d_x, d_w| {
                let (__t, __u) = <(
                    AnyScalar,
                    (
                        <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                        <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                    ),
                ) as ::differentiable::__rt::Differentiable>::finish(&__proto, __ct);
                let __args = (
                    ::differentiable::__rt::lift_entries::<
                        AnyScalar,
                        ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                        AnyScalar,
                    >(
                        x,
                        &__u.0,
                        &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
                    ),
                    <AnyScalar as ::differentiable::__rt::Lift<
                        AnyScalar,
                        ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                    >>::lift_along(
                        &w,
                        &__u.1,
                        &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
                    ),
                );
                let __gradient = ::differentiable::__rt::product_within::<
                    <higher_order as ::differentiable::__rt::Over<
                        ::differentiable::__rt::Dual<AnyScalar>,
                    >>::Item,
                    _,
                    AnyScalar,
                    1,
                >(
                    &__args,
                    ::differentiable::__rt::Dual::new(
                        <AnyScalar as ::differentiable::__rt::Scalar>::ONE,
                        [::differentiable::__rt::ScalarValue::<AnyScalar>::scalar(&__t)],
                    ),
                );
                ::differentiable::__rt::acc_slice(
                    &::differentiable::__rt::wit(x),
                    <[AnyScalar] as ::differentiable::__rt::Differentiable>::start(
                        ::differentiable::__rt::part::<
                            AnyScalar,
                            1,
                            [AnyScalar],
                        >(&__gradient.0, 0),
                    ),
                    d_x,
                );
                ::differentiable::__rt::acc(
                    &::differentiable::__rt::wit(&w),
                    <AnyScalar as ::differentiable::__rt::Differentiable>::start(
                        ::differentiable::__rt::part::<
                            AnyScalar,
                            1,
                            AnyScalar,
                        >(&__gradient.1, 0),
                    ),
                    d_w,
                );
            },
        )
    }
    pub fn __grad_vjp<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
    >(
        __modes: (__M0, __M1),
        x: &[AnyScalar],
        w: AnyScalar,
    ) -> (
        (
            <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
            <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
        ),
        impl FnOnce(
            ::differentiable::__rt::Ct<
                (
                    <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                    <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                ),
            >,
            &[AnyScalar],
            &mut [::differentiable::__rt::Adj<AnyScalar, __M0>],
            &mut ::differentiable::__rt::Adj<AnyScalar, __M1>,
        ) + ::core::clone::Clone,
    ) {
        let ((__value, __gradient), __pullback) = Self::__value_and_grad_vjp(
            __modes,
            x,
            w,
        );
        let __proto = ::differentiable::__rt::Differentiable::proto(&__value);
        (
            __gradient,
            move |__ct, x, d_x, d_w| {
                __pullback(
                    (
                        <AnyScalar as ::differentiable::__rt::Differentiable>::zero_ct(
                            &__proto,
                        ),
                        __ct,
                    ),
                    x,
                    d_x,
                    d_w,
                )
            },
        )
    }
    pub fn __value_and_grad_jvp(
        x: &[AnyScalar],
        t_x: &[<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent],
        w: AnyScalar,
        t_w: <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (
        (
            AnyScalar,
            (
                <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
            ),
        ),
        <(
            AnyScalar,
            (
                <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
            ),
        ) as ::differentiable::__rt::Differentiable>::Tangent,
    ) {
        let __args = (
            ::differentiable::__rt::lift_entries::<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                AnyScalar,
            >(x, t_x, &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t])),
            <AnyScalar as ::differentiable::__rt::Lift<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
            >>::lift_along(
                &w,
                &t_w,
                &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
            ),
        );
        let (__value, __gradient) = <<higher_order as ::differentiable::__rt::Over<
            ::differentiable::__rt::Dual<AnyScalar>,
        >>::Item>::__value_and_grad(&__args.0, ::core::clone::Clone::clone(&__args.1));
        let __value = ::differentiable::__rt::ScalarValue::<
            ::differentiable::__rt::Dual<AnyScalar>,
        >::scalar(&__value);
        let __scalar = <AnyScalar as ::differentiable::__rt::ScalarValue<
            AnyScalar,
        >>::from_scalar;
        (
            (
                __scalar(__value.value),
                (
                    <[AnyScalar] as ::differentiable::__rt::Lift<
                        AnyScalar,
                        ::differentiable::__rt::Dual<AnyScalar>,
                    >>::part(
                        &__gradient.0,
                        &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.value,
                    ),
                    <AnyScalar as ::differentiable::__rt::Lift<
                        AnyScalar,
                        ::differentiable::__rt::Dual<AnyScalar>,
                    >>::part(
                        &__gradient.1,
                        &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.value,
                    ),
                ),
            ),
            (
                __scalar(__value.tangents[0]),
                (
                    <[AnyScalar] as ::differentiable::__rt::Lift<
                        AnyScalar,
                        ::differentiable::__rt::Dual<AnyScalar>,
                    >>::part(
                        &__gradient.0,
                        &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.tangents[0],
                    ),
                    <AnyScalar as ::differentiable::__rt::Lift<
                        AnyScalar,
                        ::differentiable::__rt::Dual<AnyScalar>,
                    >>::part(
                        &__gradient.1,
                        &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.tangents[0],
                    ),
                ),
            ),
        )
    }
    pub fn __grad_jvp(
        x: &[AnyScalar],
        t_x: &[<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent],
        w: AnyScalar,
        t_w: <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (
        (
            <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
            <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
        ),
        <(
            <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
            <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
        ) as ::differentiable::__rt::Differentiable>::Tangent,
    ) {
        let ((_, __gradient), (_, __tangent)) = Self::__value_and_grad_jvp(
            x,
            t_x,
            w,
            t_w,
        );
        (__gradient, __tangent)
    }
    pub fn __hvp(
        x: &[AnyScalar],
        w: AnyScalar,
        along_x: &[<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent],
        along_w: <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (
        <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
        <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
    ) {
        let __args = (
            ::differentiable::__rt::lift_entries::<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                AnyScalar,
            >(x, along_x, &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t])),
            <AnyScalar as ::differentiable::__rt::Lift<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
            >>::lift_along(
                &w,
                &along_w,
                &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
            ),
        );
        let __gradient = ::differentiable::__rt::product_within::<
            <higher_order as ::differentiable::__rt::Over<
                ::differentiable::__rt::Dual<AnyScalar>,
            >>::Item,
            _,
            AnyScalar,
            1,
        >(
            &__args,
            ::differentiable::__rt::Dual::constant(
                <AnyScalar as ::differentiable::__rt::Scalar>::ONE,
            ),
        );
        (
            ::differentiable::__rt::part::<AnyScalar, 1, [AnyScalar]>(&__gradient.0, 0),
            ::differentiable::__rt::part::<AnyScalar, 1, AnyScalar>(&__gradient.1, 0),
        )
    }
    pub fn __hvp_vjp<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
        __M2: ::differentiable::__rt::Mode,
        __M3: ::differentiable::__rt::Mode,
    >(
        __modes: (__M0, __M1, __M2, __M3),
        x: &[AnyScalar],
        w: AnyScalar,
        along_x: &[<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent],
        along_w: <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (
        (
            <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
            <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
        ),
        impl FnOnce(
            ::differentiable::__rt::Ct<
                (
                    <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                    <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                ),
            >,
            &[AnyScalar],
            &[<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent],
            &mut [::differentiable::__rt::Adj<AnyScalar, __M0>],
            &mut ::differentiable::__rt::Adj<AnyScalar, __M1>,
            &mut [::differentiable::__rt::Adj<
                <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                __M2,
            >],
            &mut ::differentiable::__rt::Adj<
                <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                __M3,
            >,
        ) + ::core::clone::Clone,
    ) {
        let (m0, m1, m2, m3) = __modes;
        let __kept = {
            let w = ::core::clone::Clone::clone(&w);
            let along_w = ::core::clone::Clone::clone(&along_w);
            (x, w, along_x, along_w)
        };
        let __value = Self::__hvp(x, w, along_x, along_w);
        let __proto = ::differentiable::__rt::Differentiable::proto(&__value);
        let (x, w, along_x, along_w) = __kept;
        (
            __value,
            move |__ct, x, along_x, d_x, d_w, d_along_x, d_along_w| {
                let __u = <(
                    <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                    <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                ) as ::differentiable::__rt::Differentiable>::finish(&__proto, __ct);
                let __args = (
                    ::differentiable::__rt::lift_entries::<
                        AnyScalar,
                        ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                        AnyScalar,
                    >(
                        x,
                        along_x,
                        &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
                    ),
                    <AnyScalar as ::differentiable::__rt::Lift<
                        AnyScalar,
                        ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                    >>::lift_along(
                        &w,
                        &along_w,
                        &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
                    ),
                );
                let __directions = (
                    <<[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent as ::differentiable::__rt::Lift<
                        AnyScalar,
                        ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                    >>::lift(
                        &__u.0,
                        &mut <::differentiable::__rt::Dual<
                            AnyScalar,
                            1usize,
                        > as ::differentiable::__rt::Extends<AnyScalar>>::constant,
                    ),
                    <<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent as ::differentiable::__rt::Lift<
                        AnyScalar,
                        ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                    >>::lift(
                        &__u.1,
                        &mut <::differentiable::__rt::Dual<
                            AnyScalar,
                            1usize,
                        > as ::differentiable::__rt::Extends<AnyScalar>>::constant,
                    ),
                );
                let __products = <<higher_order as ::differentiable::__rt::Over<
                    ::differentiable::__rt::Dual<AnyScalar>,
                >>::Item>::__hvp(
                    &__args.0,
                    ::core::clone::Clone::clone(&__args.1),
                    &__directions.0,
                    ::core::clone::Clone::clone(&__directions.1),
                );
                ::differentiable::__rt::acc_slice(
                    &::differentiable::__rt::wit(x),
                    <[AnyScalar] as ::differentiable::__rt::Differentiable>::start(
                        ::differentiable::__rt::part::<
                            AnyScalar,
                            1,
                            [AnyScalar],
                        >(&__products.0, 0),
                    ),
                    d_x,
                );
                ::differentiable::__rt::acc_slice(
                    &::differentiable::__rt::wit(along_x),
                    <<[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent as ::differentiable::__rt::Differentiable>::start(
                        ::differentiable::__rt::value_part::<
                            AnyScalar,
                            [AnyScalar],
                        >(&__products.0),
                    ),
                    d_along_x,
                );
                ::differentiable::__rt::acc(
                    &::differentiable::__rt::wit(&w),
                    <AnyScalar as ::differentiable::__rt::Differentiable>::start(
                        ::differentiable::__rt::part::<
                            AnyScalar,
                            1,
                            AnyScalar,
                        >(&__products.1, 0),
                    ),
                    d_w,
                );
                ::differentiable::__rt::acc(
                    &::differentiable::__rt::wit(&along_w),
                    <<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent as ::differentiable::__rt::Differentiable>::start(
                        ::differentiable::__rt::value_part::<
                            AnyScalar,
                            AnyScalar,
                        >(&__products.1),
                    ),
                    d_along_w,
                );
            },
        )
    }
    pub fn __hvp_jvp(
        x: &[AnyScalar],
        t_x: &[<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent],
        w: AnyScalar,
        t_w: <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
        along_x: &[<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent],
        t_along_x: &[<<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent as ::differentiable::__rt::Differentiable>::Tangent],
        along_w: <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
        t_along_w: <<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (
        (
            <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
            <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
        ),
        <(
            <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
            <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
        ) as ::differentiable::__rt::Differentiable>::Tangent,
    ) {
        let __args = (
            ::differentiable::__rt::lift_entries::<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                AnyScalar,
            >(x, t_x, &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t])),
            <AnyScalar as ::differentiable::__rt::Lift<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
            >>::lift_along(
                &w,
                &t_w,
                &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
            ),
            ::differentiable::__rt::lift_entries::<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
            >(
                along_x,
                t_along_x,
                &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
            ),
            <<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent as ::differentiable::__rt::Lift<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
            >>::lift_along(
                &along_w,
                &t_along_w,
                &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
            ),
        );
        let __result = <<higher_order as ::differentiable::__rt::Over<
            ::differentiable::__rt::Dual<AnyScalar>,
        >>::Item>::__hvp(
            &__args.0,
            ::core::clone::Clone::clone(&__args.1),
            &__args.2,
            ::core::clone::Clone::clone(&__args.3),
        );
        (
            (
                <[AnyScalar] as ::differentiable::__rt::Lift<
                    AnyScalar,
                    ::differentiable::__rt::Dual<AnyScalar>,
                >>::part(
                    &__result.0,
                    &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.value,
                ),
                <AnyScalar as ::differentiable::__rt::Lift<
                    AnyScalar,
                    ::differentiable::__rt::Dual<AnyScalar>,
                >>::part(
                    &__result.1,
                    &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.value,
                ),
            ),
            (
                <[AnyScalar] as ::differentiable::__rt::Lift<
                    AnyScalar,
                    ::differentiable::__rt::Dual<AnyScalar>,
                >>::part(
                    &__result.0,
                    &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.tangents[0],
                ),
                <AnyScalar as ::differentiable::__rt::Lift<
                    AnyScalar,
                    ::differentiable::__rt::Dual<AnyScalar>,
                >>::part(
                    &__result.1,
                    &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.tangents[0],
                ),
            ),
        )
    }
    pub fn __along(
        x: &[AnyScalar],
        w: AnyScalar,
        along_x: &[<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent],
        along_w: <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (AnyScalar, AnyScalar) {
        Self::__jvp(x, along_x, w, along_w)
    }
    pub fn __along_vjp<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
        __M2: ::differentiable::__rt::Mode,
        __M3: ::differentiable::__rt::Mode,
    >(
        __modes: (__M0, __M1, __M2, __M3),
        x: &[AnyScalar],
        w: AnyScalar,
        along_x: &[<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent],
        along_w: <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (
        (AnyScalar, AnyScalar),
        impl FnOnce(
            ::differentiable::__rt::Ct<(AnyScalar, AnyScalar)>,
            &[AnyScalar],
            &[<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent],
            &mut [::differentiable::__rt::Adj<AnyScalar, __M0>],
            &mut ::differentiable::__rt::Adj<AnyScalar, __M1>,
            &mut [::differentiable::__rt::Adj<
                <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                __M2,
            >],
            &mut ::differentiable::__rt::Adj<
                <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                __M3,
            >,
        ) + ::core::clone::Clone,
    ) {
        let (m0, m1, m2, m3) = __modes;
        let __kept = {
            let w = ::core::clone::Clone::clone(&w);
            let along_w = ::core::clone::Clone::clone(&along_w);
            (x, w, along_x, along_w)
        };
        let __value = Self::__along(x, w, along_x, along_w);
        let __proto = ::differentiable::__rt::Differentiable::proto(&__value);
        let (x, w, along_x, along_w) = __kept;
        (
            __value,
            move |__ct, x, along_x, d_x, d_w, d_along_x, d_along_w| {
                let (__of_value, __of_tangent) = <(
                    AnyScalar,
                    AnyScalar,
                ) as ::differentiable::__rt::Differentiable>::finish(&__proto, __ct);
                let __args = (
                    ::differentiable::__rt::lift_entries::<
                        AnyScalar,
                        ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                        AnyScalar,
                    >(
                        x,
                        along_x,
                        &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
                    ),
                    <AnyScalar as ::differentiable::__rt::Lift<
                        AnyScalar,
                        ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                    >>::lift_along(
                        &w,
                        &along_w,
                        &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
                    ),
                );
                let __ct = <AnyScalar as ::differentiable::__rt::Lift<
                    AnyScalar,
                    ::differentiable::__rt::Dual<AnyScalar>,
                >>::lift_along(
                    &__of_tangent,
                    &__of_value,
                    &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
                );
                let __gradient = <<higher_order as ::differentiable::__rt::Over<
                    ::differentiable::__rt::Dual<AnyScalar>,
                >>::Item as ::differentiable::__rt::DifferentiableFn<
                    _,
                >>::vjp_inlined(&__args, __ct);
                ::differentiable::__rt::acc_slice(
                    &::differentiable::__rt::wit(x),
                    <[AnyScalar] as ::differentiable::__rt::Differentiable>::start(
                        ::differentiable::__rt::part::<
                            AnyScalar,
                            1,
                            [AnyScalar],
                        >(&__gradient.0, 0),
                    ),
                    d_x,
                );
                ::differentiable::__rt::acc_slice(
                    &::differentiable::__rt::wit(along_x),
                    <<[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent as ::differentiable::__rt::Differentiable>::start(
                        ::differentiable::__rt::value_part::<
                            AnyScalar,
                            [AnyScalar],
                        >(&__gradient.0),
                    ),
                    d_along_x,
                );
                ::differentiable::__rt::acc(
                    &::differentiable::__rt::wit(&w),
                    <AnyScalar as ::differentiable::__rt::Differentiable>::start(
                        ::differentiable::__rt::part::<
                            AnyScalar,
                            1,
                            AnyScalar,
                        >(&__gradient.1, 0),
                    ),
                    d_w,
                );
                ::differentiable::__rt::acc(
                    &::differentiable::__rt::wit(&along_w),
                    <<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent as ::differentiable::__rt::Differentiable>::start(
                        ::differentiable::__rt::value_part::<
                            AnyScalar,
                            AnyScalar,
                        >(&__gradient.1),
                    ),
                    d_along_w,
                );
            },
        )
    }
    pub fn __along_jvp(
        x: &[AnyScalar],
        t_x: &[<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent],
        w: AnyScalar,
        t_w: <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
        along_x: &[<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent],
        t_along_x: &[<<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent as ::differentiable::__rt::Differentiable>::Tangent],
        along_w: <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
        t_along_w: <<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> ((AnyScalar, AnyScalar), (AnyScalar, AnyScalar)) {
        let __args = (
            ::differentiable::__rt::lift_entries::<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                AnyScalar,
            >(x, t_x, &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t])),
            <AnyScalar as ::differentiable::__rt::Lift<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
            >>::lift_along(
                &w,
                &t_w,
                &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
            ),
            ::differentiable::__rt::lift_entries::<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
            >(
                along_x,
                t_along_x,
                &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
            ),
            <<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent as ::differentiable::__rt::Lift<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
            >>::lift_along(
                &along_w,
                &t_along_w,
                &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
            ),
        );
        let (__value, __along) = <<higher_order as ::differentiable::__rt::Over<
            ::differentiable::__rt::Dual<AnyScalar>,
        >>::Item>::__along(
            &__args.0,
            ::core::clone::Clone::clone(&__args.1),
            &__args.2,
            ::core::clone::Clone::clone(&__args.3),
        );
        (
            (
                <AnyScalar as ::differentiable::__rt::Lift<
                    AnyScalar,
                    ::differentiable::__rt::Dual<AnyScalar>,
                >>::part(
                    &__value,
                    &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.value,
                ),
                <AnyScalar as ::differentiable::__rt::Lift<
                    AnyScalar,
                    ::differentiable::__rt::Dual<AnyScalar>,
                >>::part(
                    &__along,
                    &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.value,
                ),
            ),
            (
                <AnyScalar as ::differentiable::__rt::Lift<
                    AnyScalar,
                    ::differentiable::__rt::Dual<AnyScalar>,
                >>::part(
                    &__value,
                    &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.tangents[0],
                ),
                <AnyScalar as ::differentiable::__rt::Lift<
                    AnyScalar,
                    ::differentiable::__rt::Dual<AnyScalar>,
                >>::part(
                    &__along,
                    &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.tangents[0],
                ),
            ),
        )
    }
    pub fn __pulled(
        x: &[AnyScalar],
        w: AnyScalar,
        __of_value: AnyScalar,
    ) -> (
        <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
        <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
    ) {
        let mut d_x = <[AnyScalar] as ::differentiable::__rt::Differentiable>::zero_adj(
            x,
            ::differentiable::__rt::On,
        );
        let mut d_w = <AnyScalar as ::differentiable::__rt::Differentiable>::zero_adj(
            &w,
            ::differentiable::__rt::On,
        );
        let q_x = <[AnyScalar] as ::differentiable::__rt::Differentiable>::proto(x);
        let q_w = <AnyScalar as ::differentiable::__rt::Differentiable>::proto(&w);
        let (__value, __pullback) = Self::__vjp(
            (::differentiable::__rt::On, ::differentiable::__rt::On),
            x,
            w,
        );
        __pullback(
            <AnyScalar as ::differentiable::__rt::Differentiable>::start(__of_value),
            x,
            &mut d_x,
            &mut d_w,
        );
        (
            <[AnyScalar] as ::differentiable::__rt::Differentiable>::finish(&q_x, d_x),
            <AnyScalar as ::differentiable::__rt::Differentiable>::finish(&q_w, d_w),
        )
    }
    pub fn __pulled_vjp<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
        __M2: ::differentiable::__rt::Mode,
    >(
        __modes: (__M0, __M1, __M2),
        x: &[AnyScalar],
        w: AnyScalar,
        __of_value: AnyScalar,
    ) -> (
        (
            <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
            <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
        ),
        impl FnOnce(
            ::differentiable::__rt::Ct<
                (
                    <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                    <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                ),
            >,
            &[AnyScalar],
            &mut [::differentiable::__rt::Adj<AnyScalar, __M0>],
            &mut ::differentiable::__rt::Adj<AnyScalar, __M1>,
            &mut ::differentiable::__rt::Adj<AnyScalar, __M2>,
        ) + ::core::clone::Clone,
    ) {
        let (m0, m1, m2) = __modes;
        let __kept = {
            let w = ::core::clone::Clone::clone(&w);
            let __of_value = ::core::clone::Clone::clone(&__of_value);
            (x, w, __of_value)
        };
        let __value = Self::__pulled(x, w, __of_value);
        let __proto = ::differentiable::__rt::Differentiable::proto(&__value);
        let (x, w, __of_value) = __kept;
        (
            __value,
            move |__ct, x, d_x, d_w, d___of_value| {
                let __u = <(
                    <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                    <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                ) as ::differentiable::__rt::Differentiable>::finish(&__proto, __ct);
                let __args = (
                    ::differentiable::__rt::lift_entries::<
                        AnyScalar,
                        ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                        AnyScalar,
                    >(
                        x,
                        &__u.0,
                        &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
                    ),
                    <AnyScalar as ::differentiable::__rt::Lift<
                        AnyScalar,
                        ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                    >>::lift_along(
                        &w,
                        &__u.1,
                        &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
                    ),
                );
                let __ct = <AnyScalar as ::differentiable::__rt::Lift<
                    AnyScalar,
                    ::differentiable::__rt::Dual<AnyScalar>,
                >>::lift(
                    &__of_value,
                    &mut <::differentiable::__rt::Dual<
                        AnyScalar,
                    > as ::differentiable::__rt::Extends<AnyScalar>>::constant,
                );
                let __pushed = ::differentiable::__rt::value_within::<
                    <higher_order as ::differentiable::__rt::Over<
                        ::differentiable::__rt::Dual<AnyScalar>,
                    >>::Item,
                    _,
                >(&__args);
                let __gradient = <<higher_order as ::differentiable::__rt::Over<
                    ::differentiable::__rt::Dual<AnyScalar>,
                >>::Item as ::differentiable::__rt::DifferentiableFn<
                    _,
                >>::vjp_inlined(&__args, __ct);
                ::differentiable::__rt::acc_slice(
                    &::differentiable::__rt::wit(x),
                    <[AnyScalar] as ::differentiable::__rt::Differentiable>::start(
                        ::differentiable::__rt::part::<
                            AnyScalar,
                            1,
                            [AnyScalar],
                        >(&__gradient.0, 0),
                    ),
                    d_x,
                );
                ::differentiable::__rt::acc(
                    &::differentiable::__rt::wit(&w),
                    <AnyScalar as ::differentiable::__rt::Differentiable>::start(
                        ::differentiable::__rt::part::<
                            AnyScalar,
                            1,
                            AnyScalar,
                        >(&__gradient.1, 0),
                    ),
                    d_w,
                );
                ::differentiable::__rt::acc(
                    &::differentiable::__rt::wit(&__of_value),
                    <AnyScalar as ::differentiable::__rt::Differentiable>::start(
                        ::differentiable::__rt::part::<
                            AnyScalar,
                            1,
                            AnyScalar,
                        >(&__pushed, 0),
                    ),
                    d___of_value,
                );
            },
        )
    }
    pub fn __pulled_jvp(
        x: &[AnyScalar],
        t_x: &[<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent],
        w: AnyScalar,
        t_w: <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
        __of_value: AnyScalar,
        t___of_value: <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (
        (
            <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
            <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
        ),
        <(
            <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
            <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
        ) as ::differentiable::__rt::Differentiable>::Tangent,
    ) {
        let __args = (
            ::differentiable::__rt::lift_entries::<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                AnyScalar,
            >(x, t_x, &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t])),
            <AnyScalar as ::differentiable::__rt::Lift<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
            >>::lift_along(
                &w,
                &t_w,
                &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
            ),
            <AnyScalar as ::differentiable::__rt::Lift<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
            >>::lift_along(
                &__of_value,
                &t___of_value,
                &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
            ),
        );
        let __result = <<higher_order as ::differentiable::__rt::Over<
            ::differentiable::__rt::Dual<AnyScalar>,
        >>::Item>::__pulled(
            &__args.0,
            ::core::clone::Clone::clone(&__args.1),
            ::core::clone::Clone::clone(&__args.2),
        );
        (
            (
                <[AnyScalar] as ::differentiable::__rt::Lift<
                    AnyScalar,
                    ::differentiable::__rt::Dual<AnyScalar>,
                >>::part(
                    &__result.0,
                    &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.value,
                ),
                <AnyScalar as ::differentiable::__rt::Lift<
                    AnyScalar,
                    ::differentiable::__rt::Dual<AnyScalar>,
                >>::part(
                    &__result.1,
                    &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.value,
                ),
            ),
            (
                <[AnyScalar] as ::differentiable::__rt::Lift<
                    AnyScalar,
                    ::differentiable::__rt::Dual<AnyScalar>,
                >>::part(
                    &__result.0,
                    &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.tangents[0],
                ),
                <AnyScalar as ::differentiable::__rt::Lift<
                    AnyScalar,
                    ::differentiable::__rt::Dual<AnyScalar>,
                >>::part(
                    &__result.1,
                    &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.tangents[0],
                ),
            ),
        )
    }
}
impl higher_order {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __OVER: bool = true;
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __OWN: bool = true;
    pub fn __hvp(
        x: &[f64],
        w: f64,
        along_x: &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
        along_w: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (
        <[f64] as ::differentiable::__rt::Differentiable>::Tangent,
        <f64 as ::differentiable::__rt::Differentiable>::Tangent,
    ) {
        <Self as ::differentiable::__rt::OwnScalar>::Item::__hvp(x, w, along_x, along_w)
    }
    pub fn __along(
        x: &[f64],
        w: f64,
        along_x: &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
        along_w: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (f64, f64) {
        <Self as ::differentiable::__rt::OwnScalar>::Item::__along(
            x,
            w,
            along_x,
            along_w,
        )
    }
    pub fn __pulled(
        x: &[f64],
        w: f64,
        __of_value: f64,
    ) -> (
        <[f64] as ::differentiable::__rt::Differentiable>::Tangent,
        <f64 as ::differentiable::__rt::Differentiable>::Tangent,
    ) {
        <Self as ::differentiable::__rt::OwnScalar>::Item::__pulled(x, w, __of_value)
    }
    pub fn __hessian<AnyScalar: ::differentiable::__rt::Number>(
        x: &[AnyScalar],
        w: AnyScalar,
    ) -> (
        <[AnyScalar] as ::differentiable::__rt::Layout>::With<
            (
                <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
            ),
        >,
        <AnyScalar as ::differentiable::__rt::Layout>::With<
            (
                <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
            ),
        >,
    )
    where
        for<'__r> &'__r AnyScalar: ::differentiable::__rt::NumberRef<AnyScalar>,
    {
        let mut __rows = ::differentiable::__rt::hessian::<
            <higher_order as ::differentiable::__rt::Over<
                ::differentiable::__rt::Dual<AnyScalar, 8usize>,
            >>::Item,
            _,
            _,
            AnyScalar,
            8usize,
        >(
                |__seeds, _| (
                    <[AnyScalar] as ::differentiable::__rt::Lift<
                        AnyScalar,
                        ::differentiable::__rt::Dual<AnyScalar, 8usize>,
                    >>::lift(x, &mut |__v| __seeds.seed(__v)),
                    <AnyScalar as ::differentiable::__rt::Lift<
                        AnyScalar,
                        ::differentiable::__rt::Dual<AnyScalar, 8usize>,
                    >>::lift(&w, &mut |__v| __seeds.seed(__v)),
                ),
                |__gradient, __k| (
                    ::differentiable::__rt::part::<
                        AnyScalar,
                        8usize,
                        [AnyScalar],
                    >(&__gradient.0, __k),
                    ::differentiable::__rt::part::<
                        AnyScalar,
                        8usize,
                        AnyScalar,
                    >(&__gradient.1, __k),
                ),
            )
            .into_iter();
        (
            <[AnyScalar] as ::differentiable::__rt::Layout>::with(
                x,
                &mut || __rows.next().expect("a row for each scalar"),
            ),
            <AnyScalar as ::differentiable::__rt::Layout>::with(
                &w,
                &mut || __rows.next().expect("a row for each scalar"),
            ),
        )
    }
    pub fn __hessian_vjp<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
        AnyScalar: ::differentiable::__rt::Number,
    >(
        __modes: (__M0, __M1),
        x: &[AnyScalar],
        w: AnyScalar,
    ) -> (
        (
            <[AnyScalar] as ::differentiable::__rt::Layout>::With<
                (
                    <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                    <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                ),
            >,
            <AnyScalar as ::differentiable::__rt::Layout>::With<
                (
                    <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                    <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                ),
            >,
        ),
        impl FnOnce(
            ::differentiable::__rt::Ct<
                (
                    <[AnyScalar] as ::differentiable::__rt::Layout>::With<
                        (
                            <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                            <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                        ),
                    >,
                    <AnyScalar as ::differentiable::__rt::Layout>::With<
                        (
                            <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                            <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                        ),
                    >,
                ),
            >,
            &[AnyScalar],
            &mut [::differentiable::__rt::Adj<AnyScalar, __M0>],
            &mut ::differentiable::__rt::Adj<AnyScalar, __M1>,
        ) + ::core::clone::Clone,
    )
    where
        for<'__r> &'__r AnyScalar: ::differentiable::__rt::NumberRef<AnyScalar>,
    {
        let (m0, m1) = __modes;
        let __kept = {
            let w = ::core::clone::Clone::clone(&w);
            (x, w)
        };
        let __value = Self::__hessian::<AnyScalar>(x, w);
        let __proto = ::differentiable::__rt::Differentiable::proto(&__value);
        let (x, w) = __kept;
        (
            __value,
            move |__ct, x, d_x, d_w| {
                let __rows = <(
                    <[AnyScalar] as ::differentiable::__rt::Layout>::With<
                        (
                            <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                            <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                        ),
                    >,
                    <AnyScalar as ::differentiable::__rt::Layout>::With<
                        (
                            <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                            <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                        ),
                    >,
                ) as ::differentiable::__rt::Differentiable>::finish(&__proto, __ct);
                let mut __entries = ::differentiable::__rt::entries_of::<
                    AnyScalar,
                    (
                        <[AnyScalar] as ::differentiable::__rt::Layout>::With<
                            (
                                <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                                <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                            ),
                        >,
                        <AnyScalar as ::differentiable::__rt::Layout>::With<
                            (
                                <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                                <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                            ),
                        >,
                    ),
                >(&__rows)
                    .into_iter();
                ::differentiable::__rt::sweeps::<
                    1,
                    _,
                >(
                    |__seeds, _| (
                        <[AnyScalar] as ::differentiable::__rt::Lift<
                            AnyScalar,
                            ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                        >>::lift(x, &mut |__v| __seeds.seed(__v)),
                        <AnyScalar as ::differentiable::__rt::Lift<
                            AnyScalar,
                            ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                        >>::lift(&w, &mut |__v| __seeds.seed(__v)),
                    ),
                    |__args, __seeds| {
                        if __seeds.width() == 0 {
                            return;
                        }
                        let __u = (
                            <[AnyScalar] as ::differentiable::__rt::Lift<
                                AnyScalar,
                                AnyScalar,
                            >>::fill(
                                x,
                                &mut || __entries.next().expect("an entry for each scalar"),
                            ),
                            <AnyScalar as ::differentiable::__rt::Lift<
                                AnyScalar,
                                AnyScalar,
                            >>::fill(
                                &w,
                                &mut || __entries.next().expect("an entry for each scalar"),
                            ),
                        );
                        let __directions = (
                            <<[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent as ::differentiable::__rt::Lift<
                                AnyScalar,
                                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                            >>::lift(
                                &__u.0,
                                &mut <::differentiable::__rt::Dual<
                                    AnyScalar,
                                    1usize,
                                > as ::differentiable::__rt::Extends<AnyScalar>>::constant,
                            ),
                            <<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent as ::differentiable::__rt::Lift<
                                AnyScalar,
                                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                            >>::lift(
                                &__u.1,
                                &mut <::differentiable::__rt::Dual<
                                    AnyScalar,
                                    1usize,
                                > as ::differentiable::__rt::Extends<AnyScalar>>::constant,
                            ),
                        );
                        let __products = <<higher_order as ::differentiable::__rt::Over<
                            ::differentiable::__rt::Dual<AnyScalar>,
                        >>::Item>::__hvp(
                            &__args.0,
                            ::core::clone::Clone::clone(&__args.1),
                            &__directions.0,
                            ::core::clone::Clone::clone(&__directions.1),
                        );
                        ::differentiable::__rt::acc_slice(
                            &::differentiable::__rt::wit(x),
                            <[AnyScalar] as ::differentiable::__rt::Differentiable>::start(
                                ::differentiable::__rt::part::<
                                    AnyScalar,
                                    1,
                                    [AnyScalar],
                                >(&__products.0, 0),
                            ),
                            d_x,
                        );
                        ::differentiable::__rt::acc(
                            &::differentiable::__rt::wit(&w),
                            <AnyScalar as ::differentiable::__rt::Differentiable>::start(
                                ::differentiable::__rt::part::<
                                    AnyScalar,
                                    1,
                                    AnyScalar,
                                >(&__products.1, 0),
                            ),
                            d_w,
                        );
                    },
                );
            },
        )
    }
    pub fn __hessian_jvp<AnyScalar: ::differentiable::__rt::Number>(
        x: &[AnyScalar],
        t_x: &[<AnyScalar as ::differentiable::__rt::Differentiable>::Tangent],
        w: AnyScalar,
        t_w: <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (
        (
            <[AnyScalar] as ::differentiable::__rt::Layout>::With<
                (
                    <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                    <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                ),
            >,
            <AnyScalar as ::differentiable::__rt::Layout>::With<
                (
                    <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                    <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                ),
            >,
        ),
        <(
            <[AnyScalar] as ::differentiable::__rt::Layout>::With<
                (
                    <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                    <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                ),
            >,
            <AnyScalar as ::differentiable::__rt::Layout>::With<
                (
                    <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                    <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                ),
            >,
        ) as ::differentiable::__rt::Differentiable>::Tangent,
    )
    where
        for<'__r> &'__r AnyScalar: ::differentiable::__rt::NumberRef<AnyScalar>,
    {
        let __args = (
            ::differentiable::__rt::lift_entries::<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
                AnyScalar,
            >(x, t_x, &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t])),
            <AnyScalar as ::differentiable::__rt::Lift<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar, 1usize>,
            >>::lift_along(
                &w,
                &t_w,
                &mut |__v, __t| ::differentiable::__rt::Dual::new(__v, [__t]),
            ),
        );
        let __result = Self::__hessian::<
            ::differentiable::__rt::Dual<AnyScalar>,
        >(&__args.0, ::core::clone::Clone::clone(&__args.1));
        (
            <(
                <[AnyScalar] as ::differentiable::__rt::Layout>::With<
                    (
                        <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                        <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                    ),
                >,
                <AnyScalar as ::differentiable::__rt::Layout>::With<
                    (
                        <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                        <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                    ),
                >,
            ) as ::differentiable::__rt::Lift<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar>,
            >>::part(
                &__result,
                &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.value,
            ),
            <(
                <[AnyScalar] as ::differentiable::__rt::Layout>::With<
                    (
                        <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                        <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                    ),
                >,
                <AnyScalar as ::differentiable::__rt::Layout>::With<
                    (
                        <[AnyScalar] as ::differentiable::__rt::Differentiable>::Tangent,
                        <AnyScalar as ::differentiable::__rt::Differentiable>::Tangent,
                    ),
                >,
            ) as ::differentiable::__rt::Lift<
                AnyScalar,
                ::differentiable::__rt::Dual<AnyScalar>,
            >>::part(
                &__result,
                &|__d: ::differentiable::__rt::Dual<AnyScalar>| __d.tangents[0],
            ),
        )
    }
}
