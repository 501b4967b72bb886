//! The constants of the standard library that a module imports: `use std::f64::consts::{PI, TAU};`

use std::collections::HashMap;
use syn::UseTree;

/// Names of numbers, and their types.
#[derive(Debug, Default)]
pub(super) struct Floats {
    named: HashMap<String, &'static str>,
    /// The module of `use std::f64::consts::*;`
    all: Option<&'static str>,
}

/// The constants that both modules have.
const OF_MODULES: &[&str] = &[
    "E",
    "FRAC_1_PI",
    "FRAC_1_SQRT_2",
    "FRAC_2_PI",
    "FRAC_2_SQRT_PI",
    "FRAC_PI_2",
    "FRAC_PI_3",
    "FRAC_PI_4",
    "FRAC_PI_6",
    "FRAC_PI_8",
    "LN_10",
    "LN_2",
    "LOG10_2",
    "LOG10_E",
    "LOG2_10",
    "LOG2_E",
    "PI",
    "SQRT_2",
    "TAU",
];

impl Floats {
    /// Takes what an import names, given as its words: one of something else is not looked at.
    pub fn import(&mut self, words: &[&str]) {
        if !words.contains(&"consts") {
            return;
        }
        let text = words.join(" ").replace(": :", "::") + ";";
        if let Ok(import) = syn::parse_str::<syn::ItemUse>(&text) {
            self.tree(&import.tree, &mut Vec::new());
        }
    }

    /// The type of a constant that is imported by this name.
    pub fn of(&self, name: &str) -> Option<&'static str> {
        let by_all = self.all.filter(|_| OF_MODULES.contains(&name));
        self.named.get(name).copied().or(by_all)
    }

    fn tree(&mut self, tree: &UseTree, path: &mut Vec<String>) {
        match tree {
            UseTree::Path(p) => {
                path.push(p.ident.to_string());
                self.tree(&p.tree, path);
                path.pop();
            }
            UseTree::Group(g) => g.items.iter().for_each(|tree| self.tree(tree, path)),
            UseTree::Name(n) => self.take(path, n.ident.to_string()),
            UseTree::Rename(r) => self.take(path, r.rename.to_string()),
            UseTree::Glob(_) => self.all = self.all.or(module(path)),
        }
    }

    fn take(&mut self, path: &[String], name: String) {
        self.named.extend(module(path).map(|float| (name, float)));
    }
}

/// `std::f64::consts`
fn module(path: &[String]) -> Option<&'static str> {
    match path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["std" | "core", "f64", "consts"] => Some("f64"),
        ["std" | "core", "f32", "consts"] => Some("f32"),
        _ => None,
    }
}
