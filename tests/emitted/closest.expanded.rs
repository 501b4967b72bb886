impl closest {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __vjp<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
        __M2: ::differentiable::__rt::Mode,
    >(
        __modes: (__M0, __M1, __M2),
        centres: &[f64],
        w: &[f64],
        along: f64,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &[f64],
            &[f64],
            &mut [::differentiable::__rt::Adj<f64, __M0>],
            &mut [::differentiable::__rt::Adj<f64, __M1>],
            &mut ::differentiable::__rt::Adj<f64, __M2>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = closest;
        let (m0, m1, m2) = __modes;
        let centres: __Checked_closest<_> = centres;
        let w: __Checked_closest<_> = w;
        let along: __Checked_closest<_> = along;
        let mut tape1 = ad::Tape::new();
        let mut tape2 = ad::Tape::new();
        let mut closest: f64 = 50.0;
        let mut colour: f64 = 0.1;
        let mut trips1: __Checked_closest<_> = 0usize;
        let start1_2 = tape2.len();
        for i in 0..centres.len() {
            let mark1_2 = tape2.len();
            let mut t = along;
            {
                let __trips = 0..w.len();
                let __n = ad::count(&__trips);
                if __n != 0 {
                    tape2.reserve(ad::trips(&__trips));
                    let part0 = ad::window(&w[..], __n, || 0);
                    tape2
                        .fill_reserved(
                            __n,
                            |__t| {
                                let k0 = t;
                                let v0 = k0 * part0[__t];
                                let v1 = v0.sin();
                                let v2 = v1 + centres[i];
                                t = v2;
                                (k0,)
                            },
                        );
                }
            }
            let branch5: __Checked_closest<_> = if t < closest {
                closest = t;
                let v3 = t * w[i];
                colour = v3;
                ad::Either::L(())
            } else {
                ad::Either::R(())
            };
            let __pick = match &branch5 {
                ad::Either::L(_) => ad::Pick::Right,
                ad::Either::R(_) => ad::Pick::Left,
            };
            if __pick == ad::Pick::Left {
                tape2.truncate(mark1_2);
            }
            ad::turn(&mut tape1, &mut trips1, (i, t, branch5), __pick, ad::Pick::Left);
        }
        let v4 = colour * closest;
        let __value = v4;
        (
            __value,
            move |__ct, centres, w, d_centres, d_w, d_along| {
                let d_centres = &mut d_centres[..centres.len()];
                let d_w = &mut d_w[..w.len()];
                let centres: __Checked_closest<_> = centres;
                let w: __Checked_closest<_> = w;
                let d_centres: __Checked_closest<_> = d_centres;
                let d_w: __Checked_closest<_> = d_w;
                let d_along: __Checked_closest<_> = d_along;
                let __ct: __Checked_closest<_> = __ct;
                let mut d_closest = ad::F64.zero();
                let mut d_colour = ad::F64.zero();
                let mut d_v4 = ad::F64.zero();
                ad::acc(&ad::F64, __ct, &mut d_v4);
                ad::mul::pull_l(&ad::F64, &closest, &d_v4, &mut d_colour);
                ad::mul::pull_r(&colour, &ad::F64, &d_v4, &mut d_closest);
                for _ in 0..trips1 {
                    let (i, t, branch5) = tape1.pop();
                    let mut d_t = ad::F64.zero();
                    match branch5 {
                        ad::Either::L(()) => {
                            let mut d_v3 = ad::F64.zero();
                            let __ct = ad::take(&ad::F64, &mut d_colour);
                            ad::acc(&ad::F64, __ct, &mut d_v3);
                            ad::mul::pull_l(&ad::F64, &w[i], &d_v3, &mut d_t);
                            ad::mul::pull_r(&t, &ad::F64, &d_v3, &mut d_w[i]);
                            let __ct = ad::take(&ad::F64, &mut d_closest);
                            ad::acc(&ad::F64, __ct, &mut d_t);
                        }
                        ad::Either::R(()) => {}
                    }
                    {
                        let __trips = 0..w.len();
                        let __n = ad::count(&__trips);
                        if __n != 0 {
                            let __kept = tape2.last(__n);
                            let part0 = ad::window(&w[..], __n, || 0);
                            let d_part0 = ad::window_mut(&mut d_w[..], __n, || 0);
                            for __t in (0..__n).rev() {
                                let (k0,) = __kept[__t];
                                let v0 = k0 * part0[__t];
                                let mut d_k0 = ad::F64.zero();
                                let mut d_v0 = ad::F64.zero();
                                let mut d_v1 = ad::F64.zero();
                                let mut d_v2 = ad::F64.zero();
                                let __ct = ad::take(&ad::F64, &mut d_t);
                                ad::acc(&ad::F64, __ct, &mut d_v2);
                                ad::add::pull_l(&ad::F64, &ad::F64, &d_v2, &mut d_v1);
                                ad::add::pull_r(
                                    &ad::F64,
                                    &ad::F64,
                                    &d_v2,
                                    &mut d_centres[i],
                                );
                                ad::sin::pull(&v0, &d_v1, &mut d_v0);
                                ad::mul::pull_l(&ad::F64, &part0[__t], &d_v0, &mut d_k0);
                                ad::mul::pull_r(&k0, &ad::F64, &d_v0, &mut d_part0[__t]);
                                ad::acc(&ad::F64, d_k0, &mut d_t);
                            }
                        }
                    }
                    ad::acc(&ad::F64, d_t, &mut *d_along);
                }
                tape2.truncate(start1_2);
            },
        )
    }
    pub fn __jvp(
        centres: &[f64],
        t_centres: &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
        w: &[f64],
        t_w: &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
        along: f64,
        t_along: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let centres: __Checked_closest<_> = centres;
        let w: __Checked_closest<_> = w;
        let along: __Checked_closest<_> = along;
        let t_centres: __Checked_closest<_> = t_centres;
        let t_w: __Checked_closest<_> = t_w;
        let t_along: __Checked_closest<_> = t_along;
        let mut closest: f64 = 50.0;
        let mut t_closest = ad::zero_tangent(&closest);
        let mut colour: f64 = 0.1;
        let mut t_colour = ad::zero_tangent(&colour);
        for i in 0..centres.len() {
            let mut t = along;
            let mut t_t = t_along;
            for j in 0..w.len() {
                let v0 = t * w[j];
                let t_v0 = ad::tangent_sum(
                    ad::mul::push_l(&t, &w[j], &v0, &t_t),
                    ad::mul::push_r(&t, &w[j], &v0, &t_w[j]),
                );
                let v1 = v0.sin();
                let t_v1 = ad::sin::push(&v0, &v1, &t_v0);
                let v2 = v1 + centres[i];
                let t_v2 = ad::tangent_sum(
                    ad::add::push_l(&v1, &centres[i], &v2, &t_v1),
                    ad::add::push_r(&v1, &centres[i], &v2, &t_centres[i]),
                );
                let __tangent = t_v2;
                t = v2;
                t_t = __tangent;
            }
            if t < closest {
                let __tangent = t_t;
                closest = t;
                t_closest = __tangent;
                let v3 = t * w[i];
                let t_v3 = ad::tangent_sum(
                    ad::mul::push_l(&t, &w[i], &v3, &t_t),
                    ad::mul::push_r(&t, &w[i], &v3, &t_w[i]),
                );
                let __tangent = t_v3;
                colour = v3;
                t_colour = __tangent;
            } else {}
        }
        let v4 = colour * closest;
        let t_v4 = ad::tangent_sum(
            ad::mul::push_l(&colour, &closest, &v4, &t_colour),
            ad::mul::push_r(&colour, &closest, &v4, &t_closest),
        );
        let __tangent = t_v4;
        (v4, __tangent)
    }
    pub fn __code(
        _: &(),
        (__a0, __a1, __a2): (&[f64], &[f64], &f64),
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &(),
            (&[f64], &[f64], &f64),
            &mut ::differentiable::__rt::Ct<()>,
            (
                &mut [::differentiable::__rt::Ct<f64>],
                &mut [::differentiable::__rt::Ct<f64>],
                &mut ::differentiable::__rt::Ct<f64>,
            ),
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp(
            (
                ::differentiable::__rt::On,
                ::differentiable::__rt::On,
                ::differentiable::__rt::On,
            ),
            __a0,
            __a1,
            ::core::clone::Clone::clone(__a2),
        );
        (
            __value,
            move |
                __ct,
                _: &(),
                (__a0, __a1, __a2): (&[f64], &[f64], &f64),
                _: &mut ::differentiable::__rt::Ct<()>,
                (
                    __d0,
                    __d1,
                    __d2,
                ): (
                    &mut [::differentiable::__rt::Ct<f64>],
                    &mut [::differentiable::__rt::Ct<f64>],
                    &mut ::differentiable::__rt::Ct<f64>,
                )|
            { __pullback(__ct, __a0, __a1, __d0, __d1, __d2) },
        )
    }
    pub fn __forward_code(
        _: &(),
        _: &(),
        (__a0, __a1, __a2): (&[f64], &[f64], &f64),
        (
            __t0,
            __t1,
            __t2,
        ): (
            &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
            &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
            &<f64 as ::differentiable::__rt::Differentiable>::Tangent,
        ),
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        Self::__jvp(
            __a0,
            __t0,
            __a1,
            __t1,
            ::core::clone::Clone::clone(__a2),
            ::core::clone::Clone::clone(__t2),
        )
    }
}
