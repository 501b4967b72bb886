impl largest_entry {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __vjp<__M0: ::differentiable::__rt::Mode, __M1: ::differentiable::__rt::Mode>(
        __modes: (__M0, __M1),
        x: &[f64],
        n: usize,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &[f64],
            &mut [::differentiable::__rt::Adj<f64, __M0>],
            &mut ::differentiable::__rt::Adj<usize, __M1>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = largest_entry;
        let (m0, m1) = __modes;
        let x: __Checked_largest_entry<_> = x;
        let n: __Checked_largest_entry<_> = n;
        let mut tape1 = ad::Tape::new();
        let row = &x[1..];
        let part = &x[1..][..n];
        let mut largest = x[0];
        let mut sum: f64 = {
            let value: f64 = 0.0;
            value
        };
        let mut trips1: __Checked_largest_entry<_> = 0usize;
        {
            let __trips = 0..n;
            let __n = ad::count(&__trips);
            let __first = largest;
            let __entries = ad::window(&x[1..][..n], __n, || 0);
            let __item = |__t| ad::nth(&__trips, __t);
            let __parts = (&mut tape1, &mut trips1);
            if !ad::extremum(
                __parts,
                __entries,
                __item,
                &mut largest,
                |__a, __x| __a.max(__x),
                |__x, __a| __x >= __a,
                ad::Pick::Right,
            ) {
                largest = __first;
                for i in __trips {
                    let sel_v0 = ad::max::sel(&largest, &x[1..][..n][i]);
                    let v0 = largest.max(x[1..][..n][i]);
                    largest = v0;
                }
            }
        }
        for i_1 in 0..n {
            let v1 = x[1..][..n][i_1] * x[1..][..n][i_1];
            sum += v1;
        }
        let v2 = largest + sum;
        let __value = v2;
        (
            __value,
            move |__ct, x, d_x, d_n| {
                let d_x = &mut d_x[..x.len()];
                let x: __Checked_largest_entry<_> = x;
                let d_x: __Checked_largest_entry<_> = d_x;
                let d_n: __Checked_largest_entry<_> = d_n;
                let __ct: __Checked_largest_entry<_> = __ct;
                let mut d_largest = ad::F64.zero();
                let mut d_sum = ad::F64.zero();
                let mut d_v2 = ad::F64.zero();
                ad::acc(&ad::F64, __ct, &mut d_v2);
                ad::add::pull_l(&ad::F64, &ad::F64, &d_v2, &mut d_largest);
                ad::add::pull_r(&ad::F64, &ad::F64, &d_v2, &mut d_sum);
                {
                    let __trips = 0..n;
                    let __n = ad::count(&__trips);
                    if __n != 0 {
                        let part0 = ad::window(&x[1..][..n], __n, || 0);
                        let d_part0 = ad::window_mut(&mut d_x[1..][..n], __n, || 0);
                        for __t in 0..__n {
                            let mut d_v1 = ad::F64.zero();
                            ad::add::pull_r(&ad::F64, &ad::F64, &d_sum, &mut d_v1);
                            ad::mul::pull_l(
                                &ad::F64,
                                &part0[__t],
                                &d_v1,
                                &mut d_part0[__t],
                            );
                            ad::mul::pull_r(
                                &part0[__t],
                                &ad::F64,
                                &d_v1,
                                &mut d_part0[__t],
                            );
                        }
                    }
                }
                for _ in 0..trips1 {
                    let (i, sel_v0) = tape1.pop();
                    let mut d_v0 = ad::F64.zero();
                    let __ct = ad::take(&ad::F64, &mut d_largest);
                    ad::acc(&ad::F64, __ct, &mut d_v0);
                    ad::max::pull_l(&ad::F64, &ad::F64, &sel_v0, &d_v0, &mut d_largest);
                    ad::max::pull_r(
                        &ad::F64,
                        &ad::F64,
                        &sel_v0,
                        &d_v0,
                        &mut d_x[1..][..n][i],
                    );
                }
                ad::acc(&ad::F64, d_largest, &mut d_x[0]);
            },
        )
    }
    pub fn __jvp(
        x: &[f64],
        t_x: &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
        n: usize,
        t_n: <usize as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x: __Checked_largest_entry<_> = x;
        let n: __Checked_largest_entry<_> = n;
        let t_x: __Checked_largest_entry<_> = t_x;
        let t_n: __Checked_largest_entry<_> = t_n;
        let row = &x[1..];
        let part = &x[1..][..n];
        let mut largest = x[0];
        let mut t_largest = t_x[0];
        let mut sum: f64 = {
            let value: f64 = 0.0;
            value
        };
        let mut t_sum = ad::zero_tangent(&sum);
        for i in 0..n {
            let v0 = largest.max(x[1..][..n][i]);
            let t_v0 = ad::tangent_sum(
                ad::max::push_l(&largest, &x[1..][..n][i], &v0, &t_largest),
                ad::max::push_r(&largest, &x[1..][..n][i], &v0, &t_x[1..][..n][i]),
            );
            let __tangent = t_v0;
            largest = v0;
            t_largest = __tangent;
        }
        for i_1 in 0..n {
            let v1 = x[1..][..n][i_1] * x[1..][..n][i_1];
            let t_v1 = ad::tangent_sum(
                ad::mul::push_l(
                    &x[1..][..n][i_1],
                    &x[1..][..n][i_1],
                    &v1,
                    &t_x[1..][..n][i_1],
                ),
                ad::mul::push_r(
                    &x[1..][..n][i_1],
                    &x[1..][..n][i_1],
                    &v1,
                    &t_x[1..][..n][i_1],
                ),
            );
            let __tangent = ad::add::push_r(&sum, &v1, &sum, &t_v1);
            ad::tangent_add(&mut t_sum, __tangent);
            sum += v1;
        }
        let v2 = largest + sum;
        let t_v2 = ad::tangent_sum(
            ad::add::push_l(&largest, &sum, &v2, &t_largest),
            ad::add::push_r(&largest, &sum, &v2, &t_sum),
        );
        let __tangent = t_v2;
        (v2, __tangent)
    }
    pub fn __code(
        _: &(),
        (__a0, __a1): (&[f64], &usize),
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &(),
            (&[f64], &usize),
            &mut ::differentiable::__rt::Ct<()>,
            (
                &mut [::differentiable::__rt::Ct<f64>],
                &mut ::differentiable::__rt::Ct<usize>,
            ),
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp(
            (::differentiable::__rt::On, ::differentiable::__rt::On),
            __a0,
            ::core::clone::Clone::clone(__a1),
        );
        (
            __value,
            move |
                __ct,
                _: &(),
                (__a0, __a1): (&[f64], &usize),
                _: &mut ::differentiable::__rt::Ct<()>,
                (
                    __d0,
                    __d1,
                ): (
                    &mut [::differentiable::__rt::Ct<f64>],
                    &mut ::differentiable::__rt::Ct<usize>,
                )|
            { __pullback(__ct, __a0, __d0, __d1) },
        )
    }
    pub fn __forward_code(
        _: &(),
        _: &(),
        (__a0, __a1): (&[f64], &usize),
        (
            __t0,
            __t1,
        ): (
            &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
            &<usize as ::differentiable::__rt::Differentiable>::Tangent,
        ),
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        Self::__jvp(
            __a0,
            __t0,
            ::core::clone::Clone::clone(__a1),
            ::core::clone::Clone::clone(__t1),
        )
    }
}
