//! Literals, variants and patterns of the types that a function [names](super::named), over any scalar.

use super::generic::Exchange;
use super::named::Part;
use crate::syntax;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned, ToTokens};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, Pat, Path};

impl Exchange<'_> {
    /// A literal of a struct or of a variant with names.
    pub fn struct_literal(&mut self, s: &mut syn::ExprStruct) -> Option<TokenStream> {
        if s.qself.is_some() {
            return None;
        }
        let values = s.fields.iter().map(|f| &f.expr);
        let discrete = s.rest.is_none() && self.locals.are_discrete(values);
        syntax::name_default(s);
        if self.named.is_of_constants(&s.path) {
            s.fields.iter_mut().for_each(|f| self.inferred(&mut f.expr));
        }
        match &mut s.rest {
            Some(base) => {
                self.visit_expr_mut(base);
                s.fields
                    .iter_mut()
                    .for_each(|f| self.possible_setting(&mut f.expr));
            }
            None => s
                .fields
                .iter_mut()
                .for_each(|f| self.visit_expr_mut(&mut f.expr)),
        }
        let (path, base) = (&s.path, &s.rest);
        let members = || s.fields.iter().map(|f| (&f.member, &f.expr));
        if let Some(Part::Whole(name) | Part::Member(name)) = self.named.part(path) {
            let fields = members().map(|(m, e)| quote!(#m: #e));
            let base = base.as_ref().map(|b| quote!(..#b));
            return Some(quote!(#name { #(#fields,)* #base }));
        }
        if self.named.is_open(path) || discrete {
            let fields = members().map(|(m, e)| quote!(#m: #e));
            let base = base.as_ref().map(|b| quote!(..#b));
            return Some(quote!(#path { #(#fields,)* #base }));
        }
        if let Some(base) = base {
            let fields = members().map(|(m, e)| quote!(__value.#m = #e;));
            return Some(quote!({ let mut __value = #base; #(#fields)* __value }));
        }
        let mut fields: Vec<_> = members().collect();
        fields.sort_by_key(|(m, _)| m.to_token_stream().to_string().replace("r#", ""));
        let values = fields.into_iter().map(|(_, e)| e);
        Some(quote_spanned!(path.span()=> #path::__over_new::<AnyScalar>(#(#values),*)))
    }

    /// A literal of a tuple struct, or the call of an associated function or a variant.
    pub fn tuple_literal(&mut self, c: &mut syn::ExprCall) -> Option<TokenStream> {
        let Expr::Path(p) = &*c.func else { return None };
        if p.qself.is_some() {
            return None;
        }
        let part = self.named.part(&p.path);
        if part.is_none()
            && (self.named.is_open(&p.path) || self.locals.are_discrete(c.args.iter()))
        {
            return None;
        }
        if self.named.is_of_constants(&p.path) {
            c.args.iter_mut().for_each(|a| self.inferred(a));
        }
        c.args.iter_mut().for_each(|a| self.visit_expr_mut(a));
        let (path, args) = (&p.path, &c.args);
        let Some(part) = part else {
            let order = in_order(args.len()).map(|i| &args[i]);
            return Some(quote_spanned!(path.span()=> #path::__over_new::<AnyScalar>(#(#order),*)));
        };
        Some(match part {
            Part::Whole(name) => {
                let members = (0..).map(syn::Index::from);
                let fields = args.iter().zip(members).map(|(a, i)| quote!(#i: #a));
                quote!(#name { #(#fields),* })
            }
            Part::Member(name) => quote!(#name(#args)),
        })
    }

    /// A variant, or an associated function as a value.
    pub fn member(&self, path: &Path) -> Option<TokenStream> {
        match self.named.part(path)? {
            Part::Member(name)
                if !self
                    .named
                    .is_constant(&path.segments.last()?.ident.to_string()) =>
            {
                Some(name)
            }
            _ => None,
        }
    }

    /// The path of a pattern.
    pub fn pattern(&mut self, pat: &mut Pat) {
        let new: Option<Pat> = match pat {
            Pat::Struct(s) => match self.named.part(&s.path) {
                Some(Part::Whole(name) | Part::Member(name)) => {
                    s.path = syn::parse_quote!(#name);
                    None
                }
                None => None,
            },
            Pat::TupleStruct(t) => match self.named.part(&t.path) {
                Some(Part::Member(name)) => {
                    t.path = syn::parse_quote!(#name);
                    None
                }
                Some(Part::Whole(name)) => {
                    let before = t.elems.iter().take_while(|p| !matches!(p, Pat::Rest(_)));
                    let fields = before.enumerate().map(|(i, p)| {
                        let i = syn::Index::from(i);
                        quote!(#i: #p)
                    });
                    Some(syn::parse_quote!(#name { #(#fields,)* .. }))
                }
                None => None,
            },
            Pat::Path(p) if p.qself.is_none() => match self.named.part(&p.path) {
                Some(Part::Member(name)) => {
                    p.path = syn::parse_quote!(#name);
                    None
                }
                _ => None,
            },
            _ => None,
        };
        if let Some(new) = new {
            *pat = new;
        }
    }
}

/// The fields of a tuple struct in the order of their names, which are numbers written out.
fn in_order(count: usize) -> impl Iterator<Item = usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(usize::to_string);
    order.into_iter()
}
