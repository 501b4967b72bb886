//! Finds the items of a file in its tokens.

use super::file::{File, Function, Group, Item, Kind};
use super::floats::Floats;
use super::tokens::Token;
use std::collections::{HashMap, HashSet};

/// Goes through the tokens of a file once.
pub(super) struct Reader<'t> {
    tokens: &'t [Token<'t>],
    found: File,
    /// The open groups, and where in each the present item begins.
    open: Vec<(usize, usize)>,
}

impl<'t> Reader<'t> {
    pub fn new(tokens: &'t [Token<'t>], end: usize) -> Self {
        let file = Group {
            range: 0..end,
            kind: Kind::Module,
            around: 0,
            of: None,
            sees_around: false,
            imports: HashSet::new(),
            floats: Floats::default(),
            parameters: HashSet::new(),
        };
        let cells = names_cells(tokens);
        Reader {
            tokens,
            found: File {
                text: String::new(),
                pure: !cells && !tokens.iter().any(|t| is_static(t.text)),
                cells,
                starts: tokens.iter().map(|t| t.at).collect(),
                groups: vec![file],
                items: HashMap::new(),
                constants: HashMap::new(),
                functions: HashMap::new(),
            },
            open: vec![(0, 0)],
        }
    }

    /// All but its text.
    pub fn read(mut self) -> File {
        for k in 0..self.tokens.len() {
            match self.tokens[k].text {
                "{" | "(" | "[" => self.opens(k),
                "}" | ")" | "]" => self.closes(k),
                ";" => self.begins(k + 1),
                "struct" | "type" | "enum" | "union" | "const" | "static" => self.item(k),
                "use" => self.import(k),
                "fn" => self.function(k),
                _ => {}
            }
        }
        self.found
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
        let members = kind == Kind::Members;
        let of = members.then(|| self.owner(k)).flatten();
        let parameters = match members {
            true => self.parameters(k),
            false => HashSet::new(),
        };
        self.found.groups.push(Group {
            range: self.tokens[k].at..usize::MAX,
            kind,
            around,
            of,
            sees_around: false,
            imports: HashSet::new(),
            floats: Floats::default(),
            parameters,
        });
        self.open.push((self.found.groups.len() - 1, k + 1));
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
        self.found.groups[group].range.end = self.tokens[k].at;
        if self.text(k) == "}" {
            self.begins(k + 1);
        }
    }

    /// `struct P …`, `type V = …;`, `const G: f64 = …;`, or what else may have a name of them.
    fn item(&mut self, k: usize) {
        let (group, _) = self.here();
        let declared = self.declares(k + 1, &[self.text(k)]);
        let items = matches!(self.found.groups[group].kind, Kind::Module | Kind::Other);
        if !declared || !items {
            return;
        }
        let conditional = self.header(k).any(|t| t == "cfg" || t == "cfg_attr");
        let copy = self.header(k).any(|t| t == "derive") && self.header(k).any(|t| t == "Copy");
        let Some(end) = self.end(k) else { return };
        let value = matches!(self.text(k), "const" | "static");
        let name = self.text(k + 1).to_string();
        let item = Item {
            group,
            range: self.tokens[k].at..end,
            conditional,
            copy,
        };
        let named = match value {
            true => &mut self.found.constants,
            false => &mut self.found.items,
        };
        named.entry(name).or_default().push(item);
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

    /// `P` of `impl<T> Trait<T> for a::P<T> where …`; that of `&mut P` is another one.
    fn owner(&self, k: usize) -> Option<String> {
        let (mut depth, mut arrow) = (0, false);
        let (mut owner, mut open) = (None, true);
        for text in self.header(k).skip_while(|t| *t != "impl").skip(1) {
            match text {
                "<" => depth += 1,
                ">" if !arrow => depth -= 1,
                _ if depth > 0 => {}
                "for" => (owner, open) = (None, true),
                "where" => open = false,
                "mut" if open => return None,
                ":" => {}
                word if open => owner = Some(word.to_string()),
                _ => {}
            }
            arrow = text == "-";
        }
        owner.filter(|o| o.chars().all(|c| c.is_alphanumeric() || c == '_'))
    }

    /// `N` and `T` of `impl<const N: usize, T: Trait<U>> …`
    fn parameters(&self, k: usize) -> HashSet<String> {
        let mut found = HashSet::new();
        let (mut depth, mut before) = (0, "");
        let mut header = self
            .header(k)
            .skip_while(|t| !matches!(*t, "impl" | "trait"));
        if header.next() == Some("trait") {
            header.next();
        }
        for text in header {
            match text {
                "<" => depth += 1,
                ">" if before != "-" => depth -= 1,
                "const" => continue,
                // There are none.
                _ if depth == 0 => break,
                name if depth == 1 && matches!(before, "<" | ",") => {
                    found.insert(name.to_string());
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
            before = text;
        }
        found
    }

    /// `fn f(…) -> T { … }`
    fn function(&mut self, k: usize) {
        let name = self.text(k + 1);
        let (group, _) = self.here();
        let kind = self.found.groups[group].kind;
        let declared = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if !declared || matches!(kind, Kind::Macro | Kind::Attribute) {
            return;
        }
        // What an asynchronous one returns is not what it says.
        let conditional = self
            .header(k)
            .any(|t| matches!(t, "cfg" | "cfg_attr" | "async"));
        let mut depth = 0;
        let ends = |t: &&Token<'_>| {
            match t.text {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                _ => {}
            }
            depth == 0 && matches!(t.text, "{" | ";")
        };
        let Some(end) = self.tokens[k..].iter().find(ends) else {
            return;
        };
        let body = (end.text == "{").then(|| Some(end.at + 1..self.end(k)? - 1));
        let function = Function {
            item: Item {
                group,
                range: self.tokens[k].at..end.at,
                conditional,
                copy: false,
            },
            body: body.flatten(),
        };
        let named = self.found.functions.entry(name.to_string());
        named.or_default().push(function);
    }

    /// `use super::*;`
    fn import(&mut self, k: usize) {
        let words = ["use", "super", ":", ":", "*", ";"];
        let all = (0..words.len()).all(|n| self.text(k + n) == words[n]);
        let (group, _) = self.here();
        let import = self.tokens[k..].iter().map(|t| t.text);
        let import: Vec<&str> = import.take_while(|t| *t != ";").collect();
        let group = &mut self.found.groups[group];
        group.sees_around |= all;
        if !all {
            group.floats.import(&import);
            group.imports.extend(import.iter().map(|t| t.to_string()));
        }
    }
}

/// Whether a word is that of a type whose values may change behind a shared reference.
fn is_cell(word: &str) -> bool {
    const CELLS: [&str; 7] = [
        "Cell",
        "RefCell",
        "OnceCell",
        "LazyCell",
        "UnsafeCell",
        "Mutex",
        "RwLock",
    ];
    CELLS.contains(&word) || word.starts_with("Atomic")
}

/// Whether a word is that of variables that may change without being assigned.
fn is_static(word: &str) -> bool {
    word == "static" || word == "thread_local"
}

/// Whether a file names types of the standard library whose values may change behind a shared reference. A `struct Cell` of its
/// own is none.
fn names_cells(tokens: &[Token<'_>]) -> bool {
    let text = |k: usize| tokens.get(k).map_or("", |t: &Token<'_>| t.text);
    let own: HashSet<&str> = (0..tokens.len())
        .filter(|k| matches!(text(*k), "struct" | "enum"))
        .map(|k| text(k + 1))
        .collect();
    let of_std = |k: usize| {
        let path = text(k.saturating_sub(1)).starts_with(':');
        let module = (0..k).rev().map(text).find(|t| !t.starts_with(':'));
        path && matches!(module, Some("cell" | "sync" | "atomic"))
    };
    (0..tokens.len()).any(|k| is_cell(text(k)) && (!own.contains(text(k)) || of_std(k)))
}
