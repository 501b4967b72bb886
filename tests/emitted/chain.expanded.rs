impl chain {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __vjp<__M0: ::differentiable::__rt::Mode, __M1: ::differentiable::__rt::Mode>(
        __modes: (__M0, __M1),
        x: &[f64],
        y: &[f64],
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &[f64],
            &[f64],
            &mut [::differentiable::__rt::Adj<f64, __M0>],
            &mut [::differentiable::__rt::Adj<f64, __M1>],
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = chain;
        let (m0, m1) = __modes;
        let x: __Checked_chain<_> = x;
        let y: __Checked_chain<_> = y;
        let mut __acc1: f64 = {
            let value: f64 = -0.0;
            value
        };
        for __k2 in 0..::core::cmp::min(x.len(), y.len()) {
            let a = &x[__k2];
            let b = &y[__k2];
            let v0 = &x[__k2] - &y[__k2];
            let __m3 = v0.powi(2);
            __acc1 += __m3;
        }
        let v1 = __acc1.sqrt();
        let __value = v1;
        (
            __value,
            move |__ct, x, y, d_x, d_y| {
                let d_x = &mut d_x[..x.len()];
                let d_y = &mut d_y[..y.len()];
                let x: __Checked_chain<_> = x;
                let y: __Checked_chain<_> = y;
                let d_x: __Checked_chain<_> = d_x;
                let d_y: __Checked_chain<_> = d_y;
                let __ct: __Checked_chain<_> = __ct;
                let mut d___acc1 = ad::F64.zero();
                let mut d_v1 = ad::F64.zero();
                ad::acc(&ad::F64, __ct, &mut d_v1);
                ad::sqrt::pull(&v1, &d_v1, &mut d___acc1);
                {
                    let __trips = 0..::core::cmp::min(x.len(), y.len());
                    let __n = ad::count(&__trips);
                    if __n != 0 {
                        let part0 = ad::window(&x[..], __n, || 0);
                        let d_part0 = ad::window_mut(&mut d_x[..], __n, || 0);
                        let part1 = ad::window(&y[..], __n, || 0);
                        let d_part1 = ad::window_mut(&mut d_y[..], __n, || 0);
                        for __t in 0..__n {
                            let v0 = &part0[__t] - &part1[__t];
                            let mut d_v0 = ad::F64.zero();
                            let mut d___m3 = ad::F64.zero();
                            ad::add::pull_r(&ad::F64, &ad::F64, &d___acc1, &mut d___m3);
                            ad::powi::pull(&v0, 2, &d___m3, &mut d_v0);
                            ad::sub::pull_l(
                                &ad::F64,
                                &ad::F64,
                                &d_v0,
                                &mut d_part0[__t],
                            );
                            ad::sub::pull_r(
                                &ad::F64,
                                &ad::F64,
                                &d_v0,
                                &mut d_part1[__t],
                            );
                        }
                    }
                }
            },
        )
    }
    pub fn __jvp(
        x: &[f64],
        t_x: &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
        y: &[f64],
        t_y: &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x: __Checked_chain<_> = x;
        let y: __Checked_chain<_> = y;
        let t_x: __Checked_chain<_> = t_x;
        let t_y: __Checked_chain<_> = t_y;
        let mut __acc1: f64 = {
            let value: f64 = -0.0;
            value
        };
        let mut t___acc1 = ad::zero_tangent(&__acc1);
        for __k2 in 0..::core::cmp::min(x.len(), y.len()) {
            let a = &x[__k2];
            let b = &y[__k2];
            let v0 = &x[__k2] - &y[__k2];
            let t_v0 = ad::tangent_sum(
                ad::sub::push_l(&x[__k2], &y[__k2], &v0, &t_x[__k2]),
                ad::sub::push_r(&x[__k2], &y[__k2], &v0, &t_y[__k2]),
            );
            let __m3 = v0.powi(2);
            let t___m3 = ad::powi::push(&v0, 2, &__m3, &t_v0);
            let __tangent = ad::add::push_r(&__acc1, &__m3, &__acc1, &t___m3);
            ad::tangent_add(&mut t___acc1, __tangent);
            __acc1 += __m3;
        }
        let v1 = __acc1.sqrt();
        let t_v1 = ad::sqrt::push(&__acc1, &v1, &t___acc1);
        let __tangent = t_v1;
        (v1, __tangent)
    }
    pub fn __code(
        _: &(),
        (__a0, __a1): (&[f64], &[f64]),
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &(),
            (&[f64], &[f64]),
            &mut ::differentiable::__rt::Ct<()>,
            (
                &mut [::differentiable::__rt::Ct<f64>],
                &mut [::differentiable::__rt::Ct<f64>],
            ),
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp(
            (::differentiable::__rt::On, ::differentiable::__rt::On),
            __a0,
            __a1,
        );
        (
            __value,
            move |
                __ct,
                _: &(),
                (__a0, __a1): (&[f64], &[f64]),
                _: &mut ::differentiable::__rt::Ct<()>,
                (
                    __d0,
                    __d1,
                ): (
                    &mut [::differentiable::__rt::Ct<f64>],
                    &mut [::differentiable::__rt::Ct<f64>],
                )|
            { __pullback(__ct, __a0, __a1, __d0, __d1) },
        )
    }
    pub fn __forward_code(
        _: &(),
        _: &(),
        (__a0, __a1): (&[f64], &[f64]),
        (
            __t0,
            __t1,
        ): (
            &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
            &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
        ),
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        Self::__jvp(__a0, __t0, __a1, __t1)
    }
}
