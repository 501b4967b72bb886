//! The operators of the derived tangent, so that a step of a descent is `p - g * 0.1`.

use super::generics::where_all;
use super::model::{Kind, Model};
use super::names::Names;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::visit::{self, Visit};
use syn::{Type, WhereClause};

/// `PTangent: Add + Sub + Neg + Mul<f64> + Div<f64>` with their assignments, `f64: Mul<PTangent>`,
/// `P: Add<PTangent> + Sub<PTangent>`, and `Default` and `Copy` where the fields have them.
pub fn operators(model: &Model<'_>, names: &Names) -> TokenStream {
    let (name, tangent) = (model.name, &names.tangent_ident);
    let (impl_generics, ty_generics, where_clause) = model.active_generics.split_for_impl();
    let (value_impl, value_generics, value_where) = model.generics.split_for_impl();
    let (t, float) = (quote!(#tangent #ty_generics), float(model));
    let of_tangent = |of: TokenStream, to: TokenStream, items: TokenStream| {
        quote! {
            #[automatically_derived]
            impl #impl_generics #of for #to #where_clause { #items }
        }
    };
    let binary = |of: &str, method: &str, right: TokenStream, body: TokenStream| {
        let (of, method) = (ident(of), ident(method));
        of_tangent(
            quote!(::core::ops::#of<#right>),
            t.clone(),
            quote! {
                type Output = Self;
                #[inline]
                fn #method(self, __other: #right) -> Self { #body }
            },
        )
    };
    let assign = |of: &str, method: &str, right: TokenStream, body: TokenStream| {
        let (of, method) = (ident(of), ident(method));
        of_tangent(
            quote!(::core::ops::#of<#right>),
            t.clone(),
            quote! {
                #[inline]
                fn #method(&mut self, __other: #right) { #body }
            },
        )
    };
    let step = |of: &str, method: &str, sign: f64| {
        let (of, method) = (ident(of), ident(method));
        let (of_assign, assign) = (
            ident(&format!("{of}Assign")),
            ident(&format!("{method}_assign")),
        );
        quote! {
            #[automatically_derived]
            impl #value_impl ::core::ops::#of_assign<#t> for #name #value_generics #value_where {
                #[inline]
                fn #assign(&mut self, __step: #t) {
                    ad::Differentiable::add_scaled(self, #sign, &__step);
                }
            }
            #[automatically_derived]
            impl #value_impl ::core::ops::#of<#t> for #name #value_generics #value_where {
                type Output = Self;
                #[inline]
                fn #method(mut self, __step: #t) -> Self {
                    ad::Differentiable::add_scaled(&mut self, #sign, &__step);
                    self
                }
            }
        }
    };
    let right = quote!(#t);
    let scaled = quote!(ad::Tangent::scale(self, __other as f64));
    let here = |body: TokenStream| quote!(*self = ad::Tangent::#body);
    let impls = [
        of_tangent(quote!(ad::DerivedTangent), t.clone(), quote!()),
        binary(
            "Add",
            "add",
            right.clone(),
            quote!(ad::Tangent::add(self, __other)),
        ),
        binary(
            "Sub",
            "sub",
            right.clone(),
            quote!(ad::Tangent::add(self, -__other)),
        ),
        binary("Mul", "mul", float.clone(), scaled),
        binary(
            "Div",
            "div",
            float.clone(),
            quote!(ad::Tangent::scale(self, 1.0 / __other as f64)),
        ),
        assign(
            "AddAssign",
            "add_assign",
            right.clone(),
            here(quote!(add(self.clone(), __other))),
        ),
        assign(
            "SubAssign",
            "sub_assign",
            right,
            here(quote!(add(self.clone(), -__other))),
        ),
        assign(
            "MulAssign",
            "mul_assign",
            float.clone(),
            here(quote!(scale(self.clone(), __other as f64))),
        ),
        assign(
            "DivAssign",
            "div_assign",
            float.clone(),
            here(quote!(scale(self.clone(), 1.0 / __other as f64))),
        ),
        of_tangent(
            quote!(::core::ops::Neg),
            t.clone(),
            quote! {
                type Output = Self;
                #[inline]
                fn neg(self) -> Self { ad::Tangent::scale(self, -1.0) }
            },
        ),
        of_tangent(
            quote!(::core::ops::Mul<#t>),
            float,
            quote! {
                type Output = #t;
                #[inline]
                fn mul(self, __tangent: #t) -> #t { ad::Tangent::scale(__tangent, self as f64) }
            },
        ),
        step("Add", "add", 1.0),
        step("Sub", "sub", -1.0),
        default(model, names),
        copy(model, names),
    ];
    quote!(#(#impls)*)
}

/// What scales the tangent: `f32` where that is the only float of the fields.
fn float(model: &Model<'_>) -> TokenStream {
    let has = |float: &str| {
        let float = ident(float);
        let mut types = model.fields().filter_map(|f| f.active.as_ref());
        types.any(|t| super::generics::mentions(t, &float))
    };
    match has("f32") && !has("f64") {
        true => quote!(f32),
        false => quote!(f64),
    }
}

/// Of a struct: the variant of an enum is not known.
fn default(model: &Model<'_>, names: &Names) -> TokenStream {
    if model.kind == Kind::Enum {
        return TokenStream::new();
    }
    let bound = quote!(::core::default::Default);
    let of_fields = of_fields(model, &bound);
    let zero = model.variants.iter().map(|v| {
        names
            .tangent
            .build(model, v, |_, _| quote!(::core::default::Default::default()))
    });
    let (impl_generics, ty_generics, _) = model.active_generics.split_for_impl();
    let tangent = &names.tangent_ident;
    quote! {
        #[automatically_derived]
        impl #impl_generics #bound for #tangent #ty_generics #of_fields {
            fn default() -> Self { #(#zero)* }
        }
    }
}

/// Where the value is copied too, which one is not with a field that owns memory.
fn copy(model: &Model<'_>, names: &Names) -> TokenStream {
    let mut fields = model.fields().filter_map(|f| f.active.as_ref());
    if fields.any(owns_memory) {
        // The bounds would not hold; beside a field whose type is an error rustc would say so.
        return TokenStream::new();
    }
    let bound = quote!(::core::marker::Copy);
    let (impl_generics, ty_generics, _) = model.active_generics.split_for_impl();
    let tangent = &names.tangent_ident;
    let of_fields = of_fields(model, &bound);
    quote! {
        #[automatically_derived]
        impl #impl_generics #bound for #tangent #ty_generics #of_fields {}
    }
}

/// Whether a type is one of vectors, boxes or tensors, as it is written.
fn owns_memory(ty: &Type) -> bool {
    struct V(bool);
    impl<'a> Visit<'a> for V {
        fn visit_path_segment(&mut self, s: &'a syn::PathSegment) {
            const OWNERS: [&str; 4] = ["Box", "Tensor", "Vec", "VecDeque"];
            self.0 |= !s.arguments.is_none() && OWNERS.iter().any(|n| s.ident == n);
            visit::visit_path_segment(self, s);
        }
        fn visit_macro(&mut self, m: &'a syn::Macro) {
            self.0 |= crate::syntax::is_macro(m, &["Tensor"]);
        }
    }
    let mut v = V(false);
    v.visit_type(ty);
    v.0
}

fn of_fields(model: &Model<'_>, bound: &TokenStream) -> Option<WhereClause> {
    where_all(
        model,
        model.fields().filter_map(|f| f.active.as_ref()),
        bound,
    )
}

fn ident(name: &str) -> Ident {
    Ident::new(name, proc_macro2::Span::call_site())
}
