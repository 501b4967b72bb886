::differentiable::__companion! {
    "`recursion` has no derivative: annotate it with `#[differentiable]`, give it a rule with `#[derivative(of = recursion)]`, or wrap the call in `no_grad!`"
    __path0 __fallback0 recursion[A0 A1 A2] [T0 T1 T2] recursion
}
impl recursion {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1;
    pub fn __vjp_open<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
        __M2: ::differentiable::__rt::Mode,
    >(
        __modes: (__M0, __M1, __M2),
        x: f64,
        y: f64,
        n: usize,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &mut ::differentiable::__rt::Adj<f64, __M0>,
            &mut ::differentiable::__rt::Adj<f64, __M1>,
            &mut ::differentiable::__rt::Adj<usize, __M2>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = recursion;
        let (m0, m1, m2) = __modes;
        let x: __Checked_recursion<_> = x;
        let y: __Checked_recursion<_> = y;
        let n: __Checked_recursion<_> = n;
        let (v2, branch3): __Checked_recursion<_> = if n == 0 {
            let __value = y;
            (__value, ad::Either::L(()))
        } else {
            let mut z2_v0 = ad::no_adj(&(n - 1));
            let (v0, p_v0) = __callee0::__vjp((m0, m1, ad::Off), x, y, (n - 1));
            let w_v0 = v0.__wit();
            let kept_v1: __Checked_recursion<_> = ad::Operands(&x, v0.__v())
                .keep_mul_of_values();
            let v1 = x * ::core::clone::Clone::clone(&v0);
            let w_v1 = v1.__wit();
            let __value = v1;
            (__value, ad::Either::R((v0, p_v0, z2_v0, w_v1, kept_v1)))
        };
        let __value = v2;
        (
            __value,
            move |__ct, d_x, d_y, d_n| {
                let d_x: __Checked_recursion<_> = d_x;
                let d_y: __Checked_recursion<_> = d_y;
                let d_n: __Checked_recursion<_> = d_n;
                let __ct: __Checked_recursion<_> = __ct;
                let mut d_v2 = ad::F64.zero();
                ad::acc(&ad::F64, __ct, &mut d_v2);
                match branch3 {
                    ad::Either::L(()) => {
                        ad::acc(&ad::F64, d_v2, &mut *d_y);
                    }
                    ad::Either::R((v0, p_v0, mut z2_v0, w_v1, kept_v1)) => {
                        let w_v0 = v0.__wit();
                        let mut d_v1 = ad::first(&w_v1, d_v2);
                        let mut d_v0 = w_v0.zero();
                        kept_v1
                            .mul_of_values(
                                &ad::F64,
                                &x,
                                &w_v0,
                                v0.__v(),
                                d_v1,
                                &mut *d_x,
                                &mut d_v0,
                            );
                        p_v0(d_v0, &mut *d_x, &mut *d_y, &mut z2_v0);
                    }
                }
            },
        )
    }
    pub fn __vjp<
        '__held,
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
        __M2: ::differentiable::__rt::Mode,
    >(
        __modes: (__M0, __M1, __M2),
        x: f64,
        y: f64,
        n: usize,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &mut ::differentiable::__rt::Adj<f64, __M0>,
            &mut ::differentiable::__rt::Adj<f64, __M1>,
            &mut ::differentiable::__rt::Adj<usize, __M2>,
        ) + ::core::clone::Clone + '__held,
    ) {
        let (__value, __pullback) = Self::__vjp_open(__modes, x, y, n);
        (
            __value,
            ::differentiable::__rt::Finish::<
                _,
                dyn FnMut(
                    ::differentiable::__rt::Ct<f64>,
                    &mut ::differentiable::__rt::Adj<f64, __M0>,
                    &mut ::differentiable::__rt::Adj<f64, __M1>,
                    &mut ::differentiable::__rt::Adj<usize, __M2>,
                ) + '__held,
                _,
            >::finish(
                (::differentiable::__rt::Cut::<true>, ::differentiable::__rt::Stays),
                __pullback,
                |__held| ::differentiable::__rt::Pooled::<
                    dyn FnMut(
                        ::differentiable::__rt::Ct<f64>,
                        &mut ::differentiable::__rt::Adj<f64, __M0>,
                        &mut ::differentiable::__rt::Adj<f64, __M1>,
                        &mut ::differentiable::__rt::Adj<usize, __M2>,
                    ) + '__held,
                >::new(
                    __held,
                    |mut __inside| move |
                        __a0: ::differentiable::__rt::Ct<f64>,
                        __a1: &mut ::differentiable::__rt::Adj<f64, __M0>,
                        __a2: &mut ::differentiable::__rt::Adj<f64, __M1>,
                        __a3: &mut ::differentiable::__rt::Adj<usize, __M2>|
                    __inside.take()(__a0, __a1, __a2, __a3),
                    |__call| __call,
                ),
                |__held| move |
                    __a0: ::differentiable::__rt::Ct<f64>,
                    __a1: &mut ::differentiable::__rt::Adj<f64, __M0>,
                    __a2: &mut ::differentiable::__rt::Adj<f64, __M1>,
                    __a3: &mut ::differentiable::__rt::Adj<usize, __M2>|
                ::differentiable::__rt::Unboxed::unboxed(
                    __held,
                    &mut ::differentiable::__rt::CallRoom::new(),
                )(__a0, __a1, __a2, __a3),
            ),
        )
    }
    pub fn __jvp(
        x: f64,
        t_x: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
        y: f64,
        t_y: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
        n: usize,
        t_n: <usize as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x: __Checked_recursion<_> = x;
        let y: __Checked_recursion<_> = y;
        let n: __Checked_recursion<_> = n;
        let t_x: __Checked_recursion<_> = t_x;
        let t_y: __Checked_recursion<_> = t_y;
        let t_n: __Checked_recursion<_> = t_n;
        let (v2, t_v2): __Checked_recursion<_> = if n == 0 {
            let __tangent = t_y;
            (y, __tangent)
        } else {
            let (v0, t_v0) = __callee0::__jvp(
                x,
                t_x,
                y,
                t_y,
                (n - 1),
                ad::zero_tangent(&(n - 1)),
            );
            let v1 = x * ::core::clone::Clone::clone(&v0);
            let t_v1 = ad::tangent_sum(
                ad::Operands(&x, v0.__v()).mul_push_l(&v1, &t_x),
                ad::Operands(&x, v0.__v()).mul_push_r(&v1, &t_v0),
            );
            let __tangent = ::std::borrow::ToOwned::to_owned(&t_v1);
            (v1, __tangent)
        };
        let __tangent = t_v2;
        (v2, __tangent)
    }
    pub fn __code(
        _: &(),
        (__a0, __a1, __a2): (&f64, &f64, &usize),
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &(),
            (&f64, &f64, &usize),
            &mut ::differentiable::__rt::Ct<()>,
            (
                &mut ::differentiable::__rt::Ct<f64>,
                &mut ::differentiable::__rt::Ct<f64>,
                &mut ::differentiable::__rt::Ct<usize>,
            ),
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp(
            (
                ::differentiable::__rt::On,
                ::differentiable::__rt::On,
                ::differentiable::__rt::On,
            ),
            ::core::clone::Clone::clone(__a0),
            ::core::clone::Clone::clone(__a1),
            ::core::clone::Clone::clone(__a2),
        );
        (
            __value,
            move |
                __ct,
                _: &(),
                (__a0, __a1, __a2): (&f64, &f64, &usize),
                _: &mut ::differentiable::__rt::Ct<()>,
                (
                    __d0,
                    __d1,
                    __d2,
                ): (
                    &mut ::differentiable::__rt::Ct<f64>,
                    &mut ::differentiable::__rt::Ct<f64>,
                    &mut ::differentiable::__rt::Ct<usize>,
                )|
            { __pullback(__ct, __d0, __d1, __d2) },
        )
    }
    pub fn __forward_code(
        _: &(),
        _: &(),
        (__a0, __a1, __a2): (&f64, &f64, &usize),
        (
            __t0,
            __t1,
            __t2,
        ): (
            &<f64 as ::differentiable::__rt::Differentiable>::Tangent,
            &<f64 as ::differentiable::__rt::Differentiable>::Tangent,
            &<usize as ::differentiable::__rt::Differentiable>::Tangent,
        ),
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        Self::__jvp(
            ::core::clone::Clone::clone(__a0),
            ::core::clone::Clone::clone(__t0),
            ::core::clone::Clone::clone(__a1),
            ::core::clone::Clone::clone(__t1),
            ::core::clone::Clone::clone(__a2),
            ::core::clone::Clone::clone(__t2),
        )
    }
}
