//! Closures whose parameters have names of their own.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::visit_mut::{self, VisitMut};

/// A closure whose parameters have names of their own: its body can stand where others mean
/// something else.
pub fn apart(c: &syn::ExprClosure, fresh: &mut dyn FnMut(&str) -> Ident) -> syn::ExprClosure {
    struct V(Vec<(String, Ident)>);
    impl V {
        fn new_name(&self, old: &Ident) -> Option<Ident> {
            let mut new = self.0.iter().find(|(n, _)| old == n)?.1.clone();
            new.set_span(old.span().resolved_at(new.span()));
            Some(new)
        }
        fn tokens(&self, tokens: TokenStream) -> TokenStream {
            let rename = |t| match t {
                TokenTree::Ident(i) => self.new_name(&i).unwrap_or(i).into(),
                TokenTree::Group(g) => {
                    let mut new = Group::new(g.delimiter(), self.tokens(g.stream()));
                    new.set_span(g.span());
                    TokenTree::Group(new)
                }
                other => other,
            };
            tokens.into_iter().map(rename).collect()
        }
    }
    impl VisitMut for V {
        fn visit_expr_path_mut(&mut self, p: &mut syn::ExprPath) {
            if let Some(new) = p.path.get_ident().and_then(|i| self.new_name(i)) {
                p.path = new.into();
            }
        }
        fn visit_field_value_mut(&mut self, f: &mut syn::FieldValue) {
            visit_mut::visit_field_value_mut(self, f);
            f.colon_token.get_or_insert_default();
        }
        fn visit_field_pat_mut(&mut self, f: &mut syn::FieldPat) {
            visit_mut::visit_field_pat_mut(self, f);
            f.colon_token.get_or_insert_default();
        }
        fn visit_pat_ident_mut(&mut self, p: &mut syn::PatIdent) {
            if let Some(new) = self.new_name(&p.ident) {
                p.ident = new;
            }
            visit_mut::visit_pat_ident_mut(self, p);
        }
        fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
            m.tokens = self.tokens(std::mem::take(&mut m.tokens));
        }
    }
    let names = c.inputs.iter().flat_map(crate::syntax::pattern_names);
    let mut v = V(names.map(|n| (n.clone(), fresh(&n))).collect());
    let mut c = c.clone();
    v.visit_expr_closure_mut(&mut c);
    c
}
