impl energy {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __vjp<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Inactive,
    >(
        __modes: (__M0, __M1),
        s: &Springs,
        rest: &Rest,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &__Checked_energy<Springs>,
            &__Checked_energy<Rest>,
            &mut ::differentiable::__rt::Adj<__Checked_energy<Springs>, __M0>,
            &mut dyn ::differentiable::__rt::Unread,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = energy;
        let (m0, m1) = __modes;
        let s: __Checked_energy<_> = s;
        let rest: __Checked_energy<_> = rest;
        let mut total: f64 = 0.0;
        for i in 0..s.at.len() - 1 {
            let v0 = s.at[i + 1] - s.at[i];
            let stretch = v0 - rest.lengths[i];
            let v1: __Checked_energy<_> = 0.5 * s.stiffness[i];
            let v2 = v1 * stretch;
            let v3 = v2 * stretch;
            total += v3;
        }
        let __value = total;
        (
            __value,
            move |__ct, s, rest, d_s, d_rest| {
                let s: __Checked_energy<_> = s;
                let rest: __Checked_energy<_> = rest;
                let d_s: __Checked_energy<_> = d_s;
                let d_rest: __Checked_energy<_> = d_rest;
                let __ct: __Checked_energy<_> = __ct;
                let mut d_total = ad::F64.zero();
                ad::acc(&ad::F64, __ct, &mut d_total);
                {
                    let __trips = 0..s.at.len() - 1;
                    let __n = ad::count(&__trips);
                    if __n != 0 {
                        let mut share1_0 = [ad::F64.zero(); ad::BLOCK + 1usize];
                        let part0 = ad::window(&s.at[..], __n, || 1);
                        let mut share1_1 = [ad::F64.zero(); ad::BLOCK + 1usize];
                        let from1 = 0;
                        let part1 = ad::window(&s.at[..], __n, || 0);
                        let mut share1_2 = [ad::F64.zero(); ad::BLOCK + 0usize];
                        let from2 = 0;
                        let part2 = ad::window(&s.stiffness[..], __n, || 0);
                        for __block in (0..__n.div_ceil(ad::BLOCK)).rev() {
                            let __first = ad::BLOCK * __block;
                            let __m = ad::BLOCK.min(__n - __first);
                            let own0 = &mut share1_0[1usize..][..__m];
                            let part0 = &part0[__first..][..__m];
                            share1_1[0usize + __m..1usize + __m].fill(ad::F64.zero());
                            let own1 = &mut share1_1[0usize..][..__m];
                            let part1 = &part1[__first..][..__m];
                            let own2 = &mut share1_2[0usize..][..__m];
                            let part2 = &part2[__first..][..__m];
                            for __t in 0..__m {
                                let mut d_part0 = ad::Share(ad::F64.zero());
                                let mut d_part1 = ad::Share(ad::F64.zero());
                                let mut d_part2 = ad::Share(ad::F64.zero());
                                let i = ad::nth(&__trips, __first + __t);
                                let v0 = part0[__t] - part1[__t];
                                let stretch = v0 - rest.lengths[i];
                                let v1 = 0.5 * part2[__t];
                                let v2 = v1 * stretch;
                                let mut d_v0 = ad::F64.zero();
                                let mut d_stretch = ad::F64.zero();
                                let mut d_v1 = ad::F64.zero();
                                let mut d_v2 = ad::F64.zero();
                                let mut d_v3 = ad::F64.zero();
                                ad::add::pull_r(&ad::F64, &ad::F64, &d_total, &mut d_v3);
                                ad::mul::pull_l(&ad::F64, &stretch, &d_v3, &mut d_v2);
                                ad::mul::pull_r(&v2, &ad::F64, &d_v3, &mut d_stretch);
                                ad::mul::pull_l(&ad::F64, &stretch, &d_v2, &mut d_v1);
                                ad::mul::pull_r(&v1, &ad::F64, &d_v2, &mut d_stretch);
                                ad::mul::pull_r(&0.5, &ad::F64, &d_v1, &mut d_part2[__t]);
                                ad::sub::pull_l(
                                    &ad::F64,
                                    &ad::wit(&rest.lengths[i]),
                                    &d_stretch,
                                    &mut d_v0,
                                );
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
                                own0[__t] = d_part0.0;
                                own1[__t] = d_part1.0;
                                own2[__t] = d_part2.0;
                            }
                            ad::add_shares(
                                &ad::F64,
                                [&share1_0[..1usize + __m], &share1_1[..1usize + __m]],
                                &mut d_s.at[..],
                                from1 + __first,
                            );
                            ad::add_shares(
                                &ad::F64,
                                [&share1_2[..0usize + __m]],
                                &mut d_s.stiffness[..],
                                from2 + __first,
                            );
                        }
                    }
                }
            },
        )
    }
    pub fn __jvp(
        s: &Springs,
        t_s: &<__Checked_energy<
            Springs,
        > as ::differentiable::__rt::Differentiable>::Tangent,
        rest: &Rest,
        t_rest: impl ::core::marker::Sized,
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let s: __Checked_energy<_> = s;
        let rest: __Checked_energy<_> = rest;
        let t_s: __Checked_energy<_> = t_s;
        let t_rest: __Checked_energy<_> = t_rest;
        let mut total: f64 = 0.0;
        let mut t_total = ad::zero_tangent(&total);
        for i in 0..s.at.len() - 1 {
            let v0 = s.at[i + 1] - s.at[i];
            let t_v0 = ad::tangent_sum(
                ad::sub::push_l(
                    &s.at[i + 1],
                    &s.at[i],
                    &v0,
                    &(*ad::FieldTangent(
                            &s.at[i + 1],
                            &(*ad::Within(&s.at, &t_s.at)
                                .part(|__whole| &__whole[i + 1])),
                        )
                        .get(&mut ::core::option::Option::None)),
                ),
                ad::sub::push_r(
                    &s.at[i + 1],
                    &s.at[i],
                    &v0,
                    &(*ad::FieldTangent(
                            &s.at[i],
                            &(*ad::Within(&s.at, &t_s.at).part(|__whole| &__whole[i])),
                        )
                        .get(&mut ::core::option::Option::None)),
                ),
            );
            let stretch = v0 - rest.lengths[i];
            let t_stretch = ad::sub::push_l(&v0, &rest.lengths[i], &stretch, &t_v0);
            let v1: __Checked_energy<_> = 0.5 * s.stiffness[i];
            let t_v1 = ad::mul::push_r(
                &0.5,
                &s.stiffness[i],
                &v1,
                &(*ad::FieldTangent(
                        &s.stiffness[i],
                        &(*ad::Within(&s.stiffness, &t_s.stiffness)
                            .part(|__whole| &__whole[i])),
                    )
                    .get(&mut ::core::option::Option::None)),
            );
            let v2 = v1 * stretch;
            let t_v2 = ad::tangent_sum(
                ad::mul::push_l(&v1, &stretch, &v2, &t_v1),
                ad::mul::push_r(&v1, &stretch, &v2, &t_stretch),
            );
            let v3 = v2 * stretch;
            let t_v3 = ad::tangent_sum(
                ad::mul::push_l(&v2, &stretch, &v3, &t_v2),
                ad::mul::push_r(&v2, &stretch, &v3, &t_stretch),
            );
            let __tangent = ad::add::push_r(&total, &v3, &total, &t_v3);
            ad::tangent_add(&mut t_total, __tangent);
            total += v3;
        }
        let __tangent = t_total;
        (total, __tangent)
    }
}
