impl add_column {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __vjp<
        __M0: ::differentiable::__rt::Followed,
        __M1: ::differentiable::__rt::Mode,
        __M2: ::differentiable::__rt::Mode,
        __M3: ::differentiable::__rt::Mode,
    >(
        __modes: (__M0, __M1, __M2, __M3),
        y: &mut [f64],
        l: &[f64],
        c: f64,
        from: usize,
    ) -> (
        (),
        impl FnOnce(
            ::differentiable::__rt::Ct<()>,
            ::differentiable::__rt::Gone,
            &[f64],
            &mut [::differentiable::__rt::Adj<f64, ::differentiable::__rt::On>],
            &mut [::differentiable::__rt::Adj<f64, __M1>],
            &mut ::differentiable::__rt::Adj<f64, __M2>,
            &mut ::differentiable::__rt::Adj<usize, __M3>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = add_column;
        let (m0, m1, m2, m3) = __modes;
        let y: __Checked_add_column<_> = y;
        let l: __Checked_add_column<_> = l;
        let c: __Checked_add_column<_> = c;
        let from: __Checked_add_column<_> = from;
        let w_y = y.__wit();
        {
            let __trips = 0..l.len();
            let __n = ad::count(&__trips);
            if __n != 0 {
                let part0 = ad::window(&l[..], __n, || 0);
                let part1 = ad::window_mut(&mut y[..], __n, || from);
                for __t in 0..__n {
                    let v0 = part0[__t] * c;
                    part1[__t] += v0;
                }
            }
        }
        let __value = ();
        (
            __value,
            move |__ct, _, l, d_y, d_l, d_c, d_from| {
                let d_l = &mut d_l[..l.len()];
                let l: __Checked_add_column<_> = l;
                let d_y: __Checked_add_column<_> = d_y;
                let d_l: __Checked_add_column<_> = d_l;
                let d_c: __Checked_add_column<_> = d_c;
                let d_from: __Checked_add_column<_> = d_from;
                let __ct: __Checked_add_column<_> = __ct;
                let _ = __ct;
                {
                    let __trips = 0..l.len();
                    let __n = ad::count(&__trips);
                    if __n != 0 {
                        let part0 = ad::window(&l[..], __n, || 0);
                        let d_part0 = ad::window_mut(&mut d_l[..], __n, || 0);
                        let d_part1 = ad::window_mut(&mut d_y[..], __n, || from);
                        let mut sums0 = [ad::F64.zero(); ad::LANES];
                        for __block in 0..__n / ad::LANES {
                            let part0 = ad::block(part0, __block);
                            let into0 = ad::block_mut(d_part0, __block);
                            let mut d_part0 = [ad::F64.zero(); ad::LANES];
                            let d_part1 = ad::block_mut(d_part1, __block);
                            for __t in 0..ad::LANES {
                                let d_c = &mut sums0[__t];
                                let mut d_v0 = ad::F64.zero();
                                ad::add::pull_r(
                                    &ad::F64,
                                    &ad::F64,
                                    &d_part1[__t],
                                    &mut d_v0,
                                );
                                ad::mul::pull_l(&ad::F64, &c, &d_v0, &mut d_part0[__t]);
                                ad::mul::pull_r(&part0[__t], &ad::F64, &d_v0, &mut *d_c);
                            }
                            for __t in 0..ad::LANES {
                                ad::acc(&ad::F64, d_part0[__t], &mut into0[__t]);
                            }
                        }
                        for __t in __n - __n % ad::LANES..__n {
                            let d_c = &mut sums0[0];
                            let mut d_v0 = ad::F64.zero();
                            ad::add::pull_r(
                                &ad::F64,
                                &ad::F64,
                                &d_part1[__t],
                                &mut d_v0,
                            );
                            ad::mul::pull_l(&ad::F64, &c, &d_v0, &mut d_part0[__t]);
                            ad::mul::pull_r(&part0[__t], &ad::F64, &d_v0, &mut *d_c);
                        }
                        ad::add_sums(&ad::F64, sums0, &mut *d_c);
                    }
                }
            },
        )
    }
    pub fn __jvp(
        y: &mut [f64],
        t_y: &mut [<f64 as ::differentiable::__rt::Differentiable>::Tangent],
        l: &[f64],
        t_l: &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
        c: f64,
        t_c: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
        from: usize,
        t_from: <usize as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> ((), <() as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let y: __Checked_add_column<_> = y;
        let l: __Checked_add_column<_> = l;
        let c: __Checked_add_column<_> = c;
        let from: __Checked_add_column<_> = from;
        let t_y: __Checked_add_column<_> = t_y;
        let t_l: __Checked_add_column<_> = t_l;
        let t_c: __Checked_add_column<_> = t_c;
        let t_from: __Checked_add_column<_> = t_from;
        for i in 0..l.len() {
            let v0 = l[i] * c;
            let t_v0 = ad::tangent_sum(
                ad::mul::push_l(&l[i], &c, &v0, &t_l[i]),
                ad::mul::push_r(&l[i], &c, &v0, &t_c),
            );
            let __tangent = ad::add::push_r(&y[from + i], &v0, &y[from + i], &t_v0);
            ad::tangent_add(&mut t_y[from + i], __tangent);
            y[from + i] += v0;
        }
        let __tangent = ();
        ((), __tangent)
    }
}
