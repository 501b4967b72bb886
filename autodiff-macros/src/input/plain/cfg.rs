//! `#[cfg(..)]` inside of an annotated item. An attribute macro gets its item before these are evaluated, and cannot
//! evaluate them itself. So it asks: the item comes back once more, with one attribute for each condition that holds.
//!
//! ```ignore
//! #[cfg_attr(feature = "fast", allow(__holds_0))]
//! #[differentiable(__conditions([feature = "fast"]), higher_order)]
//! fn f(x: f64) -> f64 { let mut y = x; #[cfg(feature = "fast")] { y *= 2.0; } y }
//! ```

use super::attributes::{of_expression, of_pattern, of_statement};
use crate::syntax::is_macro;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, ToTokens};
use std::collections::HashMap;
use syn::parse::Parser;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, FnArg, GenericParam, ImplItem, Item, Meta, Token, TraitItem};

const CONDITIONS: &str = "__conditions";

/// What is known of the conditions in an item.
pub enum Resolved {
    /// The arguments of the attribute and the item, of which nothing depends on a condition.
    Item(TokenStream, TokenStream),
    /// What the macro has to give back to ask, or nothing where the item is left out.
    Instead(TokenStream),
}

/// Leaves out what conditions leave out, or asks for them. `attribute` is the macro that is expanded.
pub fn resolve(attribute: &str, args: TokenStream, item: TokenStream) -> Resolved {
    let (conditions, args) = asked(args);
    if !mentions_conditions(item.clone()) && conditions.is_empty() {
        return Resolved::Item(args, item);
    }
    // What does not parse is reported by the expansion itself.
    let Ok(mut parsed) = parsed(item.clone()) else {
        return Resolved::Item(args, item);
    };
    let Some(attrs) = attributes_of(&mut parsed) else {
        return Resolved::Item(args, item);
    };
    let mut pass = Pass {
        holds: answers(attrs, &conditions),
        unknown: Vec::new(),
    };
    if !pass.keeps(attrs) {
        return Resolved::Instead(TokenStream::new());
    }
    pass.item(&mut parsed);
    let item = parsed.into_token_stream();
    if pass.unknown.is_empty() {
        return Resolved::Item(args, item);
    }
    let unknown = pass.unknown;
    let marks = (0..unknown.len()).map(mark);
    let attribute = Ident::new(attribute, Span::call_site());
    Resolved::Instead(quote! {
        #(#[cfg_attr(#unknown, allow(#marks))])*
        #[::differentiable::#attribute(__conditions(#([#unknown]),*), #args)]
        #item
    })
}

/// The conditions that were asked for, and the other arguments.
fn asked(args: TokenStream) -> (Vec<String>, TokenStream) {
    let mut rest = args.clone().into_iter();
    match (rest.next(), rest.next()) {
        (Some(TokenTree::Ident(i)), Some(TokenTree::Group(list))) if i == CONDITIONS => {
            let groups = list.stream().into_iter().filter_map(|t| match t {
                TokenTree::Group(g) => Some(g.stream().to_string()),
                _ => None,
            });
            // And the comma.
            (groups.collect(), rest.skip(1).collect())
        }
        _ => (Vec::new(), args),
    }
}

fn mark(number: usize) -> Ident {
    format_ident!("__holds_{number}")
}

/// Which of the conditions hold: takes the marks of those that do.
fn answers(attrs: &mut Vec<Attribute>, conditions: &[String]) -> HashMap<String, bool> {
    let mut holds = HashMap::new();
    for (number, condition) in conditions.iter().enumerate() {
        let mark = mark(number);
        let is_mark = |a: &Attribute| match &a.meta {
            Meta::List(l) if a.path().is_ident("allow") => mark == l.tokens.to_string(),
            _ => false,
        };
        let before = attrs.len();
        attrs.retain(|a| !is_mark(a));
        holds.insert(condition.clone(), attrs.len() < before);
    }
    holds
}

/// Whether there is a `#[cfg(..)]` or a `#[cfg_attr(..)]`.
pub fn mentions_conditions(tokens: TokenStream) -> bool {
    super::mentions_attribute(tokens, &["cfg", "cfg_attr"])
}

/// The condition of a `cfg_attr`, and what it stands for.
struct CfgAttr {
    condition: Meta,
    then: Punctuated<Meta, Token![,]>,
}

impl Parse for CfgAttr {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let condition = input.parse()?;
        input.parse::<Token![,]>()?;
        let then = Punctuated::parse_terminated(input)?;
        Ok(CfgAttr { condition, then })
    }
}

/// Leaves out what is not there.
struct Pass {
    holds: HashMap<String, bool>,
    unknown: Vec<TokenStream>,
}

impl Pass {
    /// Whether the condition holds; `None` where it has to be asked for.
    fn holds(&mut self, condition: TokenStream) -> Option<bool> {
        let text = condition.to_string();
        let known = match text.as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => self.holds.get(&text).copied(),
        };
        let asked = |c: &TokenStream| c.to_string() == text;
        if known.is_none() && !self.unknown.iter().any(asked) {
            self.unknown.push(condition);
        }
        known
    }

    /// Whether something with these attributes is there; those that are decided go.
    fn keeps(&mut self, attrs: &mut Vec<Attribute>) -> bool {
        let mut kept = Vec::new();
        let mut keeps = true;
        let mut rest: Vec<Attribute> = std::mem::take(attrs);
        rest.reverse();
        while let Some(a) = rest.pop() {
            let list = match &a.meta {
                Meta::List(l) => l.tokens.clone(),
                _ => TokenStream::new(),
            };
            if a.path().is_ident("cfg") {
                match self.holds(list) {
                    None => kept.push(a),
                    Some(holds) => keeps &= holds,
                }
                continue;
            }
            let conditional = a.path().is_ident("cfg_attr");
            let Some(c) = conditional
                .then(|| syn::parse2::<CfgAttr>(list).ok())
                .flatten()
            else {
                kept.push(a);
                continue;
            };
            match self.holds(c.condition.to_token_stream()) {
                None => kept.push(a),
                Some(false) => {}
                Some(true) => {
                    let then = c.then.into_iter().rev();
                    rest.extend(then.map(|meta| Attribute { meta, ..a.clone() }));
                }
            }
        }
        *attrs = kept;
        keeps
    }

    /// The parts of an item whose function, or functions, are differentiated.
    fn item(&mut self, item: &mut Item) {
        match item {
            Item::Fn(f) => {
                self.visit_signature_mut(&mut f.sig);
                self.visit_block_mut(&mut f.block);
            }
            Item::Impl(i) => {
                self.visit_generics_mut(&mut i.generics);
                i.items
                    .retain_mut(|i| of_impl_item(i).is_none_or(|attrs| self.keeps(attrs)));
                for item in &mut i.items {
                    if let ImplItem::Fn(f) = item {
                        self.visit_signature_mut(&mut f.sig);
                        self.visit_block_mut(&mut f.block);
                    }
                }
            }
            Item::Trait(t) => {
                self.visit_generics_mut(&mut t.generics);
                t.items
                    .retain_mut(|i| of_trait_item(i).is_none_or(|attrs| self.keeps(attrs)));
                for item in &mut t.items {
                    if let TraitItem::Fn(f) = item {
                        self.visit_signature_mut(&mut f.sig);
                        if let Some(b) = &mut f.default {
                            self.visit_block_mut(b);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn list<T, P: Default>(
        &mut self,
        list: &mut Punctuated<T, P>,
        attrs: impl Fn(&mut T) -> Option<&mut Vec<Attribute>>,
    ) {
        let pairs = std::mem::take(list).into_pairs();
        list.extend(pairs.filter_map(|mut pair| {
            let keeps = attrs(pair.value_mut()).is_none_or(|attrs| self.keeps(attrs));
            keeps.then_some(pair)
        }));
    }

    fn expressions(&mut self, list: &mut Punctuated<Expr, Token![,]>) {
        self.list(list, of_expression);
    }
}

impl VisitMut for Pass {
    fn visit_signature_mut(&mut self, sig: &mut syn::Signature) {
        self.list(&mut sig.inputs, |arg| match arg {
            FnArg::Receiver(r) => Some(&mut r.attrs),
            FnArg::Typed(t) => Some(&mut t.attrs),
        });
        self.visit_generics_mut(&mut sig.generics);
    }
    fn visit_generics_mut(&mut self, generics: &mut syn::Generics) {
        self.list(&mut generics.params, |p| match p {
            GenericParam::Lifetime(p) => Some(&mut p.attrs),
            GenericParam::Type(p) => Some(&mut p.attrs),
            GenericParam::Const(p) => Some(&mut p.attrs),
        });
    }
    fn visit_block_mut(&mut self, b: &mut syn::Block) {
        b.stmts
            .retain_mut(|s| of_statement(s).is_none_or(|attrs| self.keeps(attrs)));
        visit_mut::visit_block_mut(self, b);
    }
    fn visit_expr_match_mut(&mut self, m: &mut syn::ExprMatch) {
        m.arms.retain_mut(|a| self.keeps(&mut a.attrs));
        visit_mut::visit_expr_match_mut(self, m);
    }
    fn visit_expr_struct_mut(&mut self, s: &mut syn::ExprStruct) {
        self.list(&mut s.fields, |f| Some(&mut f.attrs));
        visit_mut::visit_expr_struct_mut(self, s);
    }
    fn visit_pat_struct_mut(&mut self, s: &mut syn::PatStruct) {
        self.list(&mut s.fields, |f| Some(&mut f.attrs));
        visit_mut::visit_pat_struct_mut(self, s);
    }
    fn visit_expr_call_mut(&mut self, c: &mut syn::ExprCall) {
        self.expressions(&mut c.args);
        visit_mut::visit_expr_call_mut(self, c);
    }
    fn visit_expr_method_call_mut(&mut self, c: &mut syn::ExprMethodCall) {
        self.expressions(&mut c.args);
        visit_mut::visit_expr_method_call_mut(self, c);
    }
    fn visit_expr_array_mut(&mut self, a: &mut syn::ExprArray) {
        self.expressions(&mut a.elems);
        visit_mut::visit_expr_array_mut(self, a);
    }
    fn visit_expr_tuple_mut(&mut self, t: &mut syn::ExprTuple) {
        self.expressions(&mut t.elems);
        visit_mut::visit_expr_tuple_mut(self, t);
    }
    fn visit_expr_closure_mut(&mut self, c: &mut syn::ExprClosure) {
        self.list(&mut c.inputs, of_pattern);
        visit_mut::visit_expr_closure_mut(self, c);
    }
    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        if !mentions_conditions(m.tokens.clone()) {
            return;
        }
        // Any other macro may mean something else by it, and is refused with the attributes.
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        let tokens = m.tokens.clone();
        if is_macro(m, &["vec"]) {
            if let Ok(mut list) = list.parse2(tokens) {
                self.expressions(&mut list);
                list.iter_mut().for_each(|e| self.visit_expr_mut(e));
                m.tokens = list.into_token_stream();
            }
        } else if is_macro(m, &["no_grad"]) {
            if let Ok(mut block) = syn::parse2::<syn::Block>(quote!({ #tokens })) {
                self.visit_block_mut(&mut block);
                let statements = block.stmts;
                m.tokens = quote!(#(#statements)*);
            }
        }
    }
    // Items inside are compiled as they are.
    fn visit_item_mut(&mut self, _: &mut Item) {}
}

fn parsed(item: TokenStream) -> syn::Result<Item> {
    // Of a method too, which has a receiver.
    syn::parse2::<syn::ItemFn>(item.clone())
        .map(Item::Fn)
        .or_else(|_| syn::parse2::<Item>(item))
}

/// The attributes of an item that may be annotated.
fn attributes_of(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    match item {
        Item::Fn(i) => Some(&mut i.attrs),
        Item::Impl(i) => Some(&mut i.attrs),
        Item::Trait(i) => Some(&mut i.attrs),
        _ => None,
    }
}

fn of_impl_item(item: &mut ImplItem) -> Option<&mut Vec<Attribute>> {
    match item {
        ImplItem::Fn(f) => Some(&mut f.attrs),
        ImplItem::Const(c) => Some(&mut c.attrs),
        ImplItem::Type(t) => Some(&mut t.attrs),
        ImplItem::Macro(m) => Some(&mut m.attrs),
        _ => None,
    }
}

fn of_trait_item(item: &mut TraitItem) -> Option<&mut Vec<Attribute>> {
    match item {
        TraitItem::Fn(f) => Some(&mut f.attrs),
        TraitItem::Const(c) => Some(&mut c.attrs),
        TraitItem::Type(t) => Some(&mut t.attrs),
        TraitItem::Macro(m) => Some(&mut m.attrs),
        _ => None,
    }
}
