impl overwritten {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __vjp<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
        __M2: ::differentiable::__rt::Mode,
    >(
        __modes: (__M0, __M1, __M2),
        x: f64,
        y: f64,
        n: usize,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &mut ::differentiable::__rt::Adj<f64, __M0>,
            &mut ::differentiable::__rt::Adj<f64, __M1>,
            &mut ::differentiable::__rt::Adj<usize, __M2>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = overwritten;
        let (m0, m1, m2) = __modes;
        let x: __Checked_overwritten<_> = x;
        let y: __Checked_overwritten<_> = y;
        let n: __Checked_overwritten<_> = n;
        let mut tape1 = ad::Tape::new();
        let mut s = x;
        {
            let __trips = 0..n;
            let __n = ad::count(&__trips);
            if __n != 0 {
                tape1.reserve(ad::trips(&__trips));
                tape1
                    .fill_reserved(
                        __n,
                        |__t| {
                            let k0 = s;
                            let v0 = k0.sin();
                            let v1 = v0 * k0;
                            let v2 = v1 * y;
                            s = v2;
                            (k0, v0)
                        },
                    );
            }
        }
        let __value = s;
        (
            __value,
            move |__ct, d_x, d_y, d_n| {
                let d_x: __Checked_overwritten<_> = d_x;
                let d_y: __Checked_overwritten<_> = d_y;
                let d_n: __Checked_overwritten<_> = d_n;
                let __ct: __Checked_overwritten<_> = __ct;
                let mut d_s = ad::F64.zero();
                ad::acc(&ad::F64, __ct, &mut d_s);
                for _trip in (0..n).rev() {
                    let (k0, v0) = tape1.pop();
                    let v1 = v0 * k0;
                    let mut d_k0 = ad::F64.zero();
                    let mut d_v0 = ad::F64.zero();
                    let mut d_v1 = ad::F64.zero();
                    let mut d_v2 = ad::F64.zero();
                    let __ct = ad::take(&ad::F64, &mut d_s);
                    ad::acc(&ad::F64, __ct, &mut d_v2);
                    ad::mul::pull_l(&ad::F64, &y, &d_v2, &mut d_v1);
                    ad::mul::pull_r(&v1, &ad::F64, &d_v2, &mut *d_y);
                    ad::mul::pull_l(&ad::F64, &k0, &d_v1, &mut d_v0);
                    ad::mul::pull_r(&v0, &ad::F64, &d_v1, &mut d_k0);
                    ad::sin::pull(&k0, &d_v0, &mut d_k0);
                    ad::acc(&ad::F64, d_k0, &mut d_s);
                }
                ad::acc(&ad::F64, d_s, &mut *d_x);
            },
        )
    }
    pub fn __jvp(
        x: f64,
        t_x: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
        y: f64,
        t_y: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
        n: usize,
        t_n: <usize as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x: __Checked_overwritten<_> = x;
        let y: __Checked_overwritten<_> = y;
        let n: __Checked_overwritten<_> = n;
        let t_x: __Checked_overwritten<_> = t_x;
        let t_y: __Checked_overwritten<_> = t_y;
        let t_n: __Checked_overwritten<_> = t_n;
        let mut s = x;
        let mut t_s = t_x;
        for _trip in 0..n {
            let v0 = s.sin();
            let t_v0 = ad::sin::push(&s, &v0, &t_s);
            let v1 = v0 * s;
            let t_v1 = ad::tangent_sum(
                ad::mul::push_l(&v0, &s, &v1, &t_v0),
                ad::mul::push_r(&v0, &s, &v1, &t_s),
            );
            let v2 = v1 * y;
            let t_v2 = ad::tangent_sum(
                ad::mul::push_l(&v1, &y, &v2, &t_v1),
                ad::mul::push_r(&v1, &y, &v2, &t_y),
            );
            let __tangent = t_v2;
            s = v2;
            t_s = __tangent;
        }
        let __tangent = t_s;
        (s, __tangent)
    }
    pub fn __code(
        _: &(),
        (__a0, __a1, __a2): (&f64, &f64, &usize),
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &(),
            (&f64, &f64, &usize),
            &mut ::differentiable::__rt::Ct<()>,
            (
                &mut ::differentiable::__rt::Ct<f64>,
                &mut ::differentiable::__rt::Ct<f64>,
                &mut ::differentiable::__rt::Ct<usize>,
            ),
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp(
            (
                ::differentiable::__rt::On,
                ::differentiable::__rt::On,
                ::differentiable::__rt::On,
            ),
            ::core::clone::Clone::clone(__a0),
            ::core::clone::Clone::clone(__a1),
            ::core::clone::Clone::clone(__a2),
        );
        (
            __value,
            move |
                __ct,
                _: &(),
                (__a0, __a1, __a2): (&f64, &f64, &usize),
                _: &mut ::differentiable::__rt::Ct<()>,
                (
                    __d0,
                    __d1,
                    __d2,
                ): (
                    &mut ::differentiable::__rt::Ct<f64>,
                    &mut ::differentiable::__rt::Ct<f64>,
                    &mut ::differentiable::__rt::Ct<usize>,
                )|
            { __pullback(__ct, __d0, __d1, __d2) },
        )
    }
    pub fn __forward_code(
        _: &(),
        _: &(),
        (__a0, __a1, __a2): (&f64, &f64, &usize),
        (
            __t0,
            __t1,
            __t2,
        ): (
            &<f64 as ::differentiable::__rt::Differentiable>::Tangent,
            &<f64 as ::differentiable::__rt::Differentiable>::Tangent,
            &<usize as ::differentiable::__rt::Differentiable>::Tangent,
        ),
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        Self::__jvp(
            ::core::clone::Clone::clone(__a0),
            ::core::clone::Clone::clone(__t0),
            ::core::clone::Clone::clone(__a1),
            ::core::clone::Clone::clone(__t1),
            ::core::clone::Clone::clone(__a2),
            ::core::clone::Clone::clone(__t2),
        )
    }
}
