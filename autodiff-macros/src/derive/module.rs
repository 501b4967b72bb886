//! `#[derive(Module)]`: named parameters of a struct or an enum.
//!
//! For `struct Net { hidden: Linear<64, 32>, #[constant] scale: f32 }` it emits
//!
//! ```text
//! impl Module for Net {
//!     fn visit<__V: Visitor>(&self, __path: &mut Path, __visitor: &mut __V) {
//!         __path.enter("hidden", |__path| Module::visit(&self.hidden, __path, __visitor));
//!     }
//!     …and the same for `visit_mut` and `visit_with_grad`
//!     fn visit_buffers<__V: Visitor>(&self, __frozen: bool, __path: &mut Path, __visitor: &mut __V) {
//!         __path.enter("hidden", |__path| {
//!             if __frozen { Module::visit(&self.hidden, __path, __visitor) }
//!             Module::visit_buffers(&self.hidden, false, __path, __visitor)
//!         });
//!         __path.enter("scale", |__path| Constant(&self.scale).visit(__path, __visitor));
//!     }
//!     …and the same for `visit_buffers_mut`
//! }
//! ```
//!
//! For an enum, each visits the fields of the variant that there is, and says first which it is: `Visitor::variant`.
//!
//! `#[torch(transposed(1))]` on a field adds `__visitor.torch(__path, &TorchForm::new().transposed(1))` wherever the field
//! is shown.

use crate::input::trait_object;
use crate::input::well_formed;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Error, Field, Index, Member};

/// Implements `Module`, or says why it cannot.
pub fn expand(input: TokenStream) -> TokenStream {
    syn::parse2(input)
        .and_then(implement)
        .unwrap_or_else(Error::into_compile_error)
}

/// A field that holds parameters, or a constant one.
struct Part<'a> {
    member: Member,
    name: String,
    field: &'a Field,
    /// Where the field is in a method that borrows the module: a place, or a name that a pattern binds.
    place: Place,
}

enum Place {
    /// `self.a`
    Struct,
    /// `__x0`, and `__g0` for its gradient.
    Variant(Ident, Ident),
}

/// The fields of a struct, or of one variant of an enum.
struct Case<'a> {
    /// `None` for a struct.
    variant: Option<&'a Ident>,
    /// The fields that are not `#[constant]`, in order.
    parts: Vec<Part<'a>>,
    /// Those marked `#[buffer]`, which are saved whole.
    buffers: Vec<Part<'a>>,
    /// The others that are `#[constant]`.
    constants: Vec<Part<'a>>,
    /// Those marked `#[config]`, which nobody visits.
    options: Vec<Part<'a>>,
}

fn implement(input: DeriveInput) -> syn::Result<TokenStream> {
    let mut cases = cases(&input)?;
    if matches!(input.data, Data::Enum(_))
        && cases
            .iter()
            .all(|c| c.parts.is_empty() && c.buffers.is_empty())
    {
        // An option, as a number is one: nothing to visit, and nothing that is kept.
        cases.clear();
    }
    let each = |body: &dyn Fn(&Case<'_>) -> TokenStream| match cases.as_slice() {
        [] => TokenStream::new(),
        [case @ Case { variant: None, .. }] => body(case),
        cases => {
            let arms = cases.iter().map(|case| {
                let (pattern, body) = (case.pattern(&quote!(Self), |x, _| x), body(case));
                quote!(#pattern => { #body })
            });
            quote!(match self { #(#arms)* })
        }
    };
    let calls = |case: &Case<'_>, method: &str, this: TokenStream| {
        let calls = case.parts.iter().map(|p| p.call(method, &this, None));
        let tag = case.tag();
        quote!(#tag #(#calls)*)
    };
    let visit = each(&|case| calls(case, "visit", quote!(&)));
    let visit_mut = each(&|case| calls(case, "visit_mut", quote!(&mut)));
    let shown = each(&|case| case.buffers("visit", &quote!(&), "Constant"));
    let changed = each(&|case| case.buffers("visit_mut", &quote!(&mut), "ConstantMut"));
    let with_grad = |case: &Case<'_>| {
        let calls = case
            .parts
            .iter()
            .map(|p| p.call("visit_with_grad", &quote!(&mut), Some(quote!(&__grad))));
        let tag = case.tag();
        quote!(#tag #(#calls)*)
    };
    let with_grad = match cases.as_slice() {
        [] => TokenStream::new(),
        [case @ Case { variant: None, .. }] => with_grad(case),
        cases => {
            let (tangent, label) = (
                format_ident!("{}Tangent", input.ident),
                input.ident.to_string(),
            );
            let arms = cases.iter().map(|case| {
                let (value, body) = (case.pattern(&quote!(Self), |x, _| x), with_grad(case));
                let grad = case.pattern(&quote!(#tangent), |_, g| g);
                quote!((#value, #grad) => { #body })
            });
            let other = (cases.len() > 1)
                .then(|| quote!(_ => ::differentiable::__rt::wrong_variant("gradient", #label),));
            quote!(match (self, __grad) { #(#arms)* #other })
        }
    };

    let mut generics = input.generics.clone();
    let parts = cases.iter().flat_map(|c| &c.parts);
    let open = parts
        .filter(|p| mentions_parameter(&p.field.ty, &input))
        .map(|p| &p.field.ty);
    let open: Vec<_> = open.collect();
    if !open.is_empty() {
        let clause = generics.make_where_clause();
        for ty in open {
            clause
                .predicates
                .push(syn::parse_quote!(#ty: ::differentiable::nn::Module));
        }
    }
    let name = &input.ident;
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        #[allow(unused_variables)]
        impl #impl_generics ::differentiable::nn::Module for #name #ty_generics #where_clause {
            fn visit<__V: ::differentiable::nn::Visitor>(
                &self,
                __path: &mut ::differentiable::nn::Path,
                __visitor: &mut __V,
            ) {
                __visitor.module(__path, ::core::any::type_name::<Self>());
                #visit
            }
            fn visit_mut<__V: ::differentiable::nn::VisitorMut>(
                &mut self,
                __path: &mut ::differentiable::nn::Path,
                __visitor: &mut __V,
            ) {
                #visit_mut
            }
            fn visit_with_grad<__V: ::differentiable::nn::VisitorWithGrad>(
                &mut self,
                __grad: &<Self as ::differentiable::ad::Differentiable>::Tangent,
                __path: &mut ::differentiable::nn::Path,
                __visitor: &mut __V,
            ) {
                #with_grad
            }
            fn visit_buffers<__V: ::differentiable::nn::Visitor>(
                &self,
                __frozen: bool,
                __path: &mut ::differentiable::nn::Path,
                __visitor: &mut __V,
            ) {
                #shown
            }
            fn visit_buffers_mut<__V: ::differentiable::nn::VisitorMut>(
                &mut self,
                __frozen: bool,
                __path: &mut ::differentiable::nn::Path,
                __visitor: &mut __V,
            ) {
                #changed
            }
        }
    })
}

impl Case<'_> {
    /// `Self::Dense { 0: __x0 }`
    fn pattern(
        &self,
        of: &TokenStream,
        name: impl for<'p> Fn(&'p Ident, &'p Ident) -> &'p Ident,
    ) -> TokenStream {
        let constants = self
            .buffers
            .iter()
            .chain(&self.constants)
            .chain(&self.options);
        let fields = self.parts.iter().chain(constants);
        let bound = fields.filter_map(|p| match &p.place {
            Place::Struct => None,
            Place::Variant(x, g) => {
                let (member, name) = (&p.member, name(x, g));
                Some(quote!(#member: #name))
            }
        });
        let variant = self.variant;
        quote!(#of::#variant { #(#bound),* })
    }

    /// Tells the visitor which variant there is.
    fn tag(&self) -> Option<TokenStream> {
        let variant = bare(self.variant?);
        Some(quote!(__visitor.variant(__path, #variant);))
    }

    /// Visits what is not trained: everything in a frozen module, else the tensors of constants.
    fn buffers(&self, visit: &str, this: &TokenStream, wrapper: &str) -> TokenStream {
        let (all, wrapper) = (format_ident!("{visit}"), format_ident!("{wrapper}"));
        let inside = format_ident!("{}", visit.replace("visit", "visit_buffers"));
        let tag = self.tag().map(|tag| quote!(if __frozen { #tag }));
        let parts = self.parts.iter().map(|part| {
            let (name, place, form) = (&part.name, part.lent(this), part.form(visit));
            quote! {
                __path.enter(#name, |__path| {
                    if __frozen {
                        #form
                        ::differentiable::nn::Module::#all(#place, __path, __visitor);
                    }
                    ::differentiable::nn::Module::#inside(#place, false, __path, __visitor);
                });
            }
        });
        let buffers = self.buffers.iter().map(|part| {
            let (name, place, form) = (&part.name, part.lent(this), part.form(visit));
            quote_spanned! { located(part.field) =>
                __path.enter(#name, |__path| {
                    #form
                    ::differentiable::nn::Module::#all(#place, __path, __visitor);
                    ::differentiable::nn::Module::#inside(#place, false, __path, __visitor);
                });
            }
        });
        let constants = self.constants.iter().map(|part| {
            let (name, place, form) = (&part.name, part.lent(this), part.form(visit));
            quote! {
                __path.enter(#name, |__path| {
                    #form
                    #[allow(unused_imports)]
                    use ::differentiable::nn::constant::NotKept as _;
                    ::differentiable::nn::constant::#wrapper(#place).#all(__path, __visitor);
                });
            }
        });
        quote!(#tag #(#parts)* #(#buffers)* #(#constants)*)
    }
}

/// The fields of the struct, or those of each variant.
fn cases(input: &DeriveInput) -> syn::Result<Vec<Case<'_>>> {
    match &input.data {
        Data::Struct(data) => Ok(vec![case(None, &data.fields)?]),
        Data::Enum(data) => {
            let cases = data.variants.iter();
            cases.map(|v| case(Some(&v.ident), &v.fields)).collect()
        }
        Data::Union(_) => Err(Error::new(
            input.ident.span(),
            "`Module` can be derived for structs and enums only",
        )),
    }
}

fn case<'a>(variant: Option<&'a Ident>, fields: &'a syn::Fields) -> syn::Result<Case<'a>> {
    for field in fields {
        // In the words of the other derive, so that the compiler reports it once.
        if let Some(object) = trait_object::inside(&field.ty).filter(|_| !is_constant(field)) {
            return Err(Error::new_spanned(object, trait_object::message(object)));
        }
        well_formed::field(field)?;
        if let Some(attr) = torch(field) {
            check_form(attr, field)?;
        }
    }
    let parts = fields.iter().enumerate().map(|(i, field)| {
        let (name, member) = match &field.ident {
            Some(ident) => (bare(ident), Member::Named(ident.clone())),
            None => {
                let index = i as u32;
                let span = Span::call_site();
                (i.to_string(), Member::Unnamed(Index { index, span }))
            }
        };
        let place = match variant {
            None => Place::Struct,
            Some(_) => Place::Variant(format_ident!("__x{i}"), format_ident!("__g{i}")),
        };
        Part {
            member,
            name,
            field,
            place,
        }
    });
    let (constants, parts): (Vec<_>, _) = parts.partition(|part| is_constant(part.field));
    let (options, constants): (Vec<_>, Vec<_>) =
        constants.into_iter().partition(|p| has(p.field, "config"));
    let (buffers, constants) = constants.into_iter().partition(|p| has(p.field, "buffer"));
    Ok(Case {
        variant,
        parts,
        buffers,
        constants,
        options,
    })
}

/// Where the type of a field stands, with the names of the derived code: the type may come from a macro of the user's.
fn located(field: &Field) -> Span {
    Span::call_site().located_at(field.ty.span())
}

fn bare(name: &Ident) -> String {
    syn::ext::IdentExt::unraw(name).to_string()
}

fn is_constant(field: &Field) -> bool {
    has(field, "constant") || has(field, "no_grad")
}

fn torch(field: &Field) -> Option<&Attribute> {
    field.attrs.iter().find(|a| a.path().is_ident("torch"))
}

/// `#[torch(..)]` holds methods of `TorchForm`, on a field whose tensors have names.
fn check_form(attr: &Attribute, field: &Field) -> syn::Result<()> {
    // What follows the dot of `TorchForm::new().` has to be calls.
    let is_call = |list: &syn::MetaList| {
        let calls = &list.tokens;
        syn::parse2::<syn::ExprMethodCall>(quote!(form.#calls)).is_ok()
    };
    if !attr.meta.require_list().is_ok_and(is_call) {
        return Err(Error::new_spanned(
            attr,
            "`#[torch(..)]` says how PyTorch stores the field by methods of `TorchForm`, such as `#[torch(transposed(1))]` or `#[torch(named(\"fc1\"))]`",
        ));
    }
    if has(field, "config") {
        return Err(Error::new_spanned(
            attr,
            "an option is not saved, so PyTorch's files have no name for it: remove `#[torch(..)]`",
        ));
    }
    let mut all = field.attrs.iter().filter(|a| a.path().is_ident("torch"));
    match all.nth(1) {
        Some(second) => Err(Error::new_spanned(
            second,
            "a field has one `#[torch(..)]`: its methods stand one after the other, `#[torch(named(\"a\").merged(2))]`",
        )),
        None => Ok(()),
    }
}

fn has(field: &Field, mark: &str) -> bool {
    field.attrs.iter().any(|a| a.path().is_ident(mark))
}

impl Part<'_> {
    /// `&self.a`; what a pattern binds is lent already.
    fn lent(&self, reference: &TokenStream) -> TokenStream {
        match &self.place {
            Place::Struct => {
                let member = &self.member;
                quote!(#reference self.#member)
            }
            Place::Variant(x, _) => quote!(#reference *#x),
        }
    }

    /// Visits the field under its name. Spanned on the field's type, where a missing `Module`
    /// should be reported.
    fn call(&self, method: &str, this: &TokenStream, grad: Option<TokenStream>) -> TokenStream {
        let form = self.form(method);
        let (method, name, place) = (format_ident!("{method}"), &self.name, self.lent(this));
        let grad = grad.map(|g| match &self.place {
            Place::Struct => {
                let member = &self.member;
                quote!(#g.#member,)
            }
            Place::Variant(_, g) => quote!(#g,),
        });
        quote_spanned! { located(self.field) =>
            __path.enter(#name, |__path| {
                #form
                ::differentiable::nn::Module::#method(#place, #grad __path, __visitor)
            });
        }
    }

    /// Tells the visitor how PyTorch stores the field. Only `visit` shows it.
    fn form(&self, method: &str) -> Option<TokenStream> {
        let attr = torch(self.field).filter(|_| method == "visit")?;
        let calls = &attr.meta.require_list().ok()?.tokens;
        Some(quote! {
            __visitor.torch(__path, const { &::differentiable::nn::TorchForm::new().#calls });
        })
    }
}

/// Whether a type depends on a type parameter of the struct, so that it is not known here whether
/// it is a module.
fn mentions_parameter(ty: &syn::Type, input: &DeriveInput) -> bool {
    struct Search<'a>(&'a DeriveInput, bool);
    impl<'ast> syn::visit::Visit<'ast> for Search<'_> {
        fn visit_ident(&mut self, ident: &'ast syn::Ident) {
            self.1 |= self.0.generics.type_params().any(|p| p.ident == *ident);
        }
    }
    let mut search = Search(input, false);
    syn::visit::Visit::visit_type(&mut search, ty);
    search.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_fields_are_left_out_and_positions_are_kept() {
        let input = syn::parse_quote! { struct N(#[constant] f32, Linear<2, 3>); };
        let cases = cases(&input).unwrap();
        let names =
            |parts: &[Part<'_>]| -> Vec<_> { parts.iter().map(|p| p.name.clone()).collect() };
        assert_eq!(
            (names(&cases[0].parts), names(&cases[0].constants)),
            (vec!["1".into()], vec!["0".to_string()])
        );
    }

    #[test]
    fn a_form_is_shown_and_one_that_says_nothing_is_an_error() {
        let shown = expand(
            quote! { struct N { #[torch(transposed(1))] w: Tensor, #[torch(flat())] #[constant] #[buffer] b: B } },
        );
        let shown = shown.to_string();
        assert_eq!(shown.matches("__visitor . torch").count(), 3, "{shown}");
        for wrong in [
            quote!(#[torch]),
            quote!(#[torch()]),
            quote!(#[torch(else ())]),
            quote!(#[torch(transposed)]),
        ] {
            let text = expand(quote! { struct N { #wrong w: Tensor } }).to_string();
            assert!(text.contains("by methods of `TorchForm`"), "{text}");
        }
        let text =
            expand(quote! { struct N { #[torch(flat())] #[torch(flat())] w: T } }).to_string();
        assert!(text.contains("one `#[torch(..)]`"), "{text}");
        let text = expand(quote! { struct N { #[torch(flat())] #[constant] #[config] w: f64 } });
        assert!(text.to_string().contains("is not saved"), "{text}");
    }

    #[test]
    fn only_fields_of_generic_type_need_a_clause() {
        let input =
            syn::parse_quote! { struct N<L, const H: usize> { a: Vec<L>, b: Linear<H, 3> } };
        let cases = cases(&input).unwrap();
        assert!(mentions_parameter(&cases[0].parts[0].field.ty, &input));
        assert!(!mentions_parameter(&cases[0].parts[1].field.ty, &input));
    }

    #[test]
    fn an_enum_tells_its_variant_and_a_union_is_an_error() {
        let tokens =
            expand(quote! { enum E { A(Linear<2, 3>), B { b: f64, #[constant] r#n: usize }, C } });
        let text = tokens.to_string();
        assert!(
            text.contains("__visitor . variant (__path , \"B\")"),
            "{text}"
        );
        syn::parse2::<syn::File>(tokens).expect("items");
        let text = expand(quote! { union U { a: f64 } }).to_string();
        assert!(text.contains("structs and enums only"), "{text}");
    }
}
