impl rosenbrock {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __vjp<__M0: ::differentiable::__rt::Mode>(
        __modes: (__M0,),
        x: &[f64],
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &[f64],
            &mut [::differentiable::__rt::Adj<f64, __M0>],
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = rosenbrock;
        let (m0,) = __modes;
        let x: __Checked_rosenbrock<_> = x;
        let mut s: f64 = 0.0;
        for i in 0..x.len() - 1 {
            let v0 = x[i] * x[i];
            let a = x[i + 1] - v0;
            let b: __Checked_rosenbrock<_> = 1.0 - x[i];
            let v1: __Checked_rosenbrock<_> = 100.0 * a;
            let v2 = v1 * a;
            let v3 = b * b;
            let v4 = v2 + v3;
            s += v4;
        }
        let __value = s;
        (
            __value,
            move |__ct, x, d_x| {
                let d_x = &mut d_x[..x.len()];
                let x: __Checked_rosenbrock<_> = x;
                let d_x: __Checked_rosenbrock<_> = d_x;
                let __ct: __Checked_rosenbrock<_> = __ct;
                let mut d_s = ad::F64.zero();
                ad::acc(&ad::F64, __ct, &mut d_s);
                {
                    let __trips = 0..x.len() - 1;
                    let __n = ad::count(&__trips);
                    if __n != 0 {
                        let mut share1_0 = [ad::F64.zero(); ad::BLOCK + 1usize];
                        let from0 = 0;
                        let part0 = ad::window(&x[..], __n, || 0);
                        let mut share1_1 = [ad::F64.zero(); ad::BLOCK + 1usize];
                        let part1 = ad::window(&x[..], __n, || 1);
                        for __block in (0..__n.div_ceil(ad::BLOCK)).rev() {
                            let __first = ad::BLOCK * __block;
                            let __m = ad::BLOCK.min(__n - __first);
                            share1_0[0usize + __m..1usize + __m].fill(ad::F64.zero());
                            let own0 = &mut share1_0[0usize..][..__m];
                            let part0 = &part0[__first..][..__m];
                            let own1 = &mut share1_1[1usize..][..__m];
                            let part1 = &part1[__first..][..__m];
                            for __t in 0..__m {
                                let mut d_part0 = ad::Share(ad::F64.zero());
                                let mut d_part1 = ad::Share(ad::F64.zero());
                                let i = ad::nth(&__trips, __first + __t);
                                let v0 = part0[__t] * part0[__t];
                                let a = part1[__t] - v0;
                                let b = 1.0 - part0[__t];
                                let v1 = 100.0 * a;
                                let mut d_v0 = ad::F64.zero();
                                let mut d_a = ad::F64.zero();
                                let mut d_b = ad::F64.zero();
                                let mut d_v1 = ad::F64.zero();
                                let mut d_v2 = ad::F64.zero();
                                let mut d_v3 = ad::F64.zero();
                                let mut d_v4 = ad::F64.zero();
                                ad::add::pull_r(&ad::F64, &ad::F64, &d_s, &mut d_v4);
                                ad::add::pull_l(&ad::F64, &ad::F64, &d_v4, &mut d_v2);
                                ad::add::pull_r(&ad::F64, &ad::F64, &d_v4, &mut d_v3);
                                ad::mul::pull_l(&ad::F64, &b, &d_v3, &mut d_b);
                                ad::mul::pull_r(&b, &ad::F64, &d_v3, &mut d_b);
                                ad::mul::pull_l(&ad::F64, &a, &d_v2, &mut d_v1);
                                ad::mul::pull_r(&v1, &ad::F64, &d_v2, &mut d_a);
                                ad::mul::pull_r(&100.0, &ad::F64, &d_v1, &mut d_a);
                                ad::sub::pull_r(
                                    &ad::wit(&1.0),
                                    &ad::F64,
                                    &d_b,
                                    &mut d_part0[__t],
                                );
                                ad::sub::pull_l(
                                    &ad::F64,
                                    &ad::F64,
                                    &d_a,
                                    &mut d_part1[__t],
                                );
                                ad::sub::pull_r(&ad::F64, &ad::F64, &d_a, &mut d_v0);
                                ad::mul::pull_l(
                                    &ad::F64,
                                    &part0[__t],
                                    &d_v0,
                                    &mut d_part0[__t],
                                );
                                ad::mul::pull_r(
                                    &part0[__t],
                                    &ad::F64,
                                    &d_v0,
                                    &mut d_part0[__t],
                                );
                                own0[__t] = d_part0.0;
                                own1[__t] = d_part1.0;
                            }
                            ad::add_shares(
                                &ad::F64,
                                [&share1_0[..1usize + __m], &share1_1[..1usize + __m]],
                                &mut d_x[..],
                                from0 + __first,
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
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x: __Checked_rosenbrock<_> = x;
        let t_x: __Checked_rosenbrock<_> = t_x;
        let mut s: f64 = 0.0;
        let mut t_s = ad::zero_tangent(&s);
        for i in 0..x.len() - 1 {
            let v0 = x[i] * x[i];
            let t_v0 = ad::tangent_sum(
                ad::mul::push_l(&x[i], &x[i], &v0, &t_x[i]),
                ad::mul::push_r(&x[i], &x[i], &v0, &t_x[i]),
            );
            let a = x[i + 1] - v0;
            let t_a = ad::tangent_sum(
                ad::sub::push_l(&x[i + 1], &v0, &a, &t_x[i + 1]),
                ad::sub::push_r(&x[i + 1], &v0, &a, &t_v0),
            );
            let b: __Checked_rosenbrock<_> = 1.0 - x[i];
            let t_b = ad::sub::push_r(&1.0, &x[i], &b, &t_x[i]);
            let v1: __Checked_rosenbrock<_> = 100.0 * a;
            let t_v1 = ad::mul::push_r(&100.0, &a, &v1, &t_a);
            let v2 = v1 * a;
            let t_v2 = ad::tangent_sum(
                ad::mul::push_l(&v1, &a, &v2, &t_v1),
                ad::mul::push_r(&v1, &a, &v2, &t_a),
            );
            let v3 = b * b;
            let t_v3 = ad::tangent_sum(
                ad::mul::push_l(&b, &b, &v3, &t_b),
                ad::mul::push_r(&b, &b, &v3, &t_b),
            );
            let v4 = v2 + v3;
            let t_v4 = ad::tangent_sum(
                ad::add::push_l(&v2, &v3, &v4, &t_v2),
                ad::add::push_r(&v2, &v3, &v4, &t_v3),
            );
            let __tangent = ad::add::push_r(&s, &v4, &s, &t_v4);
            ad::tangent_add(&mut t_s, __tangent);
            s += v4;
        }
        let __tangent = t_s;
        (s, __tangent)
    }
    pub fn __code(
        _: &(),
        (__a0,): (&[f64],),
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &(),
            (&[f64],),
            &mut ::differentiable::__rt::Ct<()>,
            (&mut [::differentiable::__rt::Ct<f64>],),
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp((::differentiable::__rt::On,), __a0);
        (
            __value,
            move |
                __ct,
                _: &(),
                (__a0,): (&[f64],),
                _: &mut ::differentiable::__rt::Ct<()>,
                (__d0,): (&mut [::differentiable::__rt::Ct<f64>],)|
            { __pullback(__ct, __a0, __d0) },
        )
    }
    pub fn __forward_code(
        _: &(),
        _: &(),
        (__a0,): (&[f64],),
        (__t0,): (&[<f64 as ::differentiable::__rt::Differentiable>::Tangent],),
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        Self::__jvp(__a0, __t0)
    }
}
