//! The reports of a few functions, compared with files a person can read.
//!
//! `tests/explained/NAME.rs` holds a function, `NAME.md` its report without the emitted code, which
//! has golden files of its own. `BLESS=1 cargo test -p autodiff-macros` writes the reports anew.

use std::path::PathBuf;

/// The strings that functions whose names end in `explain` return.
fn reports(tokens: proc_macro2::TokenStream) -> Vec<String> {
    use syn::visit::{self, Visit};
    struct V(Vec<String>);
    impl<'a> Visit<'a> for V {
        fn visit_impl_item_fn(&mut self, f: &'a syn::ImplItemFn) {
            if f.sig.ident.to_string().ends_with("explain") {
                if let [syn::Stmt::Expr(syn::Expr::Lit(l), None)] = f.block.stmts.as_slice() {
                    if let syn::Lit::Str(s) = &l.lit {
                        self.0.push(s.value());
                    }
                }
            }
            visit::visit_impl_item_fn(self, f);
        }
    }
    let file: syn::File = syn::parse2(tokens).expect("the macro emits items");
    let mut v = V(Vec::new());
    v.visit_file(&file);
    v.0
}

#[test]
fn reports_of_functions() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/explained");
    let bless = std::env::var_os("BLESS").is_some();
    let mut stale = Vec::new();
    let mut entries: Vec<PathBuf> = std::fs::read_dir(&dir)
        .expect("tests/explained")
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "rs"))
        .collect();
    entries.sort();
    assert!(entries.len() >= 5, "only {} functions", entries.len());
    for path in entries {
        let source = std::fs::read_to_string(&path).expect("a readable file");
        let (attr, item) = source
            .split_once("#[differentiable(explain)]")
            .or_else(|| source.split_once("#[differentiable(explain, wrt(x))]"))
            .expect("the attribute");
        assert_eq!(attr, "", "the attribute comes first");
        let options = match source.starts_with("#[differentiable(explain, wrt(x))]") {
            true => "explain, wrt(x)",
            false => "explain",
        };
        let parse = |s: &str| -> proc_macro2::TokenStream { s.parse().expect("tokens") };
        let found = reports(crate::expand::expand(parse(options), parse(item)));
        assert!(!found.is_empty(), "no report of {}", path.display());
        let mut text = String::new();
        for report in found {
            let (report, code) = report
                .split_once("\n## Emitted code\n\n```rust\n")
                .expect("the emitted code");
            assert!(code.contains("vjp") && code.contains("fn __"), "{code}");
            syn::parse_file(code.trim_end().trim_end_matches("```")).expect("code that parses");
            text.push_str(report);
        }
        let golden = path.with_extension("md");
        if bless {
            std::fs::write(&golden, text).expect("a writable file");
        } else if std::fs::read_to_string(&golden).ok().as_deref() != Some(&text) {
            stale.push(format!("{}:\n{text}", golden.display()));
        }
    }
    assert!(
        stale.is_empty(),
        "reports changed; look at them, then BLESS=1:\n{}",
        stale.join("\n")
    );
}
