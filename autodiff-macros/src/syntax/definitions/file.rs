//! The structs, type aliases, constants and functions of a file, and where each name means which.
//!
//! A name means the item of the innermost module or block around it. It stays unknown where that is not certain: two items of one
//! name, `#[cfg]`, code inside of a macro.

use super::floats::Floats;
use super::reader::Reader;
use super::tokens::tokens;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A file and the items in it.
#[derive(Debug)]
pub struct File {
    pub text: String,
    /// Where its tokens begin.
    pub(super) starts: Vec<usize>,
    /// Whether nothing in it may change without being assigned: no cell, and no `static`.
    pub(super) pure: bool,
    /// Whether it names types whose values may change behind a shared reference.
    pub(super) cells: bool,
    pub(super) groups: Vec<Group>,
    pub(super) items: HashMap<String, Vec<Item>>,
    /// Constants and statics.
    pub(super) constants: HashMap<String, Vec<Item>>,
    pub(super) functions: HashMap<String, Vec<Function>>,
}

/// What stands between two brackets; the first is the file.
#[derive(Debug)]
pub(super) struct Group {
    pub range: Range<usize>,
    pub kind: Kind,
    pub around: usize,
    /// The type that has the functions of an `impl` block.
    pub of: Option<String>,
    /// `use super::*;`
    pub sees_around: bool,
    /// The words of other `use`.
    pub imports: HashSet<String>,
    /// The constants of the standard library among them.
    pub floats: Floats,
    /// The type parameters of an `impl` block or a trait.
    pub parameters: HashSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Module,
    /// An `impl` block or a trait.
    Members,
    /// Of a function, of an expression.
    Other,
    /// The input of a macro.
    Macro,
    Attribute,
}

#[derive(Debug)]
pub(super) struct Item {
    pub group: usize,
    pub range: Range<usize>,
    /// Under `#[cfg]`.
    pub conditional: bool,
    /// `#[derive(Copy)]`
    pub copy: bool,
}

/// A function, and what is between its braces.
#[derive(Debug)]
pub(super) struct Function {
    pub item: Item,
    pub body: Option<Range<usize>>,
}

impl File {
    pub fn new(text: String) -> File {
        let read = Reader::new(&tokens(&text), text.len()).read();
        File { text, ..read }
    }

    /// The start of the item that a name means at a position, its text, and whether it derives `Copy`.
    pub fn item(&self, name: &str, at: usize) -> Option<(usize, &str, bool)> {
        let item = self.meant(name, at, self.items.get(name)?, |i| i)?;
        let (start, text) = self.at_start(item);
        Some((start, text, item.copy))
    }

    /// The start of the free function that a name means at a position, and its signature.
    pub fn function(&self, name: &str, at: usize) -> Option<(usize, &str)> {
        let item = self.meant(name, at, self.functions.get(name)?, |f| &f.item)?;
        Some(self.at_start(item))
    }

    /// The start of the function of that name that a type has, and its signature.
    pub fn method(&self, of: &str, name: &str) -> Option<(usize, &str)> {
        let of_type = |f: &&Function| self.groups[f.item.group].of.as_deref() == Some(of);
        let mut all = self.functions.get(name)?.iter().filter(of_type);
        match (all.next(), all.next()) {
            (Some(f), None) if !f.item.conditional => Some(self.at_start(&f.item)),
            _ => None,
        }
    }

    /// Whether no two items have the name.
    pub fn has_one(&self, name: &str) -> bool {
        self.items.get(name).is_some_and(|all| all.len() == 1)
    }

    /// `T` of `type Name = T;` in the `impl` block of a function.
    pub fn associated(&self, at: usize, name: &str) -> Option<&str> {
        let block = self.groups.get(self.innermost(at)?)?;
        let text = self.text.get(block.range.clone())?;
        let tokens = tokens(text);
        let words = ["type", name, "="];
        let found =
            |k: &usize| (0..3).all(|n| tokens.get(k + n).is_some_and(|t| t.text == words[n]));
        let k = (0..tokens.len()).find(found)?;
        let end = tokens[k..].iter().find(|t| t.text == ";")?;
        Some(&text[tokens[k + 2].at + 1..end.at])
    }

    /// What is between the braces of the one function of that name that a type has.
    pub fn body(&self, of: &str, name: &str) -> Option<&str> {
        let (at, _) = self.method(of, name)?;
        let mut all = self.functions.get(name)?.iter();
        let body = all.find(|f| f.item.range.start == at)?.body.clone()?;
        Some(&self.text[body])
    }

    /// What is between the braces of the functions of a name; of a required one nothing is known.
    pub fn bodies(&self, name: &str) -> Option<Vec<&str>> {
        let all = self.functions.get(name)?.iter();
        all.map(|f| f.body.clone().map(|body| &self.text[body]))
            .collect()
    }

    fn at_start(&self, item: &Item) -> (usize, &str) {
        (item.range.start, &self.text[item.range.clone()])
    }

    /// The start and the text of the constant or static that a name means at a position.
    pub fn constant(&self, name: &str, at: usize) -> Option<(usize, &str)> {
        let item = self.meant(name, at, self.constants.get(name)?, |i| i)?;
        Some(self.at_start(item))
    }

    /// The type of the constant of `std::f64::consts` or `std::f32::consts` that a name means at a position.
    pub fn float(&self, name: &str, at: usize) -> Option<&'static str> {
        // An item of the name goes before what `*` imports.
        let item = |all: &[Item], group| all.iter().any(|i| i.group == group);
        let items = self.constants.get(name).map_or(&[][..], Vec::as_slice);
        self.innermost_of(name, at, &|group| {
            let imported = || self.groups[group].floats.of(name);
            match item(items, group) {
                true => Some(None),
                false => imported().map(Some),
            }
        })
    }

    /// What a name means at a position, of all that have it.
    fn meant<'f, T>(
        &self,
        name: &str,
        at: usize,
        named: &'f [T],
        item: impl Fn(&'f T) -> &'f Item,
    ) -> Option<&'f Item> {
        self.innermost_of(name, at, &|group| {
            let mut here = named.iter().map(&item).filter(|i| i.group == group);
            let first = here.next()?;
            let certain = !first.conditional && here.next().is_none();
            Some(certain.then_some(first))
        })
    }

    /// What a name means in the innermost group that says it.
    fn innermost_of<T>(
        &self,
        name: &str,
        at: usize,
        said: &dyn Fn(usize) -> Option<Option<T>>,
    ) -> Option<T> {
        let mut group = self.innermost(at)?;
        loop {
            if let Some(meant) = said(group) {
                return meant;
            }
            let g = &self.groups[group];
            let ends = g.kind == Kind::Module && !g.sees_around;
            let hidden = g.imports.contains(name) || g.parameters.contains(name);
            if group == 0 || ends || hidden {
                return None;
            }
            group = g.around;
        }
    }

    /// The group in which a token is, if it is code that is compiled as it stands.
    fn innermost(&self, at: usize) -> Option<usize> {
        let holds = |g: &Group| g.range.contains(&at);
        let mut inner = 0;
        for (k, g) in self.groups.iter().enumerate().filter(|(_, g)| holds(g)) {
            match g.kind {
                Kind::Macro => return None,
                Kind::Attribute => {}
                _ => inner = k,
            }
        }
        Some(inner)
    }

    /// Whether a token begins here.
    pub fn is_code(&self, at: usize) -> bool {
        self.starts.binary_search(&at).is_ok()
    }

    /// The byte of a line and column that begin with 1.
    pub fn at(&self, line: usize, column: usize) -> Option<usize> {
        let before = self.text.split_inclusive('\n').take(line.checked_sub(1)?);
        let start: usize = before.map(str::len).sum();
        let at = start + column.checked_sub(1)?;
        (at < self.text.len()).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `P` means at `@`.
    fn found(text: &str) -> Option<String> {
        let at = text.find('@').expect("a position");
        let file = File::new(text.to_string());
        file.item("P", at).map(|(_, text, _)| text.to_string())
    }

    #[test]
    fn the_innermost_item_counts() {
        let first = Some("struct P(f64);".to_string());
        let tuple = "pub(crate) struct P(f64); struct Q; impl P { fn f() {} @ }";
        assert_eq!(found(tuple), first);
        assert_eq!(
            found("struct P; mod a { #[derive(Clone)] pub struct P { x: [f64; 3] } @ }"),
            Some("struct P { x: [f64; 3] }".into())
        );
        assert_eq!(found("struct P(f64); mod a { @ }"), None);
        assert_eq!(found("struct P(f64); mod a { use super::*; @ }"), first);
        assert_eq!(found("struct P(f64); mod a { struct P; } @"), first);
        assert_eq!(found("struct P(f64); fn f() { let a = 1; @ }"), first);
        assert_eq!(
            found("struct P(f64); fn f() { type P = f64; @ }"),
            Some("type P = f64;".into())
        );
        assert_eq!(
            found("impl T for Q { type P = f64; @ } struct P(f64);"),
            first
        );
        assert_eq!(found("impl Mul<P> for Q<P> { @ } struct P(f64);"), first);
    }

    #[test]
    fn what_is_not_certain_is_unknown() {
        for text in [
            "#[cfg(unix)] struct P(f64); @",
            "struct P(f64); struct P(f32); @",
            "struct P(f64); macro_rules! m { () => { @ } }",
            "struct P(f64); m!(@);",
            "m! { struct P(f64); } @",
            "struct P(f64); mod a { use super::*; use b::{c, P}; @ }",
            "struct P(f64); mod a { use super::*; enum P { A } @ }",
            "// struct P(f64);\n@",
            "struct P(f64) @",
            "type P = f64; impl<const N: usize, P: A<B>> C<N, P> { @ }",
        ] {
            let told = found(text);
            let enumeration = told.as_ref().is_some_and(|t| t.starts_with("enum"));
            assert!(told.is_none() || enumeration, "{text}: {told:?}");
        }
    }

    #[test]
    fn functions_and_who_has_them() {
        let text = "
            fn norm(v: &[f64; 3]) -> f64 { dot(v, v).sqrt() }
            impl<T: A<B>> Mul<P<T>> for b::P<T> where T: C { type Output = Q; fn mul(self) -> Self::Output { a } }
            impl P { fn mul2(&self) -> [f64; 3] { b } }
            trait D { fn mul2(&self) -> f64; }
            impl D for &mut P { fn mul3(self) -> f64 { c } }
            impl D for &P { fn mul4(self) -> f64 { d } }";
        let file = File::new(text.into());
        let end = text.len() - 1;
        let signature = file.function("norm", end).map(|(_, s)| s);
        assert_eq!(signature, Some("fn norm(v: &[f64; 3]) -> f64 "));
        let (at, signature) = file.method("P", "mul").expect("an operator");
        assert_eq!(signature, "fn mul(self) -> Self::Output ");
        assert_eq!(file.associated(at, "Output"), Some(" Q"));
        assert_eq!(
            file.method("P", "mul2").map(|m| m.1),
            Some("fn mul2(&self) -> [f64; 3] ")
        );
        assert_eq!(file.method("P", "norm"), None);
        assert_eq!(file.method("P", "mul3"), None);
        assert!(file.method("P", "mul4").is_some());
        assert_eq!(file.function("mul2", end), None);
        assert_eq!(file.bodies("norm"), Some(vec![" dot(v, v).sqrt() "]));
        assert_eq!(file.bodies("mul2"), None);
    }

    #[test]
    fn positions_begin_with_one() {
        let file = File::new("a\nbc".into());
        assert_eq!(file.at(1, 1), Some(0));
        assert_eq!(file.at(2, 2), Some(3));
        assert_eq!(file.at(0, 1), None);
        assert_eq!(file.at(3, 1), None);
    }
}
