//! The structs and type aliases of a file, and where each name means which.
//!
//! A name means the item of the innermost module or block around it. It stays unknown where that is not certain: two items of one
//! name, `#[cfg]`, code inside of a macro.

use super::tokens::{tokens, Token};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A file and the items in it.
#[derive(Debug)]
pub struct File {
    pub text: String,
    groups: Vec<Group>,
    items: HashMap<String, Vec<Item>>,
}

/// What stands between two brackets; the first is the file.
#[derive(Debug)]
struct Group {
    range: Range<usize>,
    kind: Kind,
    around: usize,
    /// `use super::*;`
    sees_around: bool,
    /// The words of other `use`.
    imports: HashSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
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
struct Item {
    group: usize,
    range: Range<usize>,
    /// Under `#[cfg]`.
    conditional: bool,
}

impl File {
    pub fn new(text: String) -> File {
        let (groups, items) = Reader::new(&tokens(&text), text.len()).read();
        File {
            text,
            groups,
            items,
        }
    }

    /// The start of the item that a name means at a position, and its text.
    pub fn item(&self, name: &str, at: usize) -> Option<(usize, &str)> {
        let named = self.items.get(name)?;
        let mut group = self.innermost(at)?;
        loop {
            let mut here = named.iter().filter(|i| i.group == group);
            if let Some(item) = here.next() {
                let certain = !item.conditional && here.next().is_none();
                return certain.then(|| (item.range.start, &self.text[item.range.clone()]));
            }
            let g = &self.groups[group];
            let ends = g.kind == Kind::Module && !g.sees_around;
            if group == 0 || ends || g.imports.contains(name) {
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

    /// The byte of a line and column that begin with 1.
    pub fn at(&self, line: usize, column: usize) -> Option<usize> {
        let before = self.text.split_inclusive('\n').take(line.checked_sub(1)?);
        let start: usize = before.map(str::len).sum();
        let at = start + column.checked_sub(1)?;
        (at < self.text.len()).then_some(at)
    }
}

/// Goes through the tokens of a file once.
struct Reader<'t> {
    tokens: &'t [Token<'t>],
    groups: Vec<Group>,
    items: HashMap<String, Vec<Item>>,
    /// The open groups, and where in each the present item begins.
    open: Vec<(usize, usize)>,
}

impl<'t> Reader<'t> {
    fn new(tokens: &'t [Token<'t>], end: usize) -> Self {
        let file = Group {
            range: 0..end,
            kind: Kind::Module,
            around: 0,
            sees_around: false,
            imports: HashSet::new(),
        };
        Reader {
            tokens,
            groups: vec![file],
            items: HashMap::new(),
            open: vec![(0, 0)],
        }
    }

    fn read(mut self) -> (Vec<Group>, HashMap<String, Vec<Item>>) {
        for k in 0..self.tokens.len() {
            match self.tokens[k].text {
                "{" | "(" | "[" => self.opens(k),
                "}" | ")" | "]" => self.closes(k),
                ";" => self.begins(k + 1),
                "struct" | "type" | "enum" | "union" => self.item(k),
                "use" => self.import(k),
                _ => {}
            }
        }
        (self.groups, self.items)
    }

    fn here(&self) -> (usize, usize) {
        *self.open.last().expect("the file is never closed")
    }

    /// The next item begins.
    fn begins(&mut self, k: usize) {
        self.open.last_mut().expect("the file is never closed").1 = k;
    }

    fn text(&self, k: usize) -> &'t str {
        self.tokens.get(k).map_or("", |t| t.text)
    }

    /// The texts of the present item up to a token.
    fn header(&self, k: usize) -> impl Iterator<Item = &'t str> + '_ {
        self.tokens[self.here().1.min(k)..k].iter().map(|t| t.text)
    }

    fn opens(&mut self, k: usize) {
        let before = |n: usize| k.checked_sub(n).map_or("", |k| self.text(k));
        let braces = self.text(k) == "{";
        let kind = if before(1) == "!" && before(2) != "#"
            || before(2) == "!" && before(3) == "macro_rules"
        {
            Kind::Macro
        } else if before(1) == "#" || before(1) == "!" {
            Kind::Attribute
        } else if braces && self.declares(k, &["mod"]) {
            Kind::Module
        } else if braces && self.declares(k, &["impl", "trait"]) {
            Kind::Members
        } else {
            Kind::Other
        };
        let (around, _) = self.here();
        self.groups.push(Group {
            range: self.tokens[k].at..usize::MAX,
            kind,
            around,
            sees_around: false,
            imports: HashSet::new(),
        });
        self.open.push((self.groups.len() - 1, k + 1));
    }

    /// Whether the present item is declared by one of these words.
    fn declares(&self, k: usize, words: &[&str]) -> bool {
        let mut attribute = 0;
        for text in self.header(k) {
            match text {
                "[" | "(" => attribute += 1,
                "]" | ")" => attribute -= 1,
                _ if attribute > 0 => {}
                "#" | "pub" | "unsafe" => {}
                word => return words.contains(&word),
            }
        }
        false
    }

    fn closes(&mut self, k: usize) {
        if self.open.len() == 1 {
            return;
        }
        let (group, _) = self.open.pop().expect("more than the file");
        self.groups[group].range.end = self.tokens[k].at;
        if self.text(k) == "}" {
            self.begins(k + 1);
        }
    }

    /// `struct P …`, `type V = …;`, or what else may have a name of them.
    fn item(&mut self, k: usize) {
        let (group, _) = self.here();
        let declared = self.declares(k + 1, &[self.text(k)]);
        let items = matches!(self.groups[group].kind, Kind::Module | Kind::Other);
        if !declared || !items {
            return;
        }
        let conditional = self.header(k).any(|t| t == "cfg" || t == "cfg_attr");
        let Some(end) = self.end(k) else { return };
        let name = self.text(k + 1).to_string();
        let item = Item {
            group,
            range: self.tokens[k].at..end,
            conditional,
        };
        self.items.entry(name).or_default().push(item);
    }

    /// Where the item that begins here ends.
    fn end(&self, k: usize) -> Option<usize> {
        let mut depth = 0;
        for t in &self.tokens[k..] {
            match t.text {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => {
                    depth -= 1;
                    if t.text == "}" && depth == 0 {
                        return Some(t.at + 1);
                    }
                }
                ";" if depth == 0 => return Some(t.at + 1),
                _ => {}
            }
            if depth < 0 {
                return None;
            }
        }
        None
    }

    /// `use super::*;`
    fn import(&mut self, k: usize) {
        let words = ["use", "super", ":", ":", "*", ";"];
        let all = (0..words.len()).all(|n| self.text(k + n) == words[n]);
        let (group, _) = self.here();
        let group = &mut self.groups[group];
        group.sees_around |= all;
        if !all {
            let words = self.tokens[k..].iter().map(|t| t.text);
            group
                .imports
                .extend(words.take_while(|t| *t != ";").map(str::to_string));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `P` means at `@`.
    fn found(text: &str) -> Option<String> {
        let at = text.find('@').expect("a position");
        let file = File::new(text.to_string());
        file.item("P", at).map(|(_, text)| text.to_string())
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
        ] {
            let told = found(text);
            let enumeration = told.as_ref().is_some_and(|t| t.starts_with("enum"));
            assert!(told.is_none() || enumeration, "{text}: {told:?}");
        }
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
