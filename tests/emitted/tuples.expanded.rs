impl tuples {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __vjp<__M0: ::differentiable::__rt::Mode, __M1: ::differentiable::__rt::Mode>(
        __modes: (__M0, __M1),
        a: f64,
        b: f64,
    ) -> (
        (f64, f64),
        impl FnOnce(
            ::differentiable::__rt::Ct<(f64, f64)>,
            &mut ::differentiable::__rt::Adj<f64, __M0>,
            &mut ::differentiable::__rt::Adj<f64, __M1>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = tuples;
        let (m0, m1) = __modes;
        let a: __Checked_tuples<_> = a;
        let b: __Checked_tuples<_> = b;
        let s = a + b;
        let p = a * b;
        let v0 = s * p;
        let v1 = (v0, p);
        let w_v1 = v1.__wit();
        let __value = v1;
        (
            __value,
            move |__ct, d_a, d_b| {
                let d_a: __Checked_tuples<_> = d_a;
                let d_b: __Checked_tuples<_> = d_b;
                let __ct: __Checked_tuples<_> = __ct;
                let mut d_s = ad::F64.zero();
                let mut d_p = ad::F64.zero();
                let mut d_v0 = ad::F64.zero();
                let mut d_v1 = ad::first(&w_v1, __ct);
                ad::acc(&ad::F64, d_v1.0, &mut d_v0);
                ad::acc(&ad::F64, d_v1.1, &mut d_p);
                ad::mul::pull_l(&ad::F64, &p, &d_v0, &mut d_s);
                ad::mul::pull_r(&s, &ad::F64, &d_v0, &mut d_p);
                ad::mul::pull_l(&ad::F64, &b, &d_p, &mut *d_a);
                ad::mul::pull_r(&a, &ad::F64, &d_p, &mut *d_b);
                ad::add::pull_l(&ad::F64, &ad::F64, &d_s, &mut *d_a);
                ad::add::pull_r(&ad::F64, &ad::F64, &d_s, &mut *d_b);
            },
        )
    }
    pub fn __jvp(
        a: f64,
        t_a: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
        b: f64,
        t_b: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> ((f64, f64), <(f64, f64) as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let a: __Checked_tuples<_> = a;
        let b: __Checked_tuples<_> = b;
        let t_a: __Checked_tuples<_> = t_a;
        let t_b: __Checked_tuples<_> = t_b;
        let s = a + b;
        let t_s = ad::tangent_sum(
            ad::add::push_l(&a, &b, &s, &t_a),
            ad::add::push_r(&a, &b, &s, &t_b),
        );
        let p = a * b;
        let t_p = ad::tangent_sum(
            ad::mul::push_l(&a, &b, &p, &t_a),
            ad::mul::push_r(&a, &b, &p, &t_b),
        );
        let v0 = s * p;
        let t_v0 = ad::tangent_sum(
            ad::mul::push_l(&s, &p, &v0, &t_s),
            ad::mul::push_r(&s, &p, &v0, &t_p),
        );
        let v1 = (v0, p);
        let t_v1 = (t_v0, t_p);
        let __tangent = ::std::borrow::ToOwned::to_owned(&t_v1);
        (v1, __tangent)
    }
    pub fn __code(
        _: &(),
        (__a0, __a1): (&f64, &f64),
    ) -> (
        (f64, f64),
        impl FnOnce(
            ::differentiable::__rt::Ct<(f64, f64)>,
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
    ) -> ((f64, f64), <(f64, f64) as ::differentiable::__rt::Differentiable>::Tangent) {
        Self::__jvp(
            ::core::clone::Clone::clone(__a0),
            ::core::clone::Clone::clone(__t0),
            ::core::clone::Clone::clone(__a1),
            ::core::clone::Clone::clone(__t1),
        )
    }
}
