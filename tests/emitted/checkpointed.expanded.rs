impl checkpointed {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __vjp<
        __M0: ::differentiable::__rt::Mode,
        __M1: ::differentiable::__rt::Mode,
        __M2: ::differentiable::__rt::Mode,
        __M3: ::differentiable::__rt::Mode,
    >(
        __modes: (__M0, __M1, __M2, __M3),
        x0: f64,
        a: f64,
        n: usize,
        k: usize,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &mut ::differentiable::__rt::Adj<f64, __M0>,
            &mut ::differentiable::__rt::Adj<f64, __M1>,
            &mut ::differentiable::__rt::Adj<usize, __M2>,
            &mut ::differentiable::__rt::Adj<usize, __M3>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = checkpointed;
        let (m0, m1, m2, m3) = __modes;
        let x0: __Checked_checkpointed<_> = x0;
        let a: __Checked_checkpointed<_> = a;
        let n: __Checked_checkpointed<_> = n;
        let k: __Checked_checkpointed<_> = k;
        let mut x = x0;
        let mut v: f64 = 0.0;
        let range1 = (0..n);
        let mut snapshots1 = ad::Checkpoints::every(
            k,
            ::core::option::Option::Some(ad::trips(&range1)),
        );
        for _trip in range1 {
            snapshots1.step(|| (ad::saved(&x), ad::saved(&v)));
            let v0 = x.sin();
            let v1 = a * v0;
            v -= v1;
            x += v;
        }
        let __value = x;
        (
            __value,
            move |__ct, d_x0, d_a, d_n, d_k| {
                let d_x0: __Checked_checkpointed<_> = d_x0;
                let d_a: __Checked_checkpointed<_> = d_a;
                let d_n: __Checked_checkpointed<_> = d_n;
                let d_k: __Checked_checkpointed<_> = d_k;
                let __ct: __Checked_checkpointed<_> = __ct;
                let mut d_x = ad::F64.zero();
                let mut d_v = ad::F64.zero();
                ad::acc(&ad::F64, __ct, &mut d_x);
                {
                    let mut __snapshots = snapshots1;
                    if !__snapshots.is_done() {
                        let range1 = (0..n);
                        let mut tape1 = ad::Tape::new();
                        let (mut x, mut v) = __snapshots.state();
                        while let ::core::option::Option::Some(__action) = __snapshots
                            .next_action()
                        {
                            match __action {
                                ad::Action::Restore => (x, v) = __snapshots.state(),
                                ad::Action::Store => {
                                    __snapshots.store((ad::saved(&x), ad::saved(&v)))
                                }
                                ad::Action::Advance(__from, __to) => {
                                    for __trip in __from..__to {
                                        let _trip = ad::trip(&range1, __trip);
                                        let v0 = x.sin();
                                        let v1 = a * v0;
                                        v -= v1;
                                        x += v;
                                    }
                                }
                                ad::Action::Reverse(__from, __to) => {
                                    tape1.reserve(__to - __from);
                                    for __trip in __from..__to {
                                        let _trip = ad::trip(&range1, __trip);
                                        let k0 = x;
                                        let v0 = k0.sin();
                                        let v1 = a * v0;
                                        v -= v1;
                                        x += v;
                                        tape1.push_reserved((k0, v0));
                                    }
                                    for __trip in (__from..__to).rev() {
                                        let _trip = ad::trip(&range1, __trip);
                                        let (k0, v0) = tape1.pop();
                                        let mut d_k0 = ad::F64.zero();
                                        let mut d_v0 = ad::F64.zero();
                                        let mut d_v1 = ad::F64.zero();
                                        ad::add::pull_r(&ad::F64, &ad::F64, &d_x, &mut d_v);
                                        ad::sub::pull_r(&ad::F64, &ad::F64, &d_v, &mut d_v1);
                                        ad::mul::pull_l(&ad::F64, &v0, &d_v1, &mut *d_a);
                                        ad::mul::pull_r(&a, &ad::F64, &d_v1, &mut d_v0);
                                        ad::sin::pull(&k0, &d_v0, &mut d_k0);
                                        ad::acc(&ad::F64, d_k0, &mut d_x);
                                    }
                                }
                            }
                        }
                    }
                }
                ad::acc(&ad::F64, d_x, &mut *d_x0);
            },
        )
    }
    pub fn __jvp(
        x0: f64,
        t_x0: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
        a: f64,
        t_a: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
        n: usize,
        t_n: <usize as ::differentiable::__rt::Differentiable>::Tangent,
        k: usize,
        t_k: <usize as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x0: __Checked_checkpointed<_> = x0;
        let a: __Checked_checkpointed<_> = a;
        let n: __Checked_checkpointed<_> = n;
        let k: __Checked_checkpointed<_> = k;
        let t_x0: __Checked_checkpointed<_> = t_x0;
        let t_a: __Checked_checkpointed<_> = t_a;
        let t_n: __Checked_checkpointed<_> = t_n;
        let t_k: __Checked_checkpointed<_> = t_k;
        let mut x = x0;
        let mut t_x = t_x0;
        let mut v: f64 = 0.0;
        let mut t_v = ad::zero_tangent(&v);
        for _trip in 0..n {
            let v0 = x.sin();
            let t_v0 = ad::sin::push(&x, &v0, &t_x);
            let v1 = a * v0;
            let t_v1 = ad::tangent_sum(
                ad::mul::push_l(&a, &v0, &v1, &t_a),
                ad::mul::push_r(&a, &v0, &v1, &t_v0),
            );
            let __tangent = ad::sub::push_r(&v, &v1, &v, &t_v1);
            ad::tangent_add(&mut t_v, __tangent);
            v -= v1;
            let __tangent = ad::add::push_r(&x, &v, &x, &t_v);
            ad::tangent_add(&mut t_x, __tangent);
            x += v;
        }
        let __tangent = t_x;
        (x, __tangent)
    }
    pub fn __code(
        _: &(),
        (__a0, __a1, __a2, __a3): (&f64, &f64, &usize, &usize),
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &(),
            (&f64, &f64, &usize, &usize),
            &mut ::differentiable::__rt::Ct<()>,
            (
                &mut ::differentiable::__rt::Ct<f64>,
                &mut ::differentiable::__rt::Ct<f64>,
                &mut ::differentiable::__rt::Ct<usize>,
                &mut ::differentiable::__rt::Ct<usize>,
            ),
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp(
            (
                ::differentiable::__rt::On,
                ::differentiable::__rt::On,
                ::differentiable::__rt::On,
                ::differentiable::__rt::On,
            ),
            ::core::clone::Clone::clone(__a0),
            ::core::clone::Clone::clone(__a1),
            ::core::clone::Clone::clone(__a2),
            ::core::clone::Clone::clone(__a3),
        );
        (
            __value,
            move |
                __ct,
                _: &(),
                (__a0, __a1, __a2, __a3): (&f64, &f64, &usize, &usize),
                _: &mut ::differentiable::__rt::Ct<()>,
                (
                    __d0,
                    __d1,
                    __d2,
                    __d3,
                ): (
                    &mut ::differentiable::__rt::Ct<f64>,
                    &mut ::differentiable::__rt::Ct<f64>,
                    &mut ::differentiable::__rt::Ct<usize>,
                    &mut ::differentiable::__rt::Ct<usize>,
                )|
            { __pullback(__ct, __d0, __d1, __d2, __d3) },
        )
    }
    pub fn __forward_code(
        _: &(),
        _: &(),
        (__a0, __a1, __a2, __a3): (&f64, &f64, &usize, &usize),
        (
            __t0,
            __t1,
            __t2,
            __t3,
        ): (
            &<f64 as ::differentiable::__rt::Differentiable>::Tangent,
            &<f64 as ::differentiable::__rt::Differentiable>::Tangent,
            &<usize as ::differentiable::__rt::Differentiable>::Tangent,
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
            ::core::clone::Clone::clone(__a3),
            ::core::clone::Clone::clone(__t3),
        )
    }
}
