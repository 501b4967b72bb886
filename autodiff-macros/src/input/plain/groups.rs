//! Invisible groups: what a `macro_rules!` macro passes on, as `$e:expr` or `$t:ty`, stands in a group without
//! delimiters. The compiler knows these only in tokens that nobody has taken apart; everywhere else they get
//! parentheses where they bind, and are dropped where they do not.

use proc_macro2::{Delimiter, Group, Punct, Spacing, TokenStream, TokenTree};

/// Whether tokens have an invisible group.
pub fn has_invisible(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|t| match t {
        TokenTree::Group(g) => g.delimiter() == Delimiter::None || has_invisible(&g.stream()),
        _ => false,
    })
}

/// The same tokens without invisible groups.
pub fn made_visible(tokens: TokenStream) -> TokenStream {
    match has_invisible(&tokens) {
        true => visible(tokens),
        false => tokens,
    }
}

fn visible(tokens: TokenStream) -> TokenStream {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out: Vec<TokenTree> = Vec::new();
    for (i, t) in all.iter().enumerate() {
        let TokenTree::Group(g) = t else {
            out.push(t.clone());
            continue;
        };
        let inner = visible(g.stream());
        if g.delimiter() != Delimiter::None {
            out.push(regrouped(g, g.delimiter(), inner));
            continue;
        }
        let inner: Vec<TokenTree> = inner.into_iter().collect();
        if let Some(TokenTree::Punct(p)) = out.last_mut() {
            *p = alone(p);
        }
        let around = Around {
            before: &out,
            after: &all[i + 1..],
        };
        if is_qualified(&inner, around) {
            out.extend([punct('<', g)]);
            out.extend(inner);
            out.extend([punct('>', g)]);
        } else if binds(&inner, around) {
            let inner = inner.into_iter().collect();
            out.push(regrouped(g, Delimiter::Parenthesis, inner));
        } else {
            out.extend(inner);
            if let Some(TokenTree::Punct(p)) = out.last_mut() {
                *p = alone(p);
            }
        }
    }
    out.into_iter().collect()
}

fn regrouped(g: &Group, delimiter: Delimiter, inner: TokenStream) -> TokenTree {
    let mut new = Group::new(delimiter, inner);
    new.set_span(g.span());
    new.into()
}

fn punct(c: char, at: &Group) -> TokenTree {
    let mut p = Punct::new(c, Spacing::Alone);
    p.set_span(at.span());
    p.into()
}

fn alone(p: &Punct) -> Punct {
    let mut new = Punct::new(p.as_char(), Spacing::Alone);
    // The `'` of a lifetime is joint.
    if p.as_char() == '\'' {
        new = p.clone();
    }
    new.set_span(p.span());
    new
}

#[derive(Clone, Copy)]
struct Around<'a> {
    before: &'a [TokenTree],
    after: &'a [TokenTree],
}

fn is_punct(t: Option<&TokenTree>, of: &str) -> bool {
    matches!(t, Some(TokenTree::Punct(p)) if of.contains(p.as_char()))
}

fn is_word(t: Option<&TokenTree>, of: &[&str]) -> bool {
    matches!(t, Some(TokenTree::Ident(i)) if of.iter().any(|w| i == w))
}

/// Whether a block follows, or one that was passed on.
fn is_brace(t: Option<&TokenTree>) -> bool {
    let Some(TokenTree::Group(g)) = t else {
        return false;
    };
    match g.delimiter() {
        Delimiter::Brace => true,
        Delimiter::None => {
            let mut inner = g.stream().into_iter();
            is_brace(inner.next().as_ref()) && inner.next().is_none()
        }
        _ => false,
    }
}

impl Around<'_> {
    fn last(&self, back: usize) -> Option<&TokenTree> {
        let at = self.before.len().checked_sub(back + 1)?;
        self.before.get(at)
    }

    /// Whether what stands before takes all that follows, however weakly it holds together.
    fn opens(&self) -> bool {
        let joint = |of| matches!(self.last(1), Some(TokenTree::Punct(p)) if p.spacing() == Spacing::Joint && str::contains(of, p.as_char()));
        match self.last(0) {
            None => true,
            Some(TokenTree::Punct(p)) => match p.as_char() {
                ',' | ';' => true,
                '=' => !joint("=<>!"),
                ':' => !joint(":"),
                '>' => joint("=-"),
                _ => false,
            },
            before => is_word(before, &["let", "for", "return"]),
        }
    }

    /// Whether what follows takes nothing of what stands before.
    fn closes(&self) -> bool {
        let next = self.after.first();
        match next {
            None => true,
            Some(TokenTree::Punct(p)) => match p.as_char() {
                ',' | ';' => true,
                '=' => !is_punct(self.after.get(1), "=") || p.spacing() == Spacing::Alone,
                ':' => p.spacing() == Spacing::Alone,
                _ => false,
            },
            Some(TokenTree::Ident(_)) => is_word(next, &["if", "else", "in", "where"]),
            // The body of a function after its type.
            Some(TokenTree::Group(_)) => {
                is_brace(next) && is_punct(self.last(0), ">") && is_punct(self.last(1), "-")
            }
            _ => false,
        }
    }

    fn in_angles(&self) -> bool {
        let opens = self.opens() || is_punct(self.last(0), "<");
        opens && (self.closes() || is_punct(self.after.first(), ">"))
    }
}

/// Whether what was passed on has to be held together.
fn binds(inner: &[TokenTree], around: Around<'_>) -> bool {
    let next = around.after.first();
    match inner {
        [] => return false,
        // At the start of a statement an operator after a block begins the next one.
        _ if ends_in_block(inner) && (around.opens() || is_brace(around.last(0))) => {
            return is_punct(next, "+-*/%^&|<>.?");
        }
        [_] => return false,
        // A number, which can stand in a range of a pattern.
        [TokenTree::Punct(p), TokenTree::Literal(_)] if p.as_char() == '-' => {
            let range = |a: Option<&TokenTree>, b: Option<&TokenTree>| {
                is_punct(a, ".") && is_punct(b, ".=")
            };
            let after = range(next, around.after.get(1));
            let before = is_punct(around.last(0), ".=") && is_punct(around.last(1), ".");
            if after && (before || around.opens()) || before && around.closes() {
                return false;
            }
        }
        _ => {}
    }
    if is_statement(inner) || is_lifetime(inner) || is_macro_call(inner) {
        return false;
    }
    // `x as $t < y`
    let cast = is_word(around.last(0), &["as"]) && is_punct(next, "<");
    if is_path(inner) {
        return cast;
    }
    !(around.opens() && around.closes() || starts_as_type(inner) && around.in_angles())
}

/// `Tensor![f64; 3]`, `vec![1.0]`: nothing is taken apart by an operator.
fn is_macro_call(inner: &[TokenTree]) -> bool {
    match inner {
        [path @ .., TokenTree::Punct(p), TokenTree::Group(g)] => {
            p.as_char() == '!' && g.delimiter() != Delimiter::Brace && is_path(path)
        }
        _ => false,
    }
}

/// Whether it is a block, or an expression that may be a statement as a block may.
fn ends_in_block(inner: &[TokenTree]) -> bool {
    const WORDS: &[&str] = &["if", "match", "loop", "while", "for", "unsafe"];
    is_brace(inner.last()) && (inner.len() == 1 || is_word(inner.first(), WORDS))
}

/// `$t::new()` of a type with arguments.
fn is_qualified(inner: &[TokenTree], around: Around<'_>) -> bool {
    let colons = is_punct(around.after.first(), ":") && is_punct(around.after.get(1), ":");
    let arguments = || {
        inner
            .windows(2)
            .any(|w| is_punct(w.get(1), "<") && !is_punct(w.first(), ":"))
    };
    let other = || !is_path(inner) || inner.len() == 1 && !matches!(inner[0], TokenTree::Ident(_));
    colons && !inner.is_empty() && !is_punct(inner.first(), "<") && (other() || arguments())
}

/// A visibility, a declaration or an item: nothing that an operator could take apart.
fn is_statement(inner: &[TokenTree]) -> bool {
    const ITEMS: &[&str] = &[
        "pub",
        "let",
        "fn",
        "struct",
        "enum",
        "trait",
        "mod",
        "use",
        "static",
        "type",
        "extern",
        "macro_rules",
    ];
    let second = |of: &[&str]| is_word(inner.get(1), of);
    let ends_in_block = is_brace(inner.last());
    let has_a_body = is_word(inner.first(), &["fn", "extern"]);
    is_word(inner.first(), ITEMS) && (ends_in_block || !has_a_body)
        || is_punct(inner.first(), "#")
        || is_word(inner.first(), &["impl"]) && ends_in_block
        || is_word(inner.first(), &["const"]) && inner.get(1).is_some_and(|t| !is_brace(Some(t)))
        || is_word(inner.first(), &["unsafe"]) && second(&["fn", "impl", "trait", "extern"])
}

fn is_lifetime(inner: &[TokenTree]) -> bool {
    matches!(inner, [TokenTree::Punct(p), TokenTree::Ident(_)] if p.as_char() == '\'')
}

/// Names, `::`, and arguments in `<..>`.
fn is_path(inner: &[TokenTree]) -> bool {
    let mut depth = 0_usize;
    let mut named = false;
    for t in inner {
        match t {
            TokenTree::Punct(p) => {
                match p.as_char() {
                    '<' => depth += 1,
                    '>' if depth > 0 => depth -= 1,
                    ':' => {}
                    _ if depth > 0 => {}
                    _ => return false,
                }
                named = false;
            }
            _ if depth > 0 => {}
            TokenTree::Ident(i) => {
                // `mut x` is a pattern that holds together as a path does.
                if named || is_word(Some(t), &["as", "return", "break", "move", "dyn"]) {
                    return false;
                }
                named = i != "mut" && i != "ref";
            }
            _ => return false,
        }
    }
    depth == 0
}

/// `&T`, `dyn T`, and the like.
fn starts_as_type(inner: &[TokenTree]) -> bool {
    is_punct(inner.first(), "&*!") || is_word(inner.first(), &["dyn", "impl", "fn", "for"])
}
