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
        ),
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = tuples;
        let (m0, m1) = __modes;
        let v0 = a + b;
        let v1 = a * b;
        let v2 = (v0, v1);
        let w_v2 = v2.__wit();
        let s = v2.0;
        let w_s = s.__wit();
        let p = v2.1;
        let w_p = p.__wit();
        let kept_v3 = ad::Operands(s.__v(), p.__v()).keep_mul();
        let v3 = ::core::clone::Clone::clone(&s) * ::core::clone::Clone::clone(&p);
        let w_v3 = v3.__wit();
        let v4 = (v3, ::core::clone::Clone::clone(&p));
        let w_v4 = v4.__wit();
        let __value = v4;
        (
            __value,
            move |__ct, d_a, d_b| {
                let mut d_v0 = ad::F64.zero();
                let mut d_v1 = ad::F64.zero();
                let mut d_v2 = w_v2.zero();
                let mut d_s = w_s.zero();
                let mut d_p = w_p.zero();
                let mut d_v3 = w_v3.zero();
                let mut d_v4 = w_v4.zero();
                ad::acc(&w_v4, __ct, &mut d_v4);
                ad::acc(&w_v3, d_v4.0, &mut d_v3);
                ad::acc(&w_p, d_v4.1, &mut d_p);
                kept_v3.mul(&w_s, s.__v(), &w_p, p.__v(), d_v3, &mut d_s, &mut d_p);
                ad::acc(&w_p, d_p, &mut d_v2.1);
                ad::acc(&w_s, d_s, &mut d_v2.0);
                ad::acc(&ad::F64, d_v2.0, &mut d_v0);
                ad::acc(&ad::F64, d_v2.1, &mut d_v1);
                ad::mul::pull_l(&ad::F64, &b, &d_v1, &mut *d_a);
                ad::mul::pull_r(&a, &ad::F64, &d_v1, &mut *d_b);
                ad::add::pull_l(&ad::F64, &ad::F64, &d_v0, &mut *d_a);
                ad::add::pull_r(&ad::F64, &ad::F64, &d_v0, &mut *d_b);
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
        let v0 = a + b;
        let t_v0 = ad::tangent_sum(
            ad::add::push_l(&a, &b, &v0, &t_a),
            ad::add::push_r(&a, &b, &v0, &t_b),
        );
        let v1 = a * b;
        let t_v1 = ad::tangent_sum(
            ad::mul::push_l(&a, &b, &v1, &t_a),
            ad::mul::push_r(&a, &b, &v1, &t_b),
        );
        let v2 = (v0, v1);
        let t_v2 = (t_v0, t_v1);
        let s = ::core::clone::Clone::clone(&v2.0);
        let t_s = ::std::borrow::ToOwned::to_owned(
            &(*ad::FieldTangent(&v2.0, &t_v2.0).get(&mut ::core::option::Option::None)),
        );
        let p = ::core::clone::Clone::clone(&v2.1);
        let t_p = ::std::borrow::ToOwned::to_owned(
            &(*ad::FieldTangent(&v2.1, &t_v2.1).get(&mut ::core::option::Option::None)),
        );
        let v3 = ::core::clone::Clone::clone(&s) * ::core::clone::Clone::clone(&p);
        let t_v3 = ad::tangent_sum(
            ad::Operands(s.__v(), p.__v()).mul_push_l(&v3, &t_s),
            ad::Operands(s.__v(), p.__v()).mul_push_r(&v3, &t_p),
        );
        let v4 = (::core::clone::Clone::clone(&v3), ::core::clone::Clone::clone(&p));
        let t_v4 = (
            ::std::borrow::ToOwned::to_owned(&t_v3),
            ::std::borrow::ToOwned::to_owned(&t_p),
        );
        let __tangent = ::std::borrow::ToOwned::to_owned(&t_v4);
        (v4, __tangent)
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
        ),
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
