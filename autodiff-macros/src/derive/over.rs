//! `#[differentiable(higher_order)]` on a struct or an enum whose numbers are `f64` or `f32`: the same type
//! over any scalar.
//!
//! For `struct Spring { k: f64, at: [f64; 2], inner: Inner, #[constant] name: String }` it emits, beside what
//! every type gets,
//!
//! ```text
//! pub struct SpringOver<AnyScalar: Scalar> {
//!     k: AnyScalar,
//!     at: [AnyScalar; 2],
//!     inner: <Inner as WithScalar<AnyScalar>>::Type,
//!     name: String,
//! }
//! // and all that `#[derive(Differentiable)]` gives it: `SpringOverTangent`, `SpringOverAdj`, …
//! const _: () = {
//!     impl<AnyScalar: Scalar> WithScalar<AnyScalar> for Spring { type Type = SpringOver<AnyScalar>; }
//!     impl<__D: Extends<f64>> Lift<f64, __D> for Spring { type Lifted = SpringOver<__D>; … }
//!     impl<AnyScalar: Scalar, __D: Extends<AnyScalar>> Lift<AnyScalar, __D> for SpringOver<AnyScalar> { … }
//!     impl Layout for Spring { … }
//!     // Rows of a Jacobian, and from duals back
//!     impl<__D: Extends<f64>> Lower<'_, SpringOver<__D>> for Spring { … }
//!     impl<F> JacobianOutput<'_, F, SpringTangent> for Spring { type Rows<G> = Vec<G>; … }
//!     // Arguments and values of functions of `f64`: see `recast`
//!     // Gradients inside of differentiable functions
//!     impl Differentiable for SpringTangent { type Tangent = SpringTangent; … }
//! };
//! ```

use super::boxes::{boxed, reference, unboxed};
use super::check::Errors;
use super::exchange::{is_plain_data, over, SCALAR};
use super::lift::add_target;
use super::lifting::Lifting;
use super::model::Model;
use super::names::{binding, Names};
use super::own::{is_scalar, over_target, Own};
use super::{differentiable, lift, recast};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, ToTokens};
use syn::visit_mut::VisitMut;
use syn::{DeriveInput, Generics, Ident, Type};

/// The input over any scalar.
pub struct Mirror {
    pub input: DeriveInput,
    /// `f64` or `f32`; `None` where the types of the fields decide.
    float: Option<Ident>,
    /// Whether a number was exchanged: there is no such type otherwise.
    pub changed: bool,
}

/// The items of a type with tensors: scalars are elements of them too.
pub fn of_elements(items: TokenStream) -> TokenStream {
    struct Elements;
    impl VisitMut for Elements {
        fn visit_type_param_mut(&mut self, p: &mut syn::TypeParam) {
            let name = p.ident.to_string();
            if [SCALAR, "__S", "__D", "__Float"].contains(&name.as_str()) {
                p.bounds
                    .push(syn::parse_quote!(::differentiable::device::FloatElem));
            }
        }
        // Bounds are not enforced there.
        fn visit_item_type_mut(&mut self, _: &mut syn::ItemType) {}
    }
    match syn::parse2::<syn::File>(items) {
        Ok(mut file) => {
            Elements.visit_file_mut(&mut file);
            quote!(#file)
        }
        Err(e) => e.to_compile_error(),
    }
}

impl Mirror {
    /// Exchanges the floats of the fields.
    pub fn new(input: &DeriveInput, errors: &mut Errors) -> Self {
        for p in input.generics.type_params() {
            errors.add(p, format!("`higher_order` is for types whose numbers are `f64` or `f32`, and this one has the type parameter `{}`: a type that is generic over its scalar needs no mark", p.ident));
        }
        let float = super::exchange::float_of(input, errors);
        let mut mirror = input.clone();
        mirror.ident = format_ident!("{}Over", input.ident);
        mirror.attrs.clear();
        let scalar = Ident::new(SCALAR, Span::call_site());
        let params = &mut mirror.generics.params;
        params.insert(
            0,
            syn::parse_quote!(#scalar: ::differentiable::__rt::Scalar),
        );
        let (_, ty_generics, _) = mirror.generics.split_for_impl();
        let name = &mirror.ident;
        let this: Type = syn::parse_quote!(#name #ty_generics);
        let mut changed = false;
        let mut each = |field: &mut syn::Field| {
            let constant = field.attrs.iter().any(|a| a.path().is_ident("constant"));
            let before = field.ty.clone();
            if !constant || is_plain_data(&field.ty) {
                over(&mut field.ty, input, &this, &quote!(#scalar), errors);
            }
            changed |= before != field.ty;
        };
        match &mut mirror.data {
            syn::Data::Struct(s) => s.fields.iter_mut().for_each(&mut each),
            syn::Data::Enum(e) => {
                for v in &mut e.variants {
                    v.discriminant = None;
                    v.fields.iter_mut().for_each(&mut each);
                }
            }
            syn::Data::Union(_) => {}
        }
        if !changed {
            // Without numbers it is a type of its own all the same, for the methods over the scalar.
            if let Some(field) = first_field(&mut mirror.data) {
                let ty = &field.ty;
                field.ty =
                    syn::parse_quote!(<#scalar as ::differentiable::__rt::Beside>::Same<#ty>);
                changed = true;
            }
        }
        Mirror {
            input: mirror,
            float,
            changed,
        }
    }

    /// The definition of the type.
    pub fn definition(&self, original: &Ident) -> TokenStream {
        let mut item = self.input.clone();
        let fields: Box<dyn Iterator<Item = &mut syn::Field>> = match &mut item.data {
            syn::Data::Struct(s) => Box::new(s.fields.iter_mut()),
            syn::Data::Enum(e) => {
                e.variants.iter_mut().for_each(|v| v.attrs.clear());
                Box::new(e.variants.iter_mut().flat_map(|v| v.fields.iter_mut()))
            }
            syn::Data::Union(_) => Box::new(std::iter::empty()),
        };
        fields.for_each(|f| f.attrs.clear());
        let doc = format!("[`{original}`] over another scalar.");
        quote! {
            #[doc = #doc]
            #[allow(clippy::all, clippy::pedantic, clippy::nursery)]
            #[allow(dead_code, missing_docs, missing_debug_implementations, missing_copy_implementations)]
            #[allow(private_bounds, private_interfaces)]
            #item
        }
    }

    /// What the original has for it.
    pub fn of_original(&self, model: &Model<'_>, names: &Names, own: &Own<'_>) -> TokenStream {
        let lift = self.lift_original(model, names, own);
        let mut with = model.generics.clone();
        let scalar = Ident::new(SCALAR, Span::call_site());
        with.params.push(syn::parse_quote!(#scalar: ad::Scalar));
        let (impl_generics, _, clause) = with.split_for_impl();
        let (_, ty_generics, _) = model.generics.split_for_impl();
        let name = model.name;
        let (_, over, _) = own.model.generics.split_for_impl();
        let mirror = own.model.name;
        let layout = lift::layout(model, names);
        let rows = rows(model, self.float.as_ref());
        let lower = self.lower(model, names, own);
        let tangent = self.of_tangents(model, names, own);
        let recast = recast::both_ways((model, names), own, self.float.as_ref(), Type::clone, true);
        quote! {
            #[automatically_derived]
            impl #impl_generics ad::WithScalar<#scalar> for #name #ty_generics #clause {
                type Type = #mirror #over;
            }
            #lift
            #layout
            #rows
            #lower
            #recast
            #tangent
        }
    }

    /// `impl Lift` for the type over any scalar, or for its tangent.
    pub fn lift_itself(own: &Own<'_>) -> TokenStream {
        let scalar = Ident::new(SCALAR, Span::call_site());
        let (model, names) = (own.model, own.names);
        let mut generics = model.generics.clone();
        if !generics.params.iter().any(is_scalar) {
            // A tangent without numbers.
            generics.params.push(syn::parse_quote!(#scalar: ad::Scalar));
        }
        add_target(&mut generics, &quote!(#scalar));
        let arguments = over_target(&model.generics);
        let name = model.name;
        Lifting {
            model,
            names,
            over: names,
            generics,
            scalar: quote!(#scalar),
            lifted: quote!(#name<#(#arguments),*>),
            exchanged: &|f| own.exchanged(f),
        }
        .implement()
    }

    fn lift_original(&self, model: &Model<'_>, names: &Names, own: &Own<'_>) -> TokenStream {
        let name = own.model.name;
        let arguments = over_target(&own.model.generics);
        self.lifting(
            model,
            names,
            own,
            own.names,
            quote!(#name<#(#arguments),*>),
            |ty| ty.clone(),
        )
    }

    /// `impl Lift` of the original or of its tangent, whose fields have the types that `of` makes.
    fn lifting(
        &self,
        model: &Model<'_>,
        names: &Names,
        own: &Own<'_>,
        over: &Names,
        lifted: TokenStream,
        of: impl Fn(&Type) -> Type,
    ) -> TokenStream {
        let mut generics = model.generics.clone();
        let scalar = self.scalar(&mut generics);
        add_target(&mut generics, &scalar);
        if self.float.is_none() {
            let fields = own.pairs(model);
            for (field, target) in fields.filter(|(f, _)| !f.recursive) {
                let (ty, target) = (unboxed(&field.ty), of(unboxed(&target)));
                generics
                    .make_where_clause()
                    .predicates
                    .push(syn::parse_quote!(#ty: ad::Lift<#scalar, __D, Lifted = #target>));
            }
        }
        Lifting {
            model,
            names,
            over,
            generics,
            scalar,
            lifted,
            exchanged: &|f| own.exchanged(f),
        }
        .implement()
    }

    /// The scalar of the original.
    fn scalar(&self, generics: &mut Generics) -> TokenStream {
        match &self.float {
            Some(float) => quote!(#float),
            None => {
                generics.params.push(syn::parse_quote!(__S: ad::Scalar));
                quote!(__S)
            }
        }
    }

    /// `impl Lower`: from duals back to numbers.
    fn lower(&self, model: &Model<'_>, names: &Names, own: &Own<'_>) -> TokenStream {
        let mut generics = model.generics.clone();
        match &self.float {
            Some(float) => add_target(&mut generics, &quote!(#float)),
            None => {
                generics.params.push(syn::parse_quote!(__D: ad::Scalar));
                for (field, target) in own.pairs(model).filter(|(f, _)| !f.recursive) {
                    let (ty, target) = (unboxed(&field.ty), unboxed(&target));
                    generics
                        .make_where_clause()
                        .predicates
                        .push(syn::parse_quote!(#ty: ad::Lower<'__z, #target>));
                }
            }
        }
        generics.params.insert(0, syn::parse_quote!('__z));
        let (impl_generics, _, clause) = generics.split_for_impl();
        let (_, ty_generics, _) = model.generics.split_for_impl();
        let (name, mirror, arguments) =
            (model.name, own.model.name, over_target(&own.model.generics));
        let lifted = quote!(#mirror<#(#arguments),*>);
        let arms = model.variants.iter().map(|v| {
            let (to, from) = (names.value.path(model, v), own.names.value.path(model, v));
            let (mut pattern, mut fields) = (Vec::new(), Vec::new());
            for (i, f) in v.fields.iter().enumerate() {
                let (member, x) = (&f.member, binding("x", i));
                pattern.push(quote!(#member: #x));
                fields.push(match f.active.is_some() || own.exchanged(f) {
                    true => {
                        let x = reference(&f.ty, x.into_token_stream());
                        let value = boxed(&f.ty, quote!(ad::Lower::lower(#x)));
                        quote!(#member: #value)
                    }
                    false => quote!(#member: ::core::clone::Clone::clone(#x)),
                });
            }
            quote!(#from { #(#pattern),* } => #to { #(#fields),* },)
        });
        quote! {
            #[automatically_derived]
            #[allow(unused_variables)]
            impl #impl_generics ad::Lower<'__z, #lifted> for #name #ty_generics #clause {
                fn lower(__lifted: &#lifted) -> Self { match __lifted { #(#arms)* } }
            }
        }
    }

    /// Gradients by the type are differentiable themselves.
    fn of_tangents(&self, model: &Model<'_>, names: &Names, own: &Own<'_>) -> TokenStream {
        if !model.has_active() {
            return TokenStream::new();
        }
        let tangent = model.of_tangent(&names.tangent_ident);
        let tangent_names = names.of_tangent();
        let over = own.model.of_tangent(&own.names.tangent_ident);
        let both = [
            space(&tangent, &tangent_names),
            space(&over, &own.names.of_tangent()),
        ];
        let name = &own.names.tangent_ident;
        let arguments = over_target(&over.generics);
        let lifted = quote!(#name<#(#arguments),*>);
        let of = |ty: &Type| syn::parse_quote!(<#ty as ad::Differentiable>::Tangent);
        let lift = self.lifting(
            &tangent,
            &tangent_names,
            own,
            &own.names.of_tangent(),
            lifted,
            of,
        );
        let scalar = Ident::new(SCALAR, Span::call_site());
        let mut with = tangent.generics.clone();
        with.params.push(syn::parse_quote!(#scalar: ad::Scalar));
        let (impl_generics, _, clause) = with.split_for_impl();
        let (_, ty_generics, _) = tangent.generics.split_for_impl();
        let (_, over_generics, _) = over.generics.split_for_impl();
        let ident = tangent.name;
        let layout = lift::layout(&tangent, &tangent_names);
        let own_tangent = Own {
            model: &over,
            names: &own.names.of_tangent(),
        };
        let literal = super::constructor::constructor(&tangent, &tangent_names, Some(&own_tangent));
        let held = super::over_traits::held(&own_tangent);
        let lift_over = Mirror::lift_itself(&own_tangent);
        let recast = recast::both_ways(
            (&tangent, &tangent_names),
            &own_tangent,
            self.float.as_ref(),
            of,
            false,
        );
        quote! {
            #(#both)*
            #literal
            #held
            #lift_over
            #recast
            #[automatically_derived]
            impl #impl_generics ad::WithScalar<#scalar> for #ident #ty_generics #clause {
                type Type = #name #over_generics;
            }
            #lift
            #layout
        }
    }
}

fn first_field(data: &mut syn::Data) -> Option<&mut syn::Field> {
    match data {
        syn::Data::Struct(s) => s.fields.iter_mut().next(),
        syn::Data::Enum(e) => e
            .variants
            .iter_mut()
            .flat_map(|v| v.fields.iter_mut())
            .next(),
        syn::Data::Union(_) => None,
    }
}

/// A tangent as a value: it is its own tangent.
fn space(model: &Model<'_>, names: &Names) -> TokenStream {
    let differentiable = differentiable::differentiable(model, names);
    let accumulator = differentiable::accumulator(model, names);
    quote!(#differentiable #accumulator)
}

/// The tangent of a type without numbers: a value as that of any other.
pub fn discrete_tangent(model: &Model<'_>, names: &Names) -> TokenStream {
    let tangent = model.of_tangent(&names.tangent_ident);
    let space = space(&tangent, &names.of_tangent());
    let identity = lift::identity(&names.tangent_ident, &tangent.generics);
    quote!(#space #identity)
}

/// `impl JacobianOutput`: the rows of a struct stand in a `Vec`.
fn rows(model: &Model<'_>, float: Option<&Ident>) -> TokenStream {
    // Where the fields decide, numbers go into the wider one.
    let number = float.map_or_else(|| quote!(f64), ToTokens::to_token_stream);
    let name = model.name;
    let mut generics = model.generics.clone();
    generics.params.insert(0, syn::parse_quote!('__z));
    generics
        .params
        .push(syn::parse_quote!(__F: ?::core::marker::Sized));
    let (impl_generics, _, clause) = generics.split_for_impl();
    let (_, ty_generics, _) = model.generics.split_for_impl();
    let tangent = quote!(<#name #ty_generics as ad::Differentiable>::Tangent);
    quote! {
        #[automatically_derived]
        impl #impl_generics ad::JacobianOutput<'__z, __F, #tangent> for #name #ty_generics #clause {
            type Number = #number;
            type Rows<__G> = ::std::vec::Vec<__G>;
            fn number(x: f64) -> #number { x as #number }
            fn each_row<__G>(rows: &::std::vec::Vec<__G>, row: &mut impl ::core::ops::FnMut(&__G)) {
                rows.iter().for_each(row);
            }
            fn count(&self) -> usize { ad::Layout::count(self) }
            fn zero(&self) -> #tangent { ad::Differentiable::zero_tangent(self) }
            fn rows<__G>(&self, __pull: impl ::core::ops::FnMut(#tangent) -> __G) -> ::std::vec::Vec<__G> {
                ad::rows_of_units(ad::Layout::count(self), &ad::Differentiable::zero_tangent(self), __pull)
            }
            fn place<__G>(&self, __next: &mut impl ::core::ops::FnMut() -> __G) -> ::std::vec::Vec<__G> {
                ad::Layout::with(self, __next)
            }
        }
    }
}
