impl dot {
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
        let _ = dot;
        let (m0, m1) = __modes;
        let x: __Checked_dot<_> = x;
        let y: __Checked_dot<_> = y;
        let mut s: f64 = 0.0;
        for i in 0..x.len() {
            let v0 = x[i] * y[i];
            s += v0;
        }
        let __value = s;
        (
            __value,
            move |__ct, x, y, d_x, d_y| {
                let d_x = &mut d_x[..x.len()];
                let d_y = &mut d_y[..y.len()];
                let x: __Checked_dot<_> = x;
                let y: __Checked_dot<_> = y;
                let d_x: __Checked_dot<_> = d_x;
                let d_y: __Checked_dot<_> = d_y;
                let __ct: __Checked_dot<_> = __ct;
                let mut d_s = ad::F64.zero();
                ad::acc(&ad::F64, __ct, &mut d_s);
                {
                    let __trips = 0..x.len();
                    let __n = ad::count(&__trips);
                    if __n != 0 {
                        let part0 = ad::window(&x[..], __n, || 0);
                        let d_part0 = ad::window_mut(&mut d_x[..], __n, || 0);
                        let part1 = ad::window(&y[..], __n, || 0);
                        let d_part1 = ad::window_mut(&mut d_y[..], __n, || 0);
                        for __t in 0..__n {
                            let mut d_v0 = ad::F64.zero();
                            ad::add::pull_r(&ad::F64, &ad::F64, &d_s, &mut d_v0);
                            ad::mul::pull_l(
                                &ad::F64,
                                &part1[__t],
                                &d_v0,
                                &mut d_part0[__t],
                            );
                            ad::mul::pull_r(
                                &part0[__t],
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
        let x: __Checked_dot<_> = x;
        let y: __Checked_dot<_> = y;
        let t_x: __Checked_dot<_> = t_x;
        let t_y: __Checked_dot<_> = t_y;
        let mut s: f64 = 0.0;
        let mut t_s = ad::zero_tangent(&s);
        for i in 0..x.len() {
            let v0 = x[i] * y[i];
            let t_v0 = ad::tangent_sum(
                ad::mul::push_l(&x[i], &y[i], &v0, &t_x[i]),
                ad::mul::push_r(&x[i], &y[i], &v0, &t_y[i]),
            );
            let __tangent = ad::add::push_r(&s, &v0, &s, &t_v0);
            ad::tangent_add(&mut t_s, __tangent);
            s += v0;
        }
        let __tangent = t_s;
        (s, __tangent)
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
