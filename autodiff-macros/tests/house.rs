//! The folders of each crate stand in an order, and each imports only from those before it.
//!
//! `ls autodiff-macros/src` reads as the pipeline only as long as no step reaches into a later one. What still does is
//! listed by file, and the list can only get shorter: an exception that is none any more is an error too.
//!
//! Inside a folder of the macros no more than three files import each other in a circle: four are read only together.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Item, UseTree};

/// The macros, from what names mean to the entry points.
const MACROS: House = House {
    root: "src",
    order: &[
        "knowledge",
        "syntax",
        "calls",
        "input",
        "rewrite",
        "ir",
        "code",
        "lower",
        "passes",
        "emit",
        "items",
        "higher",
        "explain",
        "derive",
        "module",
        "expand",
    ],
    exceptions: &[],
};

/// The runtime, from what knows nothing of tensors to what users import.
const CORE: House = House {
    root: "../autodiff-core/src",
    order: &[
        "ad", "shape", "device", "kernel", "cpu", "tensor", "ops", "sparse", "nn", "optim", "ode",
        "implicit", "interop", "io", "prelude", "rt",
    ],
    exceptions: &[
        // Formulas are written over the numbers of every machine.
        ("ad/rules/formulas.rs", "device"),
        // The element type of a tensor carries the kernels of the CPU.
        ("device/dual.rs", "kernel"),
        ("device/elem.rs", "kernel"),
        ("device/float.rs", "kernel"),
        ("device/integer.rs", "kernel"),
        ("device/linalg.rs", "kernel"),
        // The slopes of three functions, as `device/dual.rs` has them.
        ("device/symbolic/dual.rs", "kernel"),
        // Every program has the CPU: it is the default of the run-time device, and what others cannot do goes there.
        ("device/mod.rs", "cpu"),
        // What is done with tensors of any elements at once: walks over all of a value, graphs on a card, steps of optimisers.
        ("device/place.rs", "tensor"),
        ("device/together.rs", "tensor"),
        ("device/cuda/capture.rs", "tensor"),
        ("device/cuda/optim.rs", "tensor"),
        // The error of a run holds that of an optimiser, whose step a session takes.
        ("device/record/run.rs", "optim"),
        // `Tensor!` names the tensor.
        ("shape/macros.rs", "tensor"),
    ],
};

/// The layers, from what they take to what users call.
const LAYERS: House = House {
    root: "../autodiff-nn/src",
    order: &["context", "layers", "losses", "nn"],
    exceptions: &[],
};

/// Training, from data to what users call.
const TRAINING: House = House {
    root: "../autodiff-train/src",
    order: &["data", "train"],
    exceptions: &[],
};

/// Graphs, from what was recorded to how it looks.
const GRAPHS: House = House {
    root: "../autodiff-graph/src",
    order: &[
        "graph",
        "tuples",
        "any",
        "control",
        "execute",
        "passes",
        "recording",
        "session",
        "pictures",
        "compile",
        "program",
    ],
    exceptions: &[],
};

/// ONNX, from the messages of a file to both directions.
const ONNX: House = House {
    root: "../autodiff-onnx/src",
    order: &["proto", "export", "import"],
    exceptions: &[],
};

#[test]
fn the_macros_import_in_one_direction() {
    MACROS.check();
}

#[test]
fn the_core_imports_in_one_direction() {
    CORE.check();
}

#[test]
fn the_layers_import_in_one_direction() {
    LAYERS.check();
}

#[test]
fn training_imports_in_one_direction() {
    TRAINING.check();
}

#[test]
fn graphs_import_in_one_direction() {
    GRAPHS.check();
}

#[test]
fn onnx_imports_in_one_direction() {
    ONNX.check();
}

#[test]
fn no_four_files_of_the_macros_import_each_other() {
    let found = Imports::of(&MACROS.path());
    let mut large: Vec<BTreeSet<&str>> = found.circles();
    large.retain(|files| files.len() > 3);
    assert!(
        large.is_empty(),
        "these files import each other in a circle: {large:#?}"
    );
}

/// The map and the page of the pipeline have a line for each folder of the macros, in the same order.
#[test]
fn the_pages_list_the_folders_in_order() {
    let page = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
        std::fs::read_to_string(path).expect("a readable page")
    };
    let between = |line: &str, start: &str, end: &str| {
        let rest = line.strip_prefix(start)?;
        let (name, _) = rest.split_once(end)?;
        let word = name.chars().all(|c| c.is_ascii_lowercase());
        word.then(|| name.to_string())
    };
    let table: Vec<String> = page("docs/internals/pipeline.md")
        .lines()
        .filter_map(|l| between(l, "| `", "/` |"))
        .collect();
    assert_eq!(table, MACROS.order, "docs/internals/pipeline.md");
    let map: Vec<String> = page("ARCHITECTURE.md")
        .lines()
        .skip_while(|l| !l.starts_with("autodiff-macros/src/"))
        .take_while(|l| !l.starts_with("autodiff-core/src/"))
        .filter_map(|l| between(l, "  ", "/ "))
        .collect();
    assert_eq!(map, MACROS.order, "ARCHITECTURE.md");
}

/// A crate.
struct House {
    root: &'static str,
    /// Its folders, and the files beside `lib.rs`.
    order: &'static [&'static str],
    /// Files that import from a later folder.
    exceptions: &'static [(&'static str, &'static str)],
}

impl House {
    fn path(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(self.root)
    }

    fn check(&self) {
        let found = Imports::of(&self.path());
        let declared: BTreeSet<&str> = self.order.iter().copied().collect();
        let there: BTreeSet<&str> = found.folders.iter().map(String::as_str).collect();
        assert_eq!(
            declared, there,
            "each folder of {} has one place in the order",
            self.root
        );
        let floor = |name: &str| self.order.iter().position(|n| *n == name);
        let up = found
            .all
            .iter()
            .filter(|(file, to)| floor(&top(file)) < floor(to));
        let up: BTreeMap<(&str, &str), ()> =
            up.map(|(f, to)| ((f.as_str(), to.as_str()), ())).collect();
        let known: BTreeMap<(&str, &str), ()> = self.exceptions.iter().map(|e| (*e, ())).collect();
        let new: Vec<_> = up.keys().filter(|e| !known.contains_key(*e)).collect();
        let gone: Vec<_> = known.keys().filter(|e| !up.contains_key(*e)).collect();
        assert!(
            new.is_empty(),
            "these files import from a later folder: {new:#?}"
        );
        assert!(
            gone.is_empty(),
            "these exceptions are none any more, take them out: {gone:#?}"
        );
    }
}

/// The folder of a file, by its path in the source folder.
fn top(file: &str) -> String {
    let first = file.split('/').next().unwrap_or(file);
    first.trim_end_matches(".rs").to_string()
}

/// What the files of a crate import.
struct Imports {
    folders: BTreeSet<String>,
    /// File and other folder.
    all: BTreeSet<(String, String)>,
    /// File and other files of its folder.
    inside: BTreeMap<String, BTreeSet<String>>,
}

impl Imports {
    fn of(root: &Path) -> Self {
        let mut files = Vec::new();
        sources(root, &mut files);
        let name = |f: &PathBuf| {
            f.strip_prefix(root)
                .expect("in it")
                .to_str()
                .expect("a name")
                .to_string()
        };
        let names: Vec<String> = files.iter().map(name).filter(|n| n != "lib.rs").collect();
        let folders: BTreeSet<String> = names.iter().map(|n| top(n)).collect();
        let parsed = |name: &str| {
            let text = std::fs::read_to_string(root.join(name)).expect("a readable file");
            syn::parse_file(&text).expect("Rust")
        };
        // What the crate exports by a short name.
        let mut exported = BTreeMap::new();
        for item in parsed("lib.rs").items {
            if let Item::Use(u) = item {
                let mut paths = Vec::new();
                leaves(&u.tree, &mut Vec::new(), &mut paths);
                for path in paths {
                    let first = path.iter().find(|s| *s != "crate" && *s != "self").cloned();
                    exported.extend(path.last().cloned().zip(first));
                }
            }
        }
        let mut all = BTreeSet::new();
        let mut tree = Tree::default();
        let mut imported = Vec::new();
        for name in names {
            let mut reader = Reader {
                module: module_of(&name),
                found: BTreeSet::new(),
                inside: BTreeSet::new(),
                exports: BTreeMap::new(),
            };
            reader.visit_file(&parsed(&name));
            let own = top(&name);
            for path in &reader.found {
                let Some(to) = path.first() else { continue };
                let to = exported
                    .get(to)
                    .filter(|_| !folders.contains(to))
                    .unwrap_or(to);
                if folders.contains(to) && *to != own {
                    all.insert((name.clone(), to.clone()));
                }
            }
            tree.exports.insert(module_of(&name), reader.exports);
            tree.files.insert(module_of(&name), name.clone());
            imported.push((name, reader.inside));
        }
        let inside = imported.into_iter().map(|(name, paths)| {
            let own = module_of(&name);
            let modules = paths.iter().filter_map(|p| tree.resolve(p.clone(), 0));
            // A module sees what the `mod.rs` of its folder keeps private: the two are one unit.
            let others = modules.filter(|m| m.first() == own.first() && !own.starts_with(m));
            let files = others.map(|m| tree.files[&m].clone()).collect();
            (name, files)
        });
        let inside = inside.collect();
        Imports {
            folders,
            all,
            inside,
        }
    }

    /// The files that import each other, by whatever way, and alone are no circle.
    fn circles(&self) -> Vec<BTreeSet<&str>> {
        let mut found: Vec<BTreeSet<&str>> = Vec::new();
        let reached: BTreeMap<&str, BTreeSet<&str>> = self
            .inside
            .keys()
            .map(|file| (file.as_str(), self.reached(file)))
            .collect();
        for (file, to) in &reached {
            if found.iter().any(|c| c.contains(file)) {
                continue;
            }
            let back = to.iter().filter(|other| reached[*other].contains(file));
            let circle: BTreeSet<&str> = back.copied().collect();
            found.extend((circle.len() > 1).then_some(circle));
        }
        found
    }

    /// All that a file imports, and what that imports.
    fn reached<'i>(&'i self, file: &str) -> BTreeSet<&'i str> {
        let mut found = BTreeSet::new();
        let mut open = vec![file];
        while let Some(file) = open.pop() {
            for to in self.inside.get(file).into_iter().flatten() {
                if found.insert(to.as_str()) {
                    open.push(to);
                }
            }
        }
        found
    }
}

/// The modules of a crate.
#[derive(Default)]
struct Tree {
    /// Each module's file.
    files: BTreeMap<Vec<String>, String>,
    /// What each module exports of others: the name and where it is.
    exports: BTreeMap<Vec<String>, BTreeMap<String, Vec<String>>>,
}

impl Tree {
    /// The module in whose file a path leads, past what modules only export again.
    fn resolve(&self, path: Vec<String>, depth: usize) -> Option<Vec<String>> {
        let mut module: Vec<String> = Vec::new();
        for (at, name) in path.iter().enumerate() {
            module.push(name.clone());
            if self.files.contains_key(&module) {
                continue;
            }
            module.pop();
            let exported = self.exports.get(&module).and_then(|e| e.get(name));
            if let Some(to) = exported.filter(|_| depth < 8) {
                let rest = path[at + 1..].iter();
                return self.resolve(to.iter().chain(rest).cloned().collect(), depth + 1);
            }
            break;
        }
        self.files.contains_key(&module).then_some(module)
    }
}

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => sources(&path, found),
            false if path.extension().is_some_and(|e| e == "rs") => found.push(path),
            false => {}
        }
    }
}

/// `["a", "b"]` for `a/b.rs` and `a/b/mod.rs`.
fn module_of(name: &str) -> Vec<String> {
    let path = name.trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').map(str::to_string).collect()
}

/// The paths that an import names.
fn leaves(tree: &UseTree, before: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    let leaf = |name: String| before.iter().cloned().chain([name]).collect();
    match tree {
        UseTree::Path(p) => {
            before.push(p.ident.to_string());
            leaves(&p.tree, before, found);
            before.pop();
        }
        UseTree::Name(n) => found.push(leaf(n.ident.to_string())),
        UseTree::Rename(r) => found.push(leaf(r.ident.to_string())),
        UseTree::Group(g) => g.items.iter().for_each(|t| leaves(t, before, found)),
        _ => found.push(leaf("*".to_string())),
    }
}

/// Finds what a file imports.
struct Reader {
    /// Where the reader is.
    module: Vec<String>,
    /// Paths from the root of the crate.
    found: BTreeSet<Vec<String>>,
    /// Those, and what may be paths to modules inside this one; without what it only exports again.
    inside: BTreeSet<Vec<String>>,
    exports: BTreeMap<String, Vec<String>>,
}

impl Reader {
    fn path(&mut self, segments: &[String]) {
        let absolute = self.absolute(segments);
        let inside = || self.module.iter().chain(segments).cloned().collect();
        self.inside.insert(absolute.clone().unwrap_or_else(inside));
        self.found.extend(absolute);
    }

    /// A path from the root of the crate.
    fn absolute(&self, segments: &[String]) -> Option<Vec<String>> {
        let mut module = match segments.first().map(String::as_str) {
            // The core names itself as its users do.
            Some("crate" | "differentiable") => Vec::new(),
            Some("self" | "super") => self.module.clone(),
            _ => return None,
        };
        for s in segments {
            match s.as_str() {
                "crate" | "differentiable" | "self" => {}
                "super" => drop(module.pop()),
                name => module.push(name.to_string()),
            }
        }
        Some(module)
    }

    /// Paths in the tokens of a macro, and in what it writes.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for t in tokens
            .into_iter()
            .chain([TokenTree::Punct(proc_macro2::Punct::new(
                ';',
                proc_macro2::Spacing::Alone,
            ))])
        {
            match t {
                TokenTree::Punct(p) if p.as_char() == ':' => colons += 1,
                TokenTree::Ident(i) if colons == 2 => {
                    path.push(i.to_string());
                    colons = 0;
                }
                t => {
                    self.path(&path);
                    (path, colons) = (Vec::new(), 0);
                    match t {
                        TokenTree::Ident(i) => path = vec![i.to_string()],
                        TokenTree::Group(g) => self.tokens(g.stream()),
                        _ => {}
                    }
                }
            }
        }
    }
}

impl<'a> Visit<'a> for Reader {
    fn visit_item(&mut self, item: &'a Item) {
        if !attributes(item).iter().any(is_test) {
            visit::visit_item(self, item);
        }
    }
    fn visit_item_mod(&mut self, m: &'a syn::ItemMod) {
        self.module.push(m.ident.to_string());
        visit::visit_item_mod(self, m);
        self.module.pop();
    }
    fn visit_item_use(&mut self, u: &'a syn::ItemUse) {
        let mut paths = Vec::new();
        leaves(&u.tree, &mut Vec::new(), &mut paths);
        if matches!(u.vis, syn::Visibility::Inherited) {
            return paths.iter().for_each(|p| self.path(p));
        }
        for path in paths {
            let inside = || self.module.iter().chain(&path).cloned().collect();
            let to = self.absolute(&path);
            self.found.extend(to.clone());
            let name = path.last().cloned().unwrap_or_default();
            self.exports.insert(name, to.unwrap_or_else(inside));
        }
    }
    fn visit_path(&mut self, p: &'a syn::Path) {
        let segments: Vec<String> = p.segments.iter().map(|s| s.ident.to_string()).collect();
        self.path(&segments);
        visit::visit_path(self, p);
    }
    fn visit_macro(&mut self, m: &'a syn::Macro) {
        self.visit_path(&m.path);
        // What a macro emits is the user's.
        let emits = m
            .path
            .segments
            .last()
            .is_some_and(|s| s.ident.to_string().contains("quote"));
        if !emits {
            self.tokens(m.tokens.clone());
        }
    }
}

fn attributes(item: &Item) -> &[syn::Attribute] {
    match item {
        Item::Mod(i) => &i.attrs,
        Item::Fn(i) => &i.attrs,
        Item::Impl(i) => &i.attrs,
        Item::Use(i) => &i.attrs,
        _ => &[],
    }
}

/// `#[cfg(test)]`
fn is_test(a: &syn::Attribute) -> bool {
    a.path().is_ident("cfg")
        && matches!(&a.meta, syn::Meta::List(l) if l.tokens.to_string() == "test")
}
