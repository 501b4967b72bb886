impl slope {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __vjp<__M0: ::differentiable::__rt::Mode>(
        __modes: (__M0,),
        a: f64,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &mut ::differentiable::__rt::Adj<f64, __M0>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = slope;
        let (m0,) = __modes;
        let a: __Checked_slope<_> = a;
        let t_a = ad::slope::unit(&a);
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
            let v2: __Checked_slope<_> = 0.5 * v1;
            let t_v2 = ad::mul::push_r(&0.5, &v1, &v2, &t_v1);
            let __tangent = t_v2;
            x = v2;
            t_x = __tangent;
        }
        let __tangent = t_x;
        let __slope = __tangent;
        let __value = x;
        (
            __value,
            move |__ct, d_a| {
                let d_a: __Checked_slope<_> = d_a;
                let __ct: __Checked_slope<_> = __ct;
                ad::slope::pull(&__slope, &__ct, &mut *d_a);
            },
        )
    }
    pub fn __jvp(
        a: f64,
        t_a: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let a: __Checked_slope<_> = a;
        let t_a: __Checked_slope<_> = t_a;
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
            let v2: __Checked_slope<_> = 0.5 * v1;
            let t_v2 = ad::mul::push_r(&0.5, &v1, &v2, &t_v1);
            let __tangent = t_v2;
            x = v2;
            t_x = __tangent;
        }
        let __tangent = t_x;
        (x, __tangent)
    }
    pub fn __code(
        _: &(),
        (__a0,): (&f64,),
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &(),
            (&f64,),
            &mut ::differentiable::__rt::Ct<()>,
            (&mut ::differentiable::__rt::Ct<f64>,),
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp(
            (::differentiable::__rt::On,),
            ::core::clone::Clone::clone(__a0),
        );
        (
            __value,
            move |
                __ct,
                _: &(),
                (__a0,): (&f64,),
                _: &mut ::differentiable::__rt::Ct<()>,
                (__d0,): (&mut ::differentiable::__rt::Ct<f64>,)|
            { __pullback(__ct, __d0) },
        )
    }
    pub fn __forward_code(
        _: &(),
        _: &(),
        (__a0,): (&f64,),
        (__t0,): (&<f64 as ::differentiable::__rt::Differentiable>::Tangent,),
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        Self::__jvp(::core::clone::Clone::clone(__a0), ::core::clone::Clone::clone(__t0))
    }
}
