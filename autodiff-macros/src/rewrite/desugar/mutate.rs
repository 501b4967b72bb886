//! Methods that change a sequence in place, written as assignments and loops.
//!
//! Elements are cloned where the method would move them: their type is not known here. `swap` waits for the types (`lower/swaps`).

use super::Desugar;
use syn::{parse_quote, Expr, ExprMethodCall};

impl Desugar<'_> {
    pub(super) fn mutating_method(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        if m.turbofish.is_some() || !self.is_active(&m.receiver) {
            return None;
        }
        let v = &m.receiver;
        let name = m.method.to_string();
        let args: Vec<&Expr> = m.args.iter().collect();
        let (i, j, t) = (self.fresh("i"), self.fresh("j"), self.fresh("t"));
        Some(match (name.as_str(), args.as_slice()) {
            // `lower/swaps` knows more of the entries.
            ("swap", [a, b]) => parse_quote!({
                let (#i, #j) = (#a, #b);
                ::differentiable::__rt::swap_entries(&mut #v[..], #i, #j);
            }),
            ("fill", [x]) => parse_quote!({
                let #t = #x;
                for #i in 0..#v.len() {
                    #v[#i] = #t.clone();
                }
            }),
            ("copy_from_slice" | "clone_from_slice", [from]) => {
                let from = referred(from);
                parse_quote!({
                    ::core::assert_eq!(#v.len(), #from.len(), "slices of the same length are copied");
                    for #i in 0..#v.len() {
                        #v[#i] = #from[#i].clone();
                    }
                })
            }
            ("reverse", []) => parse_quote!({
                for #i in 0..#v.len() / 2 {
                    let #j = #v.len() - 1 - #i;
                    let #t = #v[#i].clone();
                    #v[#i] = #v[#j].clone();
                    #v[#j] = #t;
                }
            }),
            ("extend_from_slice", [from]) => {
                let from = referred(from);
                parse_quote!({
                    #v.reserve(#from.len());
                    for #i in 0..#from.len() { #v.push(#from[#i].clone()); }
                })
            }
            ("extend", [Expr::Macro(_) | Expr::Call(_) | Expr::Block(_) | Expr::If(_)]) => {
                let from = args[0];
                parse_quote!({ let #j = #from; for #t in #j { #v.push(#t.clone()); } })
            }
            ("extend", [from]) => parse_quote!(for #t in #from { #v.push(#t.clone()); }),
            ("append", [Expr::Reference(r)]) if crate::syntax::root_name(&r.expr).is_none() => {
                let from = &r.expr;
                parse_quote!({ let #j = #from; for #t in &#j { #v.push(#t.clone()); } })
            }
            ("append", [Expr::Reference(r)]) => {
                let from = &r.expr;
                parse_quote!({
                    for #i in 0..#from.len() { #v.push(#from[#i].clone()); }
                    while #from.len() > 0 { #from.pop(); }
                })
            }
            ("clear", []) => parse_quote!(while #v.len() > 0 { #v.pop(); }),
            ("truncate", [n]) => parse_quote!({
                let #j = #n;
                while #v.len() > #j { #v.pop(); }
            }),
            ("resize", [n, x]) => parse_quote!({
                let #j = #n;
                let #t = #x;
                while #v.len() > #j { #v.pop(); }
                while #v.len() < #j { #v.push(#t.clone()); }
            }),
            // Of a map or a set, which is constant: so is what is put into it.
            ("insert", [key, ..]) if is_key(key) => {
                let active = |a: &&&Expr| crate::syntax::maybe_active(a, self.active);
                if let Some(value) = args.iter().find(active) {
                    self.cx.error(value, "an active value is put into a map or a set, where its derivative is not followed: use a `Vec` and positions, or `stop_gradient(..)`");
                }
                parse_quote!(no_grad! { #m; })
            }
            ("insert", [at, x]) => parse_quote!({
                let (#j, #t) = (#at, #x);
                ::core::assert!(#j <= #v.len(), "insertion index (is {}) should be <= len (is {})", #j, #v.len());
                #v.push(#t);
                for #i in (#j + 1..#v.len()).rev() {
                    #v.swap(#i, #i - 1);
                }
            }),
            ("remove", [at]) => parse_quote!({
                let #j = #at;
                let #t = #v[#j].clone();
                for #i in #j + 1..#v.len() {
                    #v[#i - 1] = #v[#i].clone();
                }
                #v.pop();
                #t
            }),
            ("swap_remove", [at]) => parse_quote!({
                let #j = #at;
                let #t = #v[#j].clone();
                let #i = #v.len() - 1;
                #v[#j] = #v[#i].clone();
                #v.pop();
                #t
            }),
            _ => return None,
        })
    }

    /// `std::mem::swap`, `replace` and `take`.
    pub(super) fn mutating_call(&mut self, c: &syn::ExprCall) -> Option<Expr> {
        let Expr::Path(p) = &*c.func else { return None };
        let segments = crate::syntax::segments(&p.path);
        let [.., module, name] = segments.as_slice() else {
            return None;
        };
        let args: Vec<&Expr> = c.args.iter().collect();
        if module != "mem" || !args.first().is_some_and(|e| self.is_active(e)) {
            return None;
        }
        let t = self.fresh("t");
        Some(match (name.as_str(), args.as_slice()) {
            // `lower/swaps` knows more of what changes places.
            ("swap", [a, b]) => {
                let (a, b) = (lent(a), lent(b));
                parse_quote!({ ::differentiable::__rt::swap(#a, #b); })
            }
            ("replace", [a, value]) if is_variable(a) && self.is_active(value) => {
                parse_quote!(::differentiable::__rt::replace(#a, #value))
            }
            ("replace", [a, value]) => {
                let a = target(a);
                parse_quote!({
                    let #t = #a.clone();
                    #a = #value;
                    #t
                })
            }
            ("take", [a]) => {
                let a = target(a);
                parse_quote!({
                    let #t = #a.clone();
                    #a = ::core::default::Default::default();
                    #t
                })
            }
            _ => return None,
        })
    }
}

/// The slice behind `&xs`.
fn referred(e: &Expr) -> Expr {
    match e {
        Expr::Reference(r) => (*r.expr).clone(),
        e => e.clone(),
    }
}

/// Whether this is `&mut a`, of a variable.
fn is_variable(e: &Expr) -> bool {
    let Expr::Reference(r) = e else { return false };
    r.mutability.is_some() && matches!(&*r.expr, Expr::Path(p) if p.path.get_ident().is_some())
}

/// `&mut a` as it is written, since errors point to it; or `&mut *p`, of a name that is a mutable reference.
fn lent(e: &Expr) -> Expr {
    match e {
        Expr::Reference(_) => e.clone(),
        e => parse_quote!(&mut (*#e)),
    }
}

/// The place behind `&mut a`, or behind a name that is a mutable reference.
fn target(e: &Expr) -> Expr {
    match e {
        Expr::Reference(r) => (*r.expr).clone(),
        e => parse_quote!((*#e)),
    }
}

/// Whether a value is none of an integer, as far as its syntax tells: then it is no position in a `Vec`.
fn is_key(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => is_key(&p.expr),
        Expr::Reference(_) | Expr::Tuple(_) | Expr::Array(_) => true,
        Expr::Lit(l) => matches!(
            l.lit,
            syn::Lit::Str(_) | syn::Lit::Char(_) | syn::Lit::Bool(_)
        ),
        Expr::Macro(m) => m.mac.path.is_ident("format"),
        Expr::Call(c) => {
            let written = quote::ToTokens::to_token_stream(&c.func).to_string();
            written.replace(' ', "").starts_with("String::")
        }
        Expr::MethodCall(m) => {
            let name = m.method.to_string();
            ["to_string", "to_vec", "to_lowercase", "to_uppercase"].contains(&name.as_str())
        }
        _ => false,
    }
}
