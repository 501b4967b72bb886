//! What stands in for the derived code after an error.

use proc_macro2::TokenStream;
use quote::quote;

/// Makes the type discrete, so that its uses are not reported as errors of their own.
pub fn stub(input: &syn::DeriveInput) -> TokenStream {
    let name = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics ::differentiable::__rt::Differentiable for #name #ty_generics #where_clause {
            type Tangent = ();
            type Proto = ();
            type Adj<__M: ::differentiable::__rt::Mode> = ::differentiable::__rt::NoGrad;
            fn proto(&self) {}
            fn zero_ct(_: &()) -> ::differentiable::__rt::NoGrad { ::differentiable::__rt::NoGrad }
            fn zero_adj<__M: ::differentiable::__rt::Mode>(&self, _: __M) -> ::differentiable::__rt::NoGrad {
                ::differentiable::__rt::NoGrad
            }
            fn zero_tangent(&self) {}
            fn finish(_: &(), _: ::differentiable::__rt::NoGrad) {}
            fn start(_: ()) -> ::differentiable::__rt::NoGrad { ::differentiable::__rt::NoGrad }
            fn add_scaled(&mut self, _: f64, _: &()) {}
            fn difference(&self, _: &Self) {}
        }
    }
}
