//! The emitted code of a catalogue of small functions, compared with files a person can read.
//!
//! `tests/emitted/NAME.rs` holds a function, and what stands beside it in its file, `NAME.expanded.rs` what the macro makes of it.
//! `BLESS=1 cargo test -p autodiff-macros` writes the expanded files anew.

use std::path::PathBuf;

/// Only the hidden companions: the user functions are alike for every function.
fn companions(tokens: proc_macro2::TokenStream) -> String {
    let mut file: syn::File = syn::parse2(tokens).expect("the macro emits items");
    fn keep(items: &mut Vec<syn::ImplItem>) {
        items.retain_mut(|i| match i {
            syn::ImplItem::Fn(f) => {
                let name = f.sig.ident.to_string();
                f.attrs.clear();
                name.starts_with("__")
            }
            _ => true,
        });
    }
    let mut items = Vec::new();
    for item in file.items.drain(..) {
        match item {
            syn::Item::Const(c) => {
                let syn::Expr::Block(b) = *c.expr else {
                    continue;
                };
                for s in b.block.stmts {
                    match s {
                        syn::Stmt::Item(syn::Item::Impl(mut i)) if i.trait_.is_none() => {
                            keep(&mut i.items);
                            items.push(syn::Item::Impl(i));
                        }
                        // The imports.
                        syn::Stmt::Macro(m) => items.push(syn::parse_quote!(#m)),
                        syn::Stmt::Item(m @ syn::Item::Macro(_)) => items.push(m),
                        syn::Stmt::Item(i) if is_region(&i) => items.push(i),
                        _ => {}
                    }
                }
            }
            syn::Item::Impl(mut i) => {
                keep(&mut i.items);
                items.push(syn::Item::Impl(i));
            }
            _ => {}
        }
    }
    file.items = items;
    prettyplease::unparse(&file)
}

/// A fused operation, or its type.
fn is_region(item: &syn::Item) -> bool {
    match item {
        syn::Item::Struct(s) => s.ident.to_string().starts_with("__Region"),
        syn::Item::Impl(i) => i
            .trait_
            .as_ref()
            .is_some_and(|(path, _)| path.segments.last().is_some_and(|s| s.ident == "Region")),
        _ => false,
    }
}

#[test]
fn emitted_code() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/emitted");
    let bless = std::env::var_os("BLESS").is_some();
    let mut seen = 0;
    let mut stale = Vec::new();
    let mut entries: Vec<PathBuf> = std::fs::read_dir(&dir)
        .expect("tests/emitted")
        .map(|e| e.expect("an entry").path())
        .filter(|p| !p.to_string_lossy().ends_with(".expanded.rs"))
        .collect();
    entries.sort();
    for path in entries {
        let source = std::fs::read_to_string(&path).expect("a readable file");
        let (source, beside) = source.split_once("// beside it:").unwrap_or((&source, ""));
        let (attribute, function) = source.split_once(']').expect("an attribute");
        let options = attribute.trim_start_matches("#[differentiable");
        let options = options.trim_start_matches('(').trim_end_matches(')');
        let [options, function] =
            [options, function].map(|s| s.parse::<proc_macro2::TokenStream>().expect("tokens"));
        crate::syntax::definitions::BESIDE.set(Some(beside.to_string()));
        let emitted = companions(crate::expand::expand(options, function));
        let golden = path.with_extension("expanded.rs");
        seen += 1;
        if bless {
            std::fs::write(&golden, emitted).expect("a writable file");
        } else if std::fs::read_to_string(&golden).ok().as_deref() != Some(&emitted) {
            stale.push(format!("{}:\n{emitted}", golden.display()));
        }
    }
    assert!(seen >= 10, "only {seen} functions in the catalogue");
    assert!(
        stale.is_empty(),
        "the emitted code changed; look at it, then BLESS=1:\n{}",
        stale.join("\n")
    );
}

/// If the work doubled with each `?`, this test would not end.
#[test]
fn many_early_returns() {
    let calls: String = (1..60)
        .map(|k| format!("let a{k} = part(&a{}, k)?;\n", k - 1))
        .collect();
    let function = format!("fn f(a0: &[f64], k: f64) -> Option<f64> {{ {calls} Some(a59[0]) }}");
    let beside = "#[differentiable] fn part(x: &[f64], k: f64) -> Option<Vec<f64>> { x }";
    crate::syntax::definitions::BESIDE.set(Some(beside.to_string()));
    let function = function
        .parse::<proc_macro2::TokenStream>()
        .expect("tokens");
    let emitted = crate::expand::expand(proc_macro2::TokenStream::new(), function);
    assert!(emitted.to_string().contains("__vjp"));
}
