impl branches {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __vjp<__M0: ::differentiable::__rt::Mode, __M1: ::differentiable::__rt::Mode>(
        __modes: (__M0, __M1),
        x: f64,
        y: f64,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &mut ::differentiable::__rt::Adj<f64, __M0>,
            &mut ::differentiable::__rt::Adj<f64, __M1>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = branches;
        let (m0, m1) = __modes;
        let x: __Checked_branches<_> = x;
        let y: __Checked_branches<_> = y;
        let (v2, branch3): __Checked_branches<_> = if x > y {
            let v0 = x * x;
            let __value = v0;
            (__value, ad::Either::L(()))
        } else {
            let v1 = y.exp();
            let __value = v1;
            (__value, ad::Either::R((v1,)))
        };
        let m = v2;
        let (v5, branch6): __Checked_branches<_> = if m > 1.0 {
            let v3 = m.sqrt();
            let __value = v3;
            (__value, ad::Either::L((v3,)))
        } else {
            let v4 = m * y;
            let __value = v4;
            (__value, ad::Either::R(()))
        };
        let __value = v5;
        (
            __value,
            move |__ct, d_x, d_y| {
                let d_x: __Checked_branches<_> = d_x;
                let d_y: __Checked_branches<_> = d_y;
                let __ct: __Checked_branches<_> = __ct;
                let mut d_v2 = ad::F64.zero();
                let mut d_m = ad::F64.zero();
                let mut d_v5 = ad::F64.zero();
                ad::acc(&ad::F64, __ct, &mut d_v5);
                match branch6 {
                    ad::Either::L((v3,)) => {
                        let mut d_v3 = ad::F64.zero();
                        ad::acc(&ad::F64, d_v5, &mut d_v3);
                        ad::sqrt::pull(&v3, &d_v3, &mut d_m);
                    }
                    ad::Either::R(()) => {
                        let mut d_v4 = ad::F64.zero();
                        ad::acc(&ad::F64, d_v5, &mut d_v4);
                        ad::mul::pull_l(&ad::F64, &y, &d_v4, &mut d_m);
                        ad::mul::pull_r(&m, &ad::F64, &d_v4, &mut *d_y);
                    }
                }
                ad::acc(&ad::F64, d_m, &mut d_v2);
                match branch3 {
                    ad::Either::L(()) => {
                        let mut d_v0 = ad::F64.zero();
                        ad::acc(&ad::F64, d_v2, &mut d_v0);
                        ad::mul::pull_l(&ad::F64, &x, &d_v0, &mut *d_x);
                        ad::mul::pull_r(&x, &ad::F64, &d_v0, &mut *d_x);
                    }
                    ad::Either::R((v1,)) => {
                        let mut d_v1 = ad::F64.zero();
                        ad::acc(&ad::F64, d_v2, &mut d_v1);
                        ad::exp::pull(&v1, &d_v1, &mut *d_y);
                    }
                }
            },
        )
    }
    pub fn __jvp(
        x: f64,
        t_x: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
        y: f64,
        t_y: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x: __Checked_branches<_> = x;
        let y: __Checked_branches<_> = y;
        let t_x: __Checked_branches<_> = t_x;
        let t_y: __Checked_branches<_> = t_y;
        let (v2, t_v2): __Checked_branches<_> = if x > y {
            let v0 = x * x;
            let t_v0 = ad::tangent_sum(
                ad::mul::push_l(&x, &x, &v0, &t_x),
                ad::mul::push_r(&x, &x, &v0, &t_x),
            );
            let __tangent = t_v0;
            (v0, __tangent)
        } else {
            let v1 = y.exp();
            let t_v1 = ad::exp::push(&y, &v1, &t_y);
            let __tangent = t_v1;
            (v1, __tangent)
        };
        let m = v2;
        let t_m = t_v2;
        let (v5, t_v5): __Checked_branches<_> = if m > 1.0 {
            let v3 = m.sqrt();
            let t_v3 = ad::sqrt::push(&m, &v3, &t_m);
            let __tangent = t_v3;
            (v3, __tangent)
        } else {
            let v4 = m * y;
            let t_v4 = ad::tangent_sum(
                ad::mul::push_l(&m, &y, &v4, &t_m),
                ad::mul::push_r(&m, &y, &v4, &t_y),
            );
            let __tangent = t_v4;
            (v4, __tangent)
        };
        let __tangent = t_v5;
        (v5, __tangent)
    }
    pub fn __code(
        _: &(),
        (__a0, __a1): (&f64, &f64),
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &(),
            (&f64, &f64),
            &mut ::differentiable::__rt::Ct<()>,
            (&mut ::differentiable::__rt::Ct<f64>, &mut ::differentiable::__rt::Ct<f64>),
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp(
            (::differentiable::__rt::On, ::differentiable::__rt::On),
            ::core::clone::Clone::clone(__a0),
            ::core::clone::Clone::clone(__a1),
        );
        (
            __value,
            move |
                __ct,
                _: &(),
                (__a0, __a1): (&f64, &f64),
                _: &mut ::differentiable::__rt::Ct<()>,
                (
                    __d0,
                    __d1,
                ): (
                    &mut ::differentiable::__rt::Ct<f64>,
                    &mut ::differentiable::__rt::Ct<f64>,
                )|
            { __pullback(__ct, __d0, __d1) },
        )
    }
    pub fn __forward_code(
        _: &(),
        _: &(),
        (__a0, __a1): (&f64, &f64),
        (
            __t0,
            __t1,
        ): (
            &<f64 as ::differentiable::__rt::Differentiable>::Tangent,
            &<f64 as ::differentiable::__rt::Differentiable>::Tangent,
        ),
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        Self::__jvp(
            ::core::clone::Clone::clone(__a0),
            ::core::clone::Clone::clone(__t0),
            ::core::clone::Clone::clone(__a1),
            ::core::clone::Clone::clone(__t1),
        )
    }
}
