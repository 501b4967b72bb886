//! Parameters that are patterns: `fn f([x, y]: [f64; 2])` is `fn f(arg0: [f64; 2])` that begins with `let [x, y] = arg0;`.

use quote::format_ident;
use syn::spanned::Spanned;
use syn::{parse_quote, Block, FnArg, Pat, Signature, Stmt};

/// Gives parameters that are patterns names.
pub fn name(sig: &mut Signature, body: Option<&mut Block>) {
    let taken: Vec<String> = sig.inputs.iter().flat_map(names).collect();
    let mut lets: Vec<Stmt> = Vec::new();
    for (i, input) in sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(t) = input else { continue };
        if matches!(&*t.pat, Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none()) {
            continue;
        }
        let mut name = format_ident!("arg{i}", span = t.pat.span());
        while taken.iter().any(|n| name == n) {
            name = format_ident!("{name}_", span = name.span());
        }
        let pat = std::mem::replace(&mut *t.pat, parse_quote!(#name));
        if !matches!(pat, Pat::Wild(_)) {
            lets.push(parse_quote!(let #pat = #name;));
        }
    }
    if let Some(body) = body {
        body.stmts.splice(0..0, lets);
    }
}

fn names(input: &FnArg) -> Vec<String> {
    match input {
        FnArg::Typed(t) => crate::syntax::pattern_names(&t.pat),
        FnArg::Receiver(_) => Vec::new(),
    }
}
