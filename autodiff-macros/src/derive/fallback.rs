//! The impl of a type without a derivative, and of a wrong input, so that its uses are not reported
//! as errors of their own.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Ident};

/// An enum without fields.
pub fn discrete(name: &Ident, generics: &Generics) -> TokenStream {
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let differentiable = stub(name, generics);
    quote! {
        #differentiable
        #[automatically_derived]
        impl #impl_generics ::differentiable::__rt::NoDerivative for #name #ty_generics #where_clause {}
    }
}

/// `Differentiable` with the tangent `()`.
pub fn stub(name: &Ident, generics: &Generics) -> TokenStream {
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics ::differentiable::__rt::NotBoxed for #name #ty_generics #where_clause {}
        #[automatically_derived]
        impl #impl_generics ::differentiable::__rt::Differentiable for #name #ty_generics #where_clause {
            type Tangent = ();
            type Proto = ();
            type Others = ::differentiable::__rt::On;
            type Adj<__M: ::differentiable::__rt::Mode> = ::differentiable::__rt::NoGrad;
            #[inline(always)]
            fn proto(&self) {}
            #[inline(always)]
            fn zero_ct(_: &()) -> ::differentiable::__rt::NoGrad { ::differentiable::__rt::NoGrad }
            #[inline(always)]
            fn zero_adj<__M: ::differentiable::__rt::Mode>(&self, _: __M) -> ::differentiable::__rt::NoGrad {
                ::differentiable::__rt::NoGrad
            }
            #[inline(always)]
            fn zero_tangent(&self) {}
            #[inline(always)]
            fn finish(_: &(), _: ::differentiable::__rt::NoGrad) {}
            #[inline(always)]
            fn start(_: ()) -> ::differentiable::__rt::NoGrad { ::differentiable::__rt::NoGrad }
            #[inline(always)]
            fn add_scaled(&mut self, _: f64, _: &()) {}
            #[inline(always)]
            fn difference(&self, _: &Self) {}
        }
    }
}
