impl Line {}
impl Line {
    fn __at_vjp<__M0: ::differentiable::__rt::Mode, __M1: ::differentiable::__rt::Mode>(
        &self,
        __modes: (__M0, __M1),
        x: f64,
    ) -> (
        f64,
        impl FnOnce(
            ::differentiable::__rt::Ct<f64>,
            &__Checked_Line_at<Self>,
            &mut ::differentiable::__rt::Adj<__Checked_Line_at<Self>, __M0>,
            &mut ::differentiable::__rt::Adj<f64, __M1>,
        ) + ::core::clone::Clone,
    ) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let _ = Self::at;
        let (m0, m1) = __modes;
        let this = self;
        let this: __Checked_Line_at<_> = this;
        let x: __Checked_Line_at<_> = x;
        let kept_v0: __Checked_Line_at<_> = ad::Operands(this.slope.__v(), &x)
            .keep_mul_of_values();
        let v0 = this.slope * x;
        let w_v0 = v0.__wit();
        let kept_v1: __Checked_Line_at<_> = ad::Operands(v0.__v(), this.offset.__v())
            .keep_add();
        let v1 = v0 + this.offset;
        let w_v1 = v1.__wit();
        let __value = v1;
        (
            __value,
            move |__ct, this, d_this, d_x| {
                let this: __Checked_Line_at<_> = this;
                let d_this: __Checked_Line_at<_> = d_this;
                let d_x: __Checked_Line_at<_> = d_x;
                let __ct: __Checked_Line_at<_> = __ct;
                let mut d_v1 = ad::first(&w_v1, __ct);
                let mut d_v0 = w_v0.zero();
                kept_v1
                    .add(
                        &w_v0,
                        &this.offset.__wit(),
                        d_v1,
                        &mut d_v0,
                        &mut d_this.offset,
                    );
                kept_v0
                    .mul_of_values(
                        &this.slope.__wit(),
                        this.slope.__v(),
                        &ad::F64,
                        &x,
                        d_v0,
                        &mut d_this.slope,
                        &mut *d_x,
                    );
            },
        )
    }
    fn __at_jvp(
        &self,
        t_this: &<__Checked_Line_at<
            Self,
        > as ::differentiable::__rt::Differentiable>::Tangent,
        x: f64,
        t_x: <f64 as ::differentiable::__rt::Differentiable>::Tangent,
    ) -> (f64, <f64 as ::differentiable::__rt::Differentiable>::Tangent) {
        use ::differentiable::__rt::{self as ad, methods::*};
        let this = self;
        let this: __Checked_Line_at<_> = this;
        let x: __Checked_Line_at<_> = x;
        let t_this: __Checked_Line_at<_> = t_this;
        let t_x: __Checked_Line_at<_> = t_x;
        let v0 = this.slope * x;
        let t_v0 = ad::tangent_sum(
            ad::Operands(this.slope.__v(), &x)
                .mul_push_l(
                    &v0,
                    &(*ad::FieldTangent(&this.slope, &t_this.slope)
                        .get(&mut ::core::option::Option::None)),
                ),
            ad::Operands(this.slope.__v(), &x).mul_push_r(&v0, &t_x),
        );
        let v1 = ::core::clone::Clone::clone(&v0) + this.offset;
        let t_v1 = ad::tangent_sum(
            ad::Operands(v0.__v(), this.offset.__v()).add_push_l(&v1, &t_v0),
            ad::Operands(v0.__v(), this.offset.__v())
                .add_push_r(
                    &v1,
                    &(*ad::FieldTangent(&this.offset, &t_this.offset)
                        .get(&mut ::core::option::Option::None)),
                ),
        );
        let __tangent = ::std::borrow::ToOwned::to_owned(&t_v1);
        (v1, __tangent)
    }
}
