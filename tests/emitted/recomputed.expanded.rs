impl recomputed {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __vjp<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
        __M2: ::differentiable::__rt::Followed,
    >(
        __modes: (__M0, __M1, __M2),
        x: f64,
        w: Vec<f64>,
        out: &mut [f64],
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            ::differentiable::__rt::Gone,
            &mut ::differentiable::__rt::Adj<f64, __M0>,
            &mut ::differentiable::__rt::Adj<Vec<f64>, __M1>,
            &mut [::differentiable::__rt::Adj<f64, ::differentiable::__rt::On>],
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = recomputed;
        let (m0, m1, m2) = __modes;
        let x: __Checked_recomputed<_> = x;
        let w: __Checked_recomputed<_> = w;
        let out: __Checked_recomputed<_> = out;
        let own_x = ad::saved(&x);
        let own_w = ad::saved(&w);
        let own_out = ::std::borrow::ToOwned::to_owned(&*out);
        let v0 = x.sin();
        let v1 = w[0] * v0;
        let v2 = out[0];
        let v3 = v2 * v1;
        out[0] = v3;
        let v4 = out[0] * out[1];
        let __value = v4;
        (
            __value,
            move |__ct, _, d_x, d_w, d_out| {
                let d_x: __Checked_recomputed<_> = d_x;
                let d_w: __Checked_recomputed<_> = d_w;
                let d_out: __Checked_recomputed<_> = d_out;
                let __ct: __Checked_recomputed<_> = __ct;
                let x = own_x;
                let w = own_w;
                let mut own_out = own_out;
                let out = &mut own_out[..];
                let w_w = w.__wit();
                let w_out = out.__wit();
                let v0 = x.sin();
                let v1 = w[0] * v0;
                let v2 = out[0];
                let v3 = v2 * v1;
                out[0] = v3;
                let k0 = out[1];
                let v4 = v3 * k0;
                let mut d_v0 = ad::F64.zero();
                let mut d_v1 = ad::F64.zero();
                let mut d_v2 = ad::F64.zero();
                let mut d_v3 = ad::F64.zero();
                let mut d_k0 = ad::F64.zero();
                let mut d_v4 = ad::F64.zero();
                ad::acc(&ad::F64, __ct, &mut d_v4);
                ad::mul::pull_l(&ad::F64, &k0, &d_v4, &mut d_v3);
                ad::mul::pull_r(&v3, &ad::F64, &d_v4, &mut d_k0);
                ad::acc(&ad::F64, d_k0, &mut d_out[1]);
                let __ct = ad::take(&ad::F64, &mut d_out[0]);
                ad::acc(&ad::F64, __ct, &mut d_v3);
                ad::mul::pull_l(&ad::F64, &v1, &d_v3, &mut d_v2);
                ad::mul::pull_r(&v2, &ad::F64, &d_v3, &mut d_v1);
                ad::acc(&ad::F64, d_v2, &mut d_out[0]);
                ad::mul::pull_l(&ad::F64, &v0, &d_v1, &mut d_w[0]);
                ad::mul::pull_r(&w[0], &ad::F64, &d_v1, &mut d_v0);
                ad::sin::pull(&x, &d_v0, &mut *d_x);
            },
        )
    }
    pub fn __jvp(
        x: f64,
        t_x: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
        w: Vec<f64>,
        t_w: <Vec<f64> as ::differentiable::__rt::Differentiable>::Tangent,
        out: &mut [f64],
        t_out: &mut [<f64 as ::differentiable::__rt::Differentiable>::Tangent],
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x: __Checked_recomputed<_> = x;
        let w: __Checked_recomputed<_> = w;
        let out: __Checked_recomputed<_> = out;
        let t_x: __Checked_recomputed<_> = t_x;
        let t_w: __Checked_recomputed<_> = t_w;
        let t_out: __Checked_recomputed<_> = t_out;
        let v0 = x.sin();
        let t_v0 = ad::sin::push(&x, &v0, &t_x);
        let v1 = w[0] * v0;
        let t_v1 = ad::tangent_sum(
            ad::mul::push_l(&w[0], &v0, &v1, &t_w[0]),
            ad::mul::push_r(&w[0], &v0, &v1, &t_v0),
        );
        let v2 = out[0];
        let t_v2 = t_out[0];
        let v3 = v2 * v1;
        let t_v3 = ad::tangent_sum(
            ad::mul::push_l(&v2, &v1, &v3, &t_v2),
            ad::mul::push_r(&v2, &v1, &v3, &t_v1),
        );
        let __tangent = t_v3;
        out[0] = v3;
        t_out[0] = __tangent;
        let v4 = out[0] * out[1];
        let t_v4 = ad::tangent_sum(
            ad::mul::push_l(&out[0], &out[1], &v4, &t_out[0]),
            ad::mul::push_r(&out[0], &out[1], &v4, &t_out[1]),
        );
        let __tangent = t_v4;
        (v4, __tangent)
    }
}
