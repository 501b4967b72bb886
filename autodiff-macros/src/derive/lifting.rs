//! `impl Lift`: a value over another scalar, and what is read of it, field by field.

use super::boxes::{boxed, reference, unboxed};
use super::differentiable::inline;
use super::matching::Subject;
use super::model::{Field, Kind, Model, Variant};
use super::names::{binding, Names, Side};
use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use syn::{Generics, Type};

/// From a type to the same over `__D`.
pub struct Lifting<'a> {
    pub model: &'a Model<'a>,
    pub names: &'a Names,
    /// The type over `__D`, as it is built and matched, and its tangent.
    pub over: &'a Names,
    /// Those of the impl, with `__D` among them.
    pub generics: Generics,
    /// The scalar of the type.
    pub scalar: TokenStream,
    /// The type over `__D`.
    pub lifted: TokenStream,
    /// Whether a constant field has numbers that are written over `__D`.
    pub exchanged: &'a dyn Fn(&Field<'_>) -> bool,
}

impl Lifting<'_> {
    pub fn implement(&self) -> TokenStream {
        let (name, lifted, s) = (self.model.name, &self.lifted, &self.scalar);
        let (_, ty_generics, _) = self.model.generics.split_for_impl();
        let (impl_generics, _, clause) = self.generics.split_for_impl();
        let inline = inline(self.model);
        let Bodies {
            lift,
            lift_along,
            part,
            along,
            read,
            visit,
            fill,
        } = self.bodies();
        let along = along.map(|along| {
            quote! {
                #inline
                fn along<__F: ::core::ops::Fn(__D) -> #s>(
                    __proto: &<Self::Lifted as ad::Differentiable>::Proto,
                    __ct: ad::Ct<Self::Lifted>,
                    __f: &__F,
                ) -> <Self as ad::Differentiable>::Tangent { #along }
            }
        });
        quote! {
            #[automatically_derived]
            #[allow(unused_variables)]
            impl #impl_generics ad::Lift<#s, __D> for #name #ty_generics #clause {
                type Lifted = #lifted;
                #inline
                fn lift<__F: ::core::ops::FnMut(#s) -> __D>(&self, __f: &mut __F) -> Self::Lifted { #lift }
                #inline
                fn lift_along<__F: ::core::ops::FnMut(#s, #s) -> __D>(
                    &self,
                    __tangent: &<Self as ad::Differentiable>::Tangent,
                    __f: &mut __F,
                ) -> Self::Lifted { #lift_along }
                #inline
                fn part<__F: ::core::ops::Fn(__D) -> #s>(
                    __tangent: &<Self::Lifted as ad::Differentiable>::Tangent,
                    __f: &__F,
                ) -> <Self as ad::Differentiable>::Tangent { #part }
                #along
                #inline
                fn read<__F: ::core::ops::FnMut(__D)>(
                    __tangent: &<Self::Lifted as ad::Differentiable>::Tangent,
                    __f: &mut __F,
                ) { #read }
                #inline
                fn visit<__F: ::core::ops::FnMut(__D)>(__lifted: &Self::Lifted, __f: &mut __F) { #visit }
                #inline
                fn fill<__F: ::core::ops::FnMut() -> #s>(&self, __next: &mut __F) -> <Self as ad::Differentiable>::Tangent { #fill }
            }
        }
    }

    /// Whether it is a struct without boxes: of others, gradients are finished before they are read.
    fn whole(&self) -> bool {
        let mut types = self.model.variants.iter().flat_map(Variant::active);
        self.model.kind == Kind::Struct && types.all(|(_, ty)| unboxed(ty) == ty)
    }

    fn bodies(&self) -> Bodies {
        let (model, names, s) = (self.model, self.names, &self.scalar);
        let tangent = Subject(quote!(__tangent), &names.tangent, "t");
        let over = Subject(quote!(__tangent), &self.over.tangent, "t");
        // Goes through boxes.
        let call = |ty: &Type, function: TokenStream, args: TokenStream| {
            let ty = unboxed(ty);
            quote!(<#ty as ad::Lift<#s, __D>>::#function(#args))
        };
        // A value with `active` of each differentiable field; the others do not change.
        let build = |v: &Variant<'_>, active: &dyn Fn(usize, &Type) -> TokenStream| {
            let path = self.over.value.path(model, v);
            let fields = v.fields.iter().enumerate().map(|(i, f)| {
                let (member, x, ty) = (&f.member, binding("x", i), &f.ty);
                let value = match &f.active {
                    Some(_) => boxed(ty, active(i, ty)),
                    None if (self.exchanged)(f) => {
                        quote!(<#ty as ad::Lift<#s, __D>>::lift(#x, &mut <__D as ad::Extends<#s>>::constant))
                    }
                    None => quote!(::core::clone::Clone::clone(#x)),
                };
                quote!(#member: #value)
            });
            quote!(#path { #(#fields),* })
        };
        let arms = |of: TokenStream, side: &Side, arm: &dyn Fn(&Variant<'_>) -> TokenStream| {
            let arms = model.variants.iter().map(|v| {
                let path = side.path(model, v);
                let (members, bindings): (Vec<_>, Vec<_>) = v
                    .fields
                    .iter()
                    .enumerate()
                    .map(|(i, f)| (&f.member, binding("x", i)))
                    .unzip();
                let body = arm(v);
                quote!(#path { #(#members: #bindings),* } => { #body })
            });
            quote!(match #of { #(#arms)* })
        };
        Bodies {
            lift: arms(quote!(self), &names.value, &|v| {
                build(v, &|i, ty| {
                    let x = reference(ty, binding("x", i).into_token_stream());
                    call(ty, quote!(lift), quote!(#x, __f))
                })
            }),
            lift_along: arms(quote!(self), &names.value, &|v| {
                let pattern = names.tangent.pattern(model, v, "t");
                let value = build(v, &|i, ty| {
                    let (x, t) = (binding("x", i), tangent.field(i));
                    let [x, t] = [x, t].map(|x| reference(ty, x.into_token_stream()));
                    call(ty, quote!(lift_along), quote!(#x, #t, __f))
                });
                let other = (model.variants.len() > 1).then(|| {
                    let (of, variant) = (model.name.to_string(), v.name.to_string());
                    quote!(__other => ad::variants_differ("give a value the tangent", #of, #variant, ad::Variant::variant(&__other)))
                });
                quote!(match __tangent { #pattern => #value, #other })
            }),
            part: super::matching::each(model, &over, |v| {
                names.tangent.build(model, v, |i, ty| {
                    let t = reference(ty, tangent.field(i).into_token_stream());
                    boxed(ty, call(ty, quote!(part), quote!(#t, __f)))
                })
            }),
            along: self.whole().then(|| {
                let proto = Subject(quote!(__proto), &self.over.proto, "p");
                let ct = Subject(quote!(__ct), &self.over.adj, "c");
                super::matching::each(model, &proto, |v| {
                    let fields = names.tangent.build(model, v, |i, ty| {
                        let (p, c) = (proto.field(i), ct.field(i));
                        call(ty, quote!(along), quote!(#p, #c, __f))
                    });
                    super::matching::each(model, &ct, |_| fields.clone())
                })
            }),
            read: super::matching::each(model, &over, |v| {
                let all = v.active().map(|(i, ty)| {
                    let t = reference(ty, tangent.field(i).into_token_stream());
                    let read = call(ty, quote!(read), quote!(#t, __f));
                    quote!(#read;)
                });
                quote!(#(#all)*)
            }),
            visit: arms(quote!(__lifted), &self.over.value, &|v| {
                let all = v.active().map(|(i, ty)| {
                    let x = reference(ty, binding("x", i).into_token_stream());
                    let visit = call(ty, quote!(visit), quote!(#x, __f));
                    quote!(#visit;)
                });
                quote!(#(#all)*)
            }),
            fill: arms(quote!(self), &names.value, &|v| {
                names.tangent.build(model, v, |i, ty| {
                    let x = reference(ty, binding("x", i).into_token_stream());
                    boxed(ty, call(ty, quote!(fill), quote!(#x, __next)))
                })
            }),
        }
    }
}

struct Bodies {
    lift: TokenStream,
    lift_along: TokenStream,
    part: TokenStream,
    along: Option<TokenStream>,
    read: TokenStream,
    visit: TokenStream,
    fill: TokenStream,
}
