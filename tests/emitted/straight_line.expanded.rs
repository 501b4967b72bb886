impl straight_line {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __vjp<__M0: ::differentiable::__rt::Mode, __M1: ::differentiable::__rt::Mode>(
        __modes: (__M0, __M1),
        x1: f64,
        x2: f64,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &mut ::differentiable::__rt::Adj<f64, __M0>,
            &mut ::differentiable::__rt::Adj<f64, __M1>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = straight_line;
        let (m0, m1) = __modes;
        let x1: __Checked_straight_line<_> = x1;
        let x2: __Checked_straight_line<_> = x2;
        let v0 = x1.ln();
        let v1 = x1 * x2;
        let v2 = v0 + v1;
        let v3 = x2.sin();
        let v4 = v2 - v3;
        let __value = v4;
        (
            __value,
            move |__ct, d_x1, d_x2| {
                let d_x1: __Checked_straight_line<_> = d_x1;
                let d_x2: __Checked_straight_line<_> = d_x2;
                let __ct: __Checked_straight_line<_> = __ct;
                let mut d_v0 = ad::F64.zero();
                let mut d_v1 = ad::F64.zero();
                let mut d_v2 = ad::F64.zero();
                let mut d_v3 = ad::F64.zero();
                let mut d_v4 = ad::F64.zero();
                ad::acc(&ad::F64, __ct, &mut d_v4);
                ad::sub::pull_l(&ad::F64, &ad::F64, &d_v4, &mut d_v2);
                ad::sub::pull_r(&ad::F64, &ad::F64, &d_v4, &mut d_v3);
                ad::sin::pull(&x2, &d_v3, &mut *d_x2);
                ad::add::pull_l(&ad::F64, &ad::F64, &d_v2, &mut d_v0);
                ad::add::pull_r(&ad::F64, &ad::F64, &d_v2, &mut d_v1);
                ad::mul::pull_l(&ad::F64, &x2, &d_v1, &mut *d_x1);
                ad::mul::pull_r(&x1, &ad::F64, &d_v1, &mut *d_x2);
                ad::ln::pull(&x1, &d_v0, &mut *d_x1);
            },
        )
    }
    pub fn __jvp(
        x1: f64,
        t_x1: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
        x2: f64,
        t_x2: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x1: __Checked_straight_line<_> = x1;
        let x2: __Checked_straight_line<_> = x2;
        let t_x1: __Checked_straight_line<_> = t_x1;
        let t_x2: __Checked_straight_line<_> = t_x2;
        let v0 = x1.ln();
        let t_v0 = ad::ln::push(&x1, &v0, &t_x1);
        let v1 = x1 * x2;
        let t_v1 = ad::tangent_sum(
            ad::mul::push_l(&x1, &x2, &v1, &t_x1),
            ad::mul::push_r(&x1, &x2, &v1, &t_x2),
        );
        let v2 = v0 + v1;
        let t_v2 = ad::tangent_sum(
            ad::add::push_l(&v0, &v1, &v2, &t_v0),
            ad::add::push_r(&v0, &v1, &v2, &t_v1),
        );
        let v3 = x2.sin();
        let t_v3 = ad::sin::push(&x2, &v3, &t_x2);
        let v4 = v2 - v3;
        let t_v4 = ad::tangent_sum(
            ad::sub::push_l(&v2, &v3, &v4, &t_v2),
            ad::sub::push_r(&v2, &v3, &v4, &t_v3),
        );
        let __tangent = t_v4;
        (v4, __tangent)
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
