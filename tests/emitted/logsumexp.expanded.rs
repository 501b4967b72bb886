impl logsumexp {
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
        let _ = logsumexp;
        let (m0,) = __modes;
        let x: __Checked_logsumexp<_> = x;
        let mut tape2 = ad::Tape::new();
        let mut m = x[0];
        for i in 1..x.len() {
            let v0 = m.max(x[i]);
            m = v0;
        }
        let m_1 = stop_gradient(m);
        let w_m_1 = m_1.__wit();
        let mut s: __Checked_logsumexp<_> = 0.0;
        let w_s = ad::wit(&s);
        let __trips = 0..x.len();
        tape2.reserve(ad::trips(&__trips));
        for i_1 in __trips {
            let kept_v1: __Checked_logsumexp<_> = ad::Operands(&x[i_1], m_1.__v())
                .keep_sub();
            let v1 = x[i_1] - m_1;
            let w_v1 = v1.__wit();
            let kept_v2: __Checked_logsumexp<_> = ad::Operand(v1.__v()).keep_exp();
            let v2 = v1.exp();
            let w_v2 = v2.__wit();
            s += ::core::clone::Clone::clone(&v2);
            tape2.push_reserved((w_v1, kept_v1, v2, kept_v2));
        }
        let v3 = s.ln();
        let w_v3 = ad::wit(&v3);
        let kept_v4: __Checked_logsumexp<_> = ad::Operands(m_1.__v(), &v3).keep_add();
        let v4 = m_1 + v3;
        let w_v4 = v4.__wit();
        let __value = v4;
        (
            __value,
            move |__ct, x, d_x| {
                let d_x = &mut d_x[..x.len()];
                let x: __Checked_logsumexp<_> = x;
                let d_x: __Checked_logsumexp<_> = d_x;
                let __ct: __Checked_logsumexp<_> = __ct;
                let mut d_s = w_s.zero();
                let mut d_v3 = w_v3.zero();
                let mut d_v4 = ad::first(&w_v4, __ct);
                kept_v4.add_r(&w_m_1, &w_v3, d_v4, &mut d_v3);
                ad::ln::pull(&s, &d_v3, &mut d_s);
                {
                    let __trips = 0..x.len();
                    let __end = ad::end_of(__trips.clone());
                    let x = &x[..__end];
                    let d_x = &mut d_x[..__end];
                    for i_1 in __trips.rev() {
                        let (w_v1, kept_v1, v2, kept_v2) = tape2.pop();
                        let w_v2 = v2.__wit();
                        let mut d_v2 = w_v2.zero();
                        ad::add::pull_r(&w_s, &w_v2, &d_s, &mut d_v2);
                        let mut d_v1 = w_v1.zero();
                        kept_v2.exp(v2.__v(), d_v2, &mut d_v1);
                        kept_v1.sub_l(&ad::F64, &w_m_1, d_v1, &mut d_x[i_1]);
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
        let x: __Checked_logsumexp<_> = x;
        let t_x: __Checked_logsumexp<_> = t_x;
        let mut m = x[0];
        for i in 1..x.len() {
            let v0 = m.max(x[i]);
            m = v0;
        }
        let m_1 = stop_gradient(m);
        let mut s: __Checked_logsumexp<_> = 0.0;
        let mut t_s = ad::zero_tangent(&s);
        for i_1 in 0..x.len() {
            let v1 = x[i_1] - ::core::clone::Clone::clone(&m_1);
            let t_v1 = ad::Operands(&x[i_1], m_1.__v()).sub_push_l(&v1, &t_x[i_1]);
            let v2 = v1.exp();
            let t_v2 = ad::Operand(v1.__v()).exp_push(&v2, &t_v1);
            let __tangent = ad::add::push_r(&s, v2.__v(), &s, &t_v2);
            ad::tangent_add(&mut t_s, __tangent);
            s += ::core::clone::Clone::clone(&v2);
        }
        let v3 = s.ln();
        let t_v3 = ad::ln::push(&s, &v3, &t_s);
        let v4 = ::core::clone::Clone::clone(&m_1) + v3;
        let t_v4 = ad::Operands(m_1.__v(), &v3).add_push_r(&v4, &t_v3);
        let __tangent = ::std::borrow::ToOwned::to_owned(&t_v4);
        (v4, __tangent)
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
