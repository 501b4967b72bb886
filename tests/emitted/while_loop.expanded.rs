impl while_loop {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __vjp<__M0: ::differentiable::__rt::Mode, __M1: ::differentiable::__rt::Mode>(
        __modes: (__M0, __M1),
        a: f64,
        b: f64,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &mut ::differentiable::__rt::Adj<f64, __M0>,
            &mut ::differentiable::__rt::Adj<f64, __M1>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = while_loop;
        let (m0, m1) = __modes;
        let a: __Checked_while_loop<_> = a;
        let b: __Checked_while_loop<_> = b;
        let mut tape1 = ad::LongTape::new();
        let mut x = a;
        let mut trips1: __Checked_while_loop<_> = 0usize;
        '__whole1: loop {
            let mut __room = tape1.room();
            while __room != 0 {
                if (x * x - a).abs() > 1e-12 {
                    let k0 = x;
                    let v0 = a / k0;
                    let v1 = x + v0;
                    let v2: __Checked_while_loop<_> = 0.5 * v1;
                    let v3 = v2 * b;
                    x = v3;
                    tape1.push_reserved((k0, v0, v2));
                    trips1 += 1;
                } else {
                    break '__whole1
                }
                __room -= 1;
            }
        }
        let __value = x;
        (
            __value,
            move |__ct, d_a, d_b| {
                let d_a: __Checked_while_loop<_> = d_a;
                let d_b: __Checked_while_loop<_> = d_b;
                let __ct: __Checked_while_loop<_> = __ct;
                let mut d_x = ad::F64.zero();
                ad::acc(&ad::F64, __ct, &mut d_x);
                for _ in 0..trips1 {
                    let (k0, v0, v2) = tape1.pop();
                    let mut d_k0 = ad::F64.zero();
                    let mut d_v0 = ad::F64.zero();
                    let mut d_v1 = ad::F64.zero();
                    let mut d_v2 = ad::F64.zero();
                    let mut d_v3 = ad::F64.zero();
                    let __ct = ad::take(&ad::F64, &mut d_x);
                    ad::acc(&ad::F64, __ct, &mut d_v3);
                    ad::mul::pull_l(&ad::F64, &b, &d_v3, &mut d_v2);
                    ad::mul::pull_r(&v2, &ad::F64, &d_v3, &mut *d_b);
                    ad::mul::pull_r(&0.5, &ad::F64, &d_v2, &mut d_v1);
                    ad::add::pull_l(&ad::F64, &ad::F64, &d_v1, &mut d_x);
                    ad::add::pull_r(&ad::F64, &ad::F64, &d_v1, &mut d_v0);
                    ad::div::pull_l(&ad::F64, &k0, &d_v0, &mut *d_a);
                    ad::div::pull_r(&ad::F64, &k0, &v0, &d_v0, &mut d_k0);
                    ad::acc(&ad::F64, d_k0, &mut d_x);
                }
                ad::acc(&ad::F64, d_x, &mut *d_a);
            },
        )
    }
    pub fn __jvp(
        a: f64,
        t_a: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
        b: f64,
        t_b: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let a: __Checked_while_loop<_> = a;
        let b: __Checked_while_loop<_> = b;
        let t_a: __Checked_while_loop<_> = t_a;
        let t_b: __Checked_while_loop<_> = t_b;
        let mut x = a;
        let mut t_x = t_a;
        while (x * x - a).abs() > 1e-12 {
            let v0 = a / x;
            let t_v0 = ad::tangent_sum(
                ad::div::push_l(&a, &x, &v0, &t_a),
                ad::div::push_r(&a, &x, &v0, &t_x),
            );
            let v1 = x + v0;
            let t_v1 = ad::tangent_sum(
                ad::add::push_l(&x, &v0, &v1, &t_x),
                ad::add::push_r(&x, &v0, &v1, &t_v0),
            );
            let v2: __Checked_while_loop<_> = 0.5 * v1;
            let t_v2 = ad::mul::push_r(&0.5, &v1, &v2, &t_v1);
            let v3 = v2 * b;
            let t_v3 = ad::tangent_sum(
                ad::mul::push_l(&v2, &b, &v3, &t_v2),
                ad::mul::push_r(&v2, &b, &v3, &t_b),
            );
            let __tangent = t_v3;
            x = v3;
            t_x = __tangent;
        }
        let __tangent = t_x;
        (x, __tangent)
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
