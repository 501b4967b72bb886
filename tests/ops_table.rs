//! `docs/book/src/reference/operations.md`: a table of all operations of tensors, made from the documentation of the crate as
//! `cargo doc` writes it, and from the rules in `autodiff-core/src/ops/`.
//!
//! The test fails where the page is stale; `BLESS=1 cargo test -p differentiable --test ops_table` writes it anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const OPS: &str = "autodiff-core/src/ops";
const PAGE: &str = "docs/book/src/reference/operations.md";

/// A method of tensors, or an operator.
struct Op {
    /// The family: the folder below `ops/`.
    module: String,
    name: String,
    signature: String,
    elements: String,
    summary: String,
}

/// The page of `Tensor` that `cargo doc` writes.
fn documentation() -> String {
    let cargo = env::var_os("CARGO").unwrap_or("cargo".into());
    // With the flags of the CI, so that neither makes the other start anew.
    let status = Command::new(cargo)
        .args(["doc", "--locked", "--quiet", "--no-deps", "--all-features"])
        .args(["--package", "autodiff-core", "--target-dir"])
        .arg(target())
        .env("RUSTDOCFLAGS", "-D warnings")
        .status()
        .expect("cargo doc runs");
    assert!(status.success(), "cargo doc failed");
    let page = target().join("doc/autodiff_core/tensor/struct.Tensor.html");
    fs::read_to_string(&page).unwrap_or_else(|e| panic!("{}: {e}", page.display()))
}

fn target() -> PathBuf {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("target");
    env::var_os("CARGO_TARGET_DIR").map_or_else(default, PathBuf::from)
}

/// The text between the first `from` and the next `to`, and what follows.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<(&'a str, &'a str)> {
    let rest = &text[text.find(from)? + from.len()..];
    let end = rest.find(to)?;
    Some((&rest[..end], &rest[end..]))
}

/// Text without tags, entities and runs of white space.
fn plain(html: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            c if !inside => out.push(c),
            _ => {}
        }
    }
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", " "),
        ("&#39;", "'"),
        ("&quot;", "\""),
        ("&amp;", "&"),
    ];
    for (entity, c) in entities {
        out = out.replace(entity, c);
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first paragraph of documentation, with its code between backquotes.
fn summary(html: &str) -> String {
    // Of the methods of a trait, the paragraph stands alone, with a link behind it.
    let of_trait = || between(html, "class='docblock'>", "</div>");
    let Some((first, _)) = between(html, "<p>", "</p>").or_else(of_trait) else {
        return String::new();
    };
    let text = plain(&first.replace("<code>", "`").replace("</code>", "`"));
    text.trim_end_matches("Read more").trim_end().to_string()
}

/// The family below `ops/` that the "Source" link of an item leads to.
fn module(html: &str) -> Option<String> {
    let (path, _) = between(html, "/src/autodiff_core/ops/", ".rs.html")?;
    Some(path.split('/').next().unwrap_or(path).to_string())
}

/// The kinds of element of an implementation, from its head.
fn elements(head: &str) -> String {
    // The shape may be a tuple: the element is the last but one.
    let of_tensor = head.rsplit("Tensor<").next().unwrap_or(head);
    let element = of_tensor.trim_end_matches('>').rsplit(", ").nth(1);
    match element.unwrap_or("T") {
        "T" if head.contains("T: Float") || head.contains("T: Factoriz") => "f32, f64".into(),
        "T" if head.contains("T: Integer") => "i64, u32, u8".into(),
        "T" => "all".into(),
        "X" | "I" => "integers".into(),
        written => written.into(),
    }
}

fn ops(page: &str) -> Vec<Op> {
    let (inherent, traits) = page
        .split_once("id=\"trait-implementations\"")
        .unwrap_or((page, ""));
    // Methods of integers and of half precision are those of traits.
    let traits = traits.split("class=\"impl\">").skip(1).filter(|block| {
        let head = block.split("</h3>").next().unwrap_or("");
        plain(head).contains("Ops<S, ")
    });
    let mut out = Vec::new();
    for block in inherent.split("class=\"impl\">").skip(1).chain(traits) {
        let Some((head, _)) = between(block, "<h3 class=\"code-header\">", "</h3>") else {
            continue;
        };
        for method in block.split("<section id=\"method.").skip(1) {
            let Some(module) = module(method.split("<h4").next().unwrap_or("")) else {
                continue;
            };
            let (signature, rest) =
                between(method, "<h4 class=\"code-header\">", "</h4>").expect("a signature");
            let signature = plain(signature)
                .trim_start_matches("pub ")
                .trim_start_matches("fn ")
                .to_string();
            // Bounds say at length what the result and the messages of the compiler say in short.
            let signature = signature.split("where ").next().unwrap_or("").trim();
            let signature = signature.replace("( &", "(&").replace(", )", ")");
            let name = signature
                .split(['<', '('])
                .next()
                .expect("a name")
                .to_string();
            let docs = rest.split("<section id=\"method.").next().unwrap_or(rest);
            out.push(Op {
                module,
                name,
                signature,
                elements: elements(&plain(head)),
                summary: summary(docs),
            });
        }
    }
    out
}

fn sources(folder: &Path, out: &mut String) {
    for entry in fs::read_dir(folder).expect("the operations") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            sources(&path, out);
        } else {
            out.push_str(&fs::read_to_string(&path).expect("a source file"));
        }
    }
}

/// How an operation is differentiated: by its two companions, or by a rule that scalars share.
fn rule(op: &Op, sources: &str, rules: &BTreeSet<String>) -> Option<&'static str> {
    let has = |suffix: &str| {
        let name = format!("__{}_{suffix}", op.name);
        sources.match_indices(&name).any(|(at, _)| {
            !sources[at + name.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
        })
    };
    let integers = op.elements == "integers" || op.elements.contains("i64");
    if integers || op.elements == "bool" {
        return Some("none: discrete");
    }
    if has("vjp") && has("jvp") || has_formulas(&op.name, sources) {
        return Some("vjp, jvp");
    }
    if rules.contains(&op.name.replace('_', "")) {
        return Some("vjp, jvp (rule of scalars)");
    }
    let result = op.signature.split("-> ").nth(1).unwrap_or("");
    let result = result.split(" where").next().unwrap_or("");
    let discrete = ["bool", "i64", "usize", "Option<T>"];
    let found = result
        .split(|c: char| !c.is_alphanumeric())
        .any(|w| discrete.contains(&w));
    if found {
        return Some("none: discrete");
    }
    if result.starts_with("Result<") {
        return Some("none: use the form that panics");
    }
    None
}

/// Whether a method of this name has a `#[derivative(..)]`, from which `#[rule]` writes its companions.
fn has_formulas(name: &str, sources: &str) -> bool {
    sources.split("#[derivative(").skip(1).any(|rest| {
        let method = rest.split("pub fn ").nth(1).unwrap_or("");
        method.split(['<', '(']).next() == Some(name)
    })
}

/// The names of the rules that tensors implement, `log10` for `Log10Rule`.
fn rules(page: &str) -> BTreeSet<String> {
    page.split("id=\"impl-")
        .filter_map(|part| part.split_once("-for-Tensor")?.0.split_once("Rule"))
        .filter(|(name, _)| name.chars().all(char::is_alphanumeric))
        .map(|(name, _)| name.to_lowercase())
        .collect()
}

fn heading(module: &str) -> String {
    let file = Path::new(OPS).join(format!("{module}.rs"));
    let text = fs::read_to_string(&file)
        .or_else(|_| fs::read_to_string(Path::new(OPS).join(module).join("mod.rs")))
        .unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let line = text.lines().next().unwrap_or("").trim_start_matches("//! ");
    line.trim_end_matches(['.', ':']).to_string()
}

#[test]
fn the_page_is_up_to_date() {
    let page = documentation();
    let rules = rules(&page);
    let mut text = String::new();
    sources(Path::new(OPS), &mut text);
    text += &fs::read_to_string("autodiff-vocabulary/src/table.rs")
        .expect("the functions of one number");
    let mut families: BTreeMap<String, Vec<Op>> = BTreeMap::new();
    for op in ops(&page) {
        families.entry(op.module.clone()).or_default().push(op);
    }
    let count: usize = families.values().map(Vec::len).sum();
    assert!(
        count > 100,
        "only {count} operations found: has the documentation another form?"
    );
    let mut out = String::from(
        "<!-- Made by `BLESS=1 cargo test -p differentiable --test ops_table`: do not edit. -->\n\n# Operations of tensors\n\n\
         `S` is the shape, `T` the kind of element, `D` the device; bounds are left out. All run on every device there is (the CPU).\n\
         Operators (`+ - * /`, with tensors and scalars on either side, and `-x`), `x[[i, j]]` and\n\
         `einsum!(\"ij,jk->ik\", &a, &b)` have both rules too.\n",
    );
    let mut without = Vec::new();
    for (family, ops) in &families {
        let _ = write!(out, "\n## {family}\n\n{}.\n\n", heading(family));
        out.push_str("| operation | signature | rule | elements |\n|---|---|---|---|\n");
        for op in ops {
            let rule = rule(op, &text, &rules).unwrap_or_else(|| {
                without.push(op.name.clone());
                "none"
            });
            let (signature, summary) = (
                op.signature.replace('|', "\\|"),
                op.summary.replace('|', "\\|"),
            );
            let _ = writeln!(
                out,
                "| **{}**: {summary} | `{signature}` | {rule} | {} |",
                op.name, op.elements
            );
        }
    }
    assert!(without.is_empty(), "no derivative: {without:?}");
    if env::var_os("BLESS").is_some() {
        fs::create_dir_all("docs/book/src/reference").expect("a folder");
        return fs::write(PAGE, out).expect("the page is written");
    }
    let found = fs::read_to_string(PAGE).unwrap_or_default();
    let stale = out.lines().zip(found.lines()).find(|(a, b)| a != b);
    assert!(
        out == found,
        "{PAGE} is stale (first difference: {stale:?}); run BLESS=1 cargo test -p differentiable --test ops_table"
    );
}
