impl nearest {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __vjp<
        __M0: ::differentiable::__rt::Inactive,
        __M1: ::differentiable::__rt::Mode,
        __M2: ::differentiable::__rt::Mode,
    >(
        __modes: (__M0, __M1, __M2),
        points: &[f64],
        centroids: &[f64],
        d: usize,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &[f64],
            &[f64],
            &mut dyn ::differentiable::__rt::Unread,
            &mut [::differentiable::__rt::Adj<f64, __M1>],
            &mut ::differentiable::__rt::Adj<usize, __M2>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = nearest;
        let (m0, m1, m2) = __modes;
        let points: __Checked_nearest<_> = points;
        let centroids: __Checked_nearest<_> = centroids;
        let d: __Checked_nearest<_> = d;
        let mut tape1 = ad::Tape::new();
        let mut tape2 = ad::Tape::new();
        let mut total: f64 = 0.0;
        let __trips = 0..points.len() / d;
        tape1.reserve(ad::trips(&__trips));
        for __k1 in __trips {
            let point = &points[__k1 * d..__k1 * d + d];
            let mut nearest: f64 = f64::INFINITY;
            let mut latest2 = ad::Latest::new(&tape2, ad::Pick::Left);
            for __k2 in 0..centroids.len() / d {
                let centroid = &centroids[__k2 * d..__k2 * d + d];
                let mut distance: f64 = 0.0;
                for j in 0..d {
                    let difference = centroids[__k2 * d..__k2 * d + d][j] - point[j];
                    let v0 = difference * difference;
                    distance += v0;
                }
                if &nearest < &distance || &distance < &nearest {
                    let __beats = &distance < &nearest;
                    nearest = if __beats { distance } else { nearest };
                    latest2.replaced(__beats, __k2);
                } else {
                    let sel_v1 = ad::min::sel(&nearest, &distance);
                    let v1 = nearest.min(distance);
                    nearest = v1;
                    latest2.turn(&mut tape2, __k2, sel_v1);
                }
            }
            let trips2 = latest2.finish(&mut tape2);
            total += nearest;
            tape1.push_reserved((trips2,));
        }
        let __value = total;
        (
            __value,
            move |__ct, points, centroids, d_points, d_centroids, d_d| {
                let d_centroids = &mut d_centroids[..centroids.len()];
                let points: __Checked_nearest<_> = points;
                let centroids: __Checked_nearest<_> = centroids;
                let d_points: __Checked_nearest<_> = d_points;
                let d_centroids: __Checked_nearest<_> = d_centroids;
                let d_d: __Checked_nearest<_> = d_d;
                let __ct: __Checked_nearest<_> = __ct;
                let mut d_total = ad::F64.zero();
                ad::acc(&ad::F64, __ct, &mut d_total);
                for __k1 in (0..points.len() / d).rev() {
                    let (trips2,) = tape1.pop();
                    let point = &points[__k1 * d..__k1 * d + d];
                    let mut d_nearest = ad::F64.zero();
                    ad::add::pull_r(&ad::F64, &ad::F64, &d_total, &mut d_nearest);
                    for _ in 0..trips2 {
                        let (__k2, sel_v1) = tape2.pop();
                        let mut d_distance = ad::F64.zero();
                        let mut d_v1 = ad::F64.zero();
                        let __ct = ad::take(&ad::F64, &mut d_nearest);
                        ad::acc(&ad::F64, __ct, &mut d_v1);
                        ad::min::pull_l(
                            &ad::F64,
                            &ad::F64,
                            &sel_v1,
                            &d_v1,
                            &mut d_nearest,
                        );
                        ad::min::pull_r(
                            &ad::F64,
                            &ad::F64,
                            &sel_v1,
                            &d_v1,
                            &mut d_distance,
                        );
                        {
                            let __trips = 0..d;
                            let __n = ad::count(&__trips);
                            if __n != 0 {
                                let part0 = ad::window(
                                    &centroids[__k2 * d..__k2 * d + d],
                                    __n,
                                    || 0,
                                );
                                let d_part0 = ad::window_mut(
                                    &mut d_centroids[__k2 * d..__k2 * d + d],
                                    __n,
                                    || 0,
                                );
                                for __t in 0..__n {
                                    let j = ad::nth(&__trips, __t);
                                    let difference = part0[__t] - point[j];
                                    let mut d_difference = ad::F64.zero();
                                    let mut d_v0 = ad::F64.zero();
                                    ad::add::pull_r(&ad::F64, &ad::F64, &d_distance, &mut d_v0);
                                    ad::mul::pull_l(
                                        &ad::F64,
                                        &difference,
                                        &d_v0,
                                        &mut d_difference,
                                    );
                                    ad::mul::pull_r(
                                        &difference,
                                        &ad::F64,
                                        &d_v0,
                                        &mut d_difference,
                                    );
                                    ad::sub::pull_l(
                                        &ad::F64,
                                        &ad::wit(&point[j]),
                                        &d_difference,
                                        &mut d_part0[__t],
                                    );
                                }
                            }
                        }
                    }
                }
            },
        )
    }
    pub fn __jvp(
        points: &[f64],
        t_points: impl ::core::marker::Sized,
        centroids: &[f64],
        t_centroids: &[<f64 as ::differentiable::__rt::Differentiable>::Tangent],
        d: usize,
        t_d: <usize as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let points: __Checked_nearest<_> = points;
        let centroids: __Checked_nearest<_> = centroids;
        let d: __Checked_nearest<_> = d;
        let t_points: __Checked_nearest<_> = t_points;
        let t_centroids: __Checked_nearest<_> = t_centroids;
        let t_d: __Checked_nearest<_> = t_d;
        let mut total: f64 = 0.0;
        let mut t_total = ad::zero_tangent(&total);
        for __k1 in 0..points.len() / d {
            let point = &points[__k1 * d..__k1 * d + d];
            let mut nearest: f64 = f64::INFINITY;
            let mut t_nearest = ad::zero_tangent(&nearest);
            for __k2 in 0..centroids.len() / d {
                let centroid = &centroids[__k2 * d..__k2 * d + d];
                let mut distance: f64 = 0.0;
                let mut t_distance = ad::zero_tangent(&distance);
                for j in 0..d {
                    let difference = centroids[__k2 * d..__k2 * d + d][j] - point[j];
                    let t_difference = ad::sub::push_l(
                        &centroids[__k2 * d..__k2 * d + d][j],
                        &point[j],
                        &difference,
                        &t_centroids[__k2 * d..__k2 * d + d][j],
                    );
                    let v0 = difference * difference;
                    let t_v0 = ad::tangent_sum(
                        ad::mul::push_l(&difference, &difference, &v0, &t_difference),
                        ad::mul::push_r(&difference, &difference, &v0, &t_difference),
                    );
                    let __tangent = ad::add::push_r(&distance, &v0, &distance, &t_v0);
                    ad::tangent_add(&mut t_distance, __tangent);
                    distance += v0;
                }
                let v1 = nearest.min(distance);
                let t_v1 = ad::tangent_sum(
                    ad::min::push_l(&nearest, &distance, &v1, &t_nearest),
                    ad::min::push_r(&nearest, &distance, &v1, &t_distance),
                );
                let __tangent = t_v1;
                nearest = v1;
                t_nearest = __tangent;
            }
            let __tangent = ad::add::push_r(&total, &nearest, &total, &t_nearest);
            ad::tangent_add(&mut t_total, __tangent);
            total += nearest;
        }
        let __tangent = t_total;
        (total, __tangent)
    }
}
