#[allow(non_camel_case_types)]
#[derive(Clone, Copy)]
struct __Region0;
#[allow(unused_variables, unused_parens)]
impl ::differentiable::__rt::Region<1usize> for __Region0 {
    const ACTIVE: [bool; 1usize] = [true];
    const READS: [bool; 1usize] = [true];
    const READS_VALUE: bool = false;
    const COST: usize = 9usize;
    #[inline(always)]
    fn value<T: ::differentiable::device::Real, const NEAR: bool>(
        [x0,
        ]: [T; 1usize],
    ) -> T {
        let v0 = x0 * T::lit(0.5f64);
        let v1 = ::differentiable::__rt::elementwise::sin::value::<T, NEAR>(v0);
        v1
    }
    #[inline(always)]
    fn pullback<T: ::differentiable::device::Real, const NEAR: bool>(
        [x0,
        ]: [T; 1usize],
        y: T,
        ct: T,
    ) -> [T; 1usize] {
        let v0 = x0 * T::lit(0.5f64);
        let v1 = ::differentiable::__rt::elementwise::sin::value::<T, NEAR>(v0);
        let d1 = ct;
        let d0 = ::differentiable::__rt::elementwise::sin::pull::<T, NEAR>(v0, v1, d1);
        [d0 * T::lit(0.5f64)]
    }
    #[inline(always)]
    fn pushforward<T: ::differentiable::device::Real, const NEAR: bool>(
        [x0,
        ]: [T; 1usize],
        [t0,
        ]: [T; 1usize],
    ) -> T {
        let v0 = x0 * T::lit(0.5f64);
        let v1 = ::differentiable::__rt::elementwise::sin::value::<T, NEAR>(v0);
        let u0 = t0 * T::lit(0.5f64);
        let u1 = ::differentiable::__rt::elementwise::sin::pull::<T, NEAR>(v0, v1, u0);
        u1
    }
    const TURNS: bool = true;
    #[inline(always)]
    fn far<T: ::differentiable::device::Real>([x0]: [T; 1usize]) -> T {
        const NEAR: bool = true;
        let v0 = x0 * T::lit(0.5f64);
        let v1 = ::differentiable::__rt::elementwise::sin::value::<T, NEAR>(v0);
        ::differentiable::__rt::elementwise::far(v0)
    }
}
impl wave {
    #[doc(hidden)]
    #[allow(dead_code)]
    pub const __WEIGHT: usize = 1usize;
    pub fn __value(x: &Tensor![64]) -> Tensor![] {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x: __Checked_wave<_> = x;
        let __scope = ad::scope("wave");
        let v2 = ad::fused::total(
                __Region0,
                false,
                || {
                    let v0 = x * 0.5;
                    let v1 = v0.sin();
                    v1.sum()
                },
            )
            .__value(x);
        v2
    }
    pub fn __vjp<__M0: ::differentiable::__rt::Mode>(
        __modes: (__M0,),
        x: &Tensor![64],
    ) -> (
        Tensor![],
        impl FnOnce(
            ::differentiable::__rt::Ct<Tensor![]>,
            &Tensor![64],
            &mut ::differentiable::__rt::Adj<Tensor![64], __M0>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = wave;
        let (m0,) = __modes;
        let x: __Checked_wave<_> = x;
        let __scope = ad::scope("wave");
        let (v2, p_v2) = ad::fused::total(
                __Region0,
                false,
                || {
                    let v0 = x * 0.5;
                    let v1 = v0.sin();
                    v1.sum()
                },
            )
            .__vjp((m0,), x);
        let w_v2 = v2.__wit();
        let __value = v2;
        (
            __value,
            move |__ct, x, d_x| {
                let x: __Checked_wave<_> = x;
                let d_x: __Checked_wave<_> = d_x;
                let __ct: __Checked_wave<_> = __ct;
                let __scope = ad::scope("wave.pullback");
                let mut d_v2 = ad::first(&w_v2, __ct);
                p_v2(d_v2, ::core::option::Option::Some(&mut *d_x));
            },
        )
    }
    pub fn __jvp(
        x: &Tensor![64],
        t_x: &<Tensor![64] as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (Tensor![], <Tensor![] as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let x: __Checked_wave<_> = x;
        let t_x: __Checked_wave<_> = t_x;
        let __scope = ad::scope("wave.jvp");
        let (v2, t_v2) = ad::fused::total(
                __Region0,
                false,
                || {
                    let v0 = x * 0.5;
                    let v1 = v0.sin();
                    v1.sum()
                },
            )
            .__jvp(x, t_x);
        let __tangent = ::std::borrow::ToOwned::to_owned(&t_v2);
        (v2, __tangent)
    }
    pub fn __code(
        _: &(),
        (__a0,): (&Tensor![64],),
    ) -> (
        Tensor![],
        impl FnOnce(
            ::differentiable::__rt::Ct<Tensor![]>,
            &(),
            (&Tensor![64],),
            &mut ::differentiable::__rt::Ct<()>,
            (&mut ::differentiable::__rt::Ct<Tensor![64]>,),
        ) + ::core::clone::Clone,
    ) {
        let (__value, __pullback) = Self::__vjp((::differentiable::__rt::On,), __a0);
        (
            __value,
            move |
                __ct,
                _: &(),
                (__a0,): (&Tensor![64],),
                _: &mut ::differentiable::__rt::Ct<()>,
                (__d0,): (&mut ::differentiable::__rt::Ct<Tensor![64]>,)|
            { __pullback(__ct, __a0, __d0) },
        )
    }
    pub fn __forward_code(
        _: &(),
        _: &(),
        (__a0,): (&Tensor![64],),
        (__t0,): (&<Tensor![64] as ::differentiable::__rt::Differentiable>::Tangent,),
    ) -> (Tensor![], <Tensor![] as ::differentiable::__rt::Differentiable>::Tangent) {
        Self::__jvp(__a0, __t0)
    }
    pub fn __regions<__V: ::differentiable::__rt::RegionVisitor>(__visitor: &mut __V) {
        __visitor.region::<__Region0, 1usize>();
    }
}
