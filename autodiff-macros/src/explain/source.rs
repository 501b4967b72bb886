//! Code as text, and the names that the source binds.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::quote;
use syn::visit::{self, Visit};
use syn::{Expr, Local, Pat, PatIdent, Signature};

/// Longer expressions are cut: the report has the whole code at its end.
const LONGEST: usize = 72;

/// One line.
pub fn expression(tokens: &TokenStream) -> String {
    let wrapped = syn::parse2::<syn::File>(quote!(fn f() { #tokens }));
    let text = match wrapped {
        Ok(file) => {
            let text = prettyplease::unparse(&file);
            let lines = text.lines();
            let inner: Vec<&str> = lines.map(str::trim).collect();
            inner[1..inner.len().saturating_sub(1).max(1)].join(" ")
        }
        Err(_) => tokens.to_string(),
    };
    let text = [
        "::std::borrow::",
        "::core::clone::",
        "::differentiable::__rt::",
    ]
    .iter()
    .fold(text, |t, path| t.replace(path, ""));
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}

pub fn pattern(tokens: &TokenStream) -> String {
    let text = expression(&quote!(match () { #tokens => {} }));
    let arm = text
        .strip_prefix("match () { ")
        .and_then(|t| t.split(" => ").next());
    arm.map_or_else(|| tokens.to_string(), str::to_string)
}

pub fn signature(sig: &Signature) -> String {
    let text = prettyplease::unparse(&syn::parse_quote!(#sig {}));
    text.trim_end().trim_end_matches("{}").trim_end().into()
}

/// The receiver by the name that the user knows.
pub fn with_self(tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|t| match t {
            TokenTree::Ident(i) if i == "this" => TokenTree::Ident(Ident::new("self", i.span())),
            TokenTree::Group(g) => {
                TokenTree::Group(Group::new(g.delimiter(), with_self(g.stream())))
            }
            t => t,
        })
        .collect()
}

/// Functions, without their attributes.
pub fn file(tokens: &TokenStream) -> String {
    match syn::parse2::<syn::File>(tokens.clone()) {
        Ok(mut file) => {
            for item in &mut file.items {
                if let syn::Item::Fn(f) = item {
                    f.attrs.clear();
                }
            }
            prettyplease::unparse(&file)
        }
        Err(_) => format!("{tokens}\n"),
    }
}

/// The names that a body binds, in order, each once, and whether it names a closure.
pub fn bindings(body: &syn::Block) -> Vec<(String, bool)> {
    struct V(Vec<(String, bool)>);
    impl V {
        fn add(&mut self, p: &PatIdent, closure: bool) {
            let name = p.ident.to_string();
            let name = name.trim_start_matches("r#");
            if !self.0.iter().any(|(n, _)| n == name) {
                self.0.push((name.to_string(), closure));
            }
        }
    }
    impl<'a> Visit<'a> for V {
        fn visit_local(&mut self, l: &'a Local) {
            if crate::input::checkpoint::is_mark(l) {
                return;
            }
            let closure = l
                .init
                .as_ref()
                .is_some_and(|i| matches!(&*i.expr, Expr::Closure(_)));
            if let (Pat::Ident(p), true) = (&l.pat, closure) {
                self.add(p, true);
            }
            visit::visit_local(self, l);
        }
        fn visit_pat_ident(&mut self, p: &'a PatIdent) {
            // `None` in a pattern is a constant.
            if !p.ident.to_string().starts_with(char::is_uppercase) {
                self.add(p, false);
            }
            visit::visit_pat_ident(self, p);
        }
        fn visit_item(&mut self, _: &'a syn::Item) {}
    }
    let mut v = V(Vec::new());
    v.visit_block(body);
    v.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_one_line() {
        assert_eq!(expression(&quote!(a * b + f(x, 1.0))), "a * b + f(x, 1.0)");
        assert_eq!(pattern(&quote!(Some(x) if x>1)), "Some(x) if x > 1");
        let long = quote!(
            aaaaaaaaaaaaaaaaaaaaaaaa
                + bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
                + cccccccccccccccccccccccccc
        );
        assert!(expression(&long).ends_with('…'));
    }

    #[test]
    fn names_in_order() {
        let body: syn::Block = syn::parse_quote!({
            let f = |u: f64| u;
            for (i, x) in v {
                let x = f(x);
            }
            match y {
                Some(z) => z,
                None => 0.0,
            }
        });
        let names: Vec<String> = bindings(&body).into_iter().map(|b| b.0).collect();
        assert_eq!(names, ["f", "u", "i", "x", "z"]);
    }
}
