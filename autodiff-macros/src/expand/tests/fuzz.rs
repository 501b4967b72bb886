//! Wrong input never makes the macros panic: the functions and types of the tests, with tokens
//! deleted, doubled, exchanged and replaced.
//!
//! What comes out must be Rust or hold a `compile_error!`. `FUZZ_SEED=7 FUZZ_CASES=100000 cargo test
//! -p autodiff-macros fuzz` searches further than the default run.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::PathBuf;
use syn::visit::{self, Visit};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// What the macros are given: annotated items and the derives' types, found in the tests.
#[derive(Default)]
struct Inputs {
    annotated: Vec<TokenStream>,
    derived: Vec<TokenStream>,
}

impl<'a> Visit<'a> for Inputs {
    fn visit_item(&mut self, item: &'a syn::Item) {
        fn marked(attrs: &[syn::Attribute]) -> bool {
            attrs.iter().any(|a| a.path().is_ident("differentiable"))
        }
        match item {
            syn::Item::Fn(f) if marked(&f.attrs) => {
                let mut f = f.clone();
                f.attrs.clear();
                self.annotated.push(f.to_token_stream());
            }
            syn::Item::Impl(i) if marked(&i.attrs) => {
                let mut i = i.clone();
                i.attrs.clear();
                self.annotated.push(i.to_token_stream());
            }
            syn::Item::Struct(s) if !s.attrs.is_empty() => {
                let mut s = s.clone();
                s.attrs.clear();
                self.derived.push(s.to_token_stream());
            }
            syn::Item::Enum(e) if !e.attrs.is_empty() => {
                let mut e = e.clone();
                e.attrs.clear();
                self.derived.push(e.to_token_stream());
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }
}

fn inputs() -> Inputs {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut inputs = Inputs::default();
    for dir in [
        "tests/emitted",
        "tests/language",
        "tests",
        "examples",
        "autodiff-core/tests",
        "tests/ui/unsupported",
    ] {
        let entries = std::fs::read_dir(root.join(dir)).expect("a folder of sources");
        let mut paths: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
        paths.sort();
        for path in paths {
            if path.extension().is_some_and(|e| e == "rs")
                && !path.to_string_lossy().ends_with(".expanded.rs")
            {
                let source = std::fs::read_to_string(&path).expect("a readable file");
                inputs.visit_file(&syn::parse_file(&source).expect("Rust"));
            }
        }
    }
    assert!(inputs.annotated.len() > 100 && inputs.derived.len() > 10);
    inputs
}

/// Tokens that change what a construct is.
const INTERESTING: &str = "return break continue 'a mut & && * ? . .. ..= , ; : :: -> => = += -= |x| move else if match while \
    loop for in let self Self f64 usize bool _ x y i 0 1.0 -1 \"s\" 1u8 () (x, y) [x; 2] [x, y] {} { x } fn unsafe async as \
    .iter() .map(|v| v * v) .sum::<f64>() .collect() .push(x) .zip(y) .rev() .enumerate() .max(x) .clamp(x, y) .len() \
    vec![x; 3] Some(x) None Some(ref y) T <T> <'a, T> dyn impl where #[constant] #[no_grad] pub r#type 'static \
    if let Some(v) = x { v } no_grad!(x) stop_gradient(x) P { x, ..p } x @ 1 1..=2 |(a, b)| a break 'a x &mut x";

struct Mutator<'a> {
    random: Random,
    pool: Vec<TokenTree>,
    others: &'a [TokenStream],
}

impl Mutator<'_> {
    /// One change somewhere in `tokens`.
    fn change(&mut self, tokens: TokenStream) -> TokenStream {
        let mut trees: Vec<TokenTree> = tokens.into_iter().collect();
        let groups: Vec<usize> = (0..trees.len())
            .filter(|i| matches!(&trees[*i], TokenTree::Group(g) if !g.stream().is_empty()))
            .collect();
        // The further in, the more of the item stays whole.
        if !groups.is_empty() && self.random.below(8) != 0 {
            let i = *self.random.pick(&groups);
            if let TokenTree::Group(g) = &trees[i] {
                let mut changed = Group::new(g.delimiter(), self.change(g.stream()));
                changed.set_span(g.span());
                trees[i] = TokenTree::Group(changed);
            }
            return trees.into_iter().collect();
        }
        if trees.is_empty() {
            return trees.into_iter().collect();
        }
        if self.random.below(2) == 0 && trees.iter().any(is_semicolon) {
            return self.change_statements(trees);
        }
        let at = self.random.below(trees.len());
        match self.random.below(7) {
            0 => {
                trees.remove(at);
            }
            1 => trees.insert(at, trees[at].clone()),
            2 => {
                let other = self.random.below(trees.len());
                trees.swap(at, other);
            }
            3 => trees[at] = self.random.pick(&self.pool).clone(),
            4 => {
                let tree = self.random.pick(&self.pool).clone();
                trees.insert(at, tree);
            }
            5 => self.splice(&mut trees, at),
            _ => {
                // A run of tokens leaves, or comes twice.
                let end = (at + 1 + self.random.below(5)).min(trees.len());
                let run: Vec<_> = trees.drain(at..end).collect();
                if self.random.below(2) == 0 {
                    let to = self.random.below(trees.len() + 1);
                    trees.splice(to..to, run);
                }
            }
        }
        trees.into_iter().collect()
    }

    /// Statements are deleted, doubled, exchanged.
    fn change_statements(&mut self, trees: Vec<TokenTree>) -> TokenStream {
        let mut statements: Vec<Vec<TokenTree>> = vec![Vec::new()];
        for t in trees {
            let ends = is_semicolon(&t);
            statements.last_mut().expect("one at least").push(t);
            if ends {
                statements.push(Vec::new());
            }
        }
        let at = self.random.below(statements.len());
        let other = self.random.below(statements.len());
        match self.random.below(3) {
            0 => {
                statements.remove(at);
            }
            1 => statements.insert(other, statements[at].clone()),
            _ => statements.swap(at, other),
        }
        statements.into_iter().flatten().collect()
    }

    /// A tree becomes one of the same kind from another function.
    fn splice(&mut self, trees: &mut [TokenTree], at: usize) {
        fn collect(t: TokenStream, like: &TokenTree, out: &mut Vec<TokenTree>) {
            for t in t {
                let same = match (&t, like) {
                    (TokenTree::Group(a), TokenTree::Group(b)) => a.delimiter() == b.delimiter(),
                    (TokenTree::Ident(_), TokenTree::Ident(_)) => true,
                    (TokenTree::Literal(_), TokenTree::Literal(_)) => true,
                    (TokenTree::Punct(_), TokenTree::Punct(_)) => true,
                    _ => false,
                };
                if let TokenTree::Group(g) = &t {
                    collect(g.stream(), like, out);
                }
                if same {
                    out.push(t);
                }
            }
        }
        let mut found = Vec::new();
        let other = self.random.pick(self.others).clone();
        collect(other, &trees[at], &mut found);
        if !found.is_empty() {
            trees[at] = self.random.pick(&found).clone();
        }
    }
}

fn is_semicolon(t: &TokenTree) -> bool {
    matches!(t, TokenTree::Punct(p) if p.as_char() == ';')
}

/// Runs `expand` on changed `sources`; returns how many results were free of errors.
fn fuzz(cases: u64, sources: &[TokenStream], expand: &dyn Fn(TokenStream) -> TokenStream) -> u64 {
    let seed: u64 = match std::env::var("FUZZ_SEED") {
        Ok(s) => s.parse().expect("a number"),
        Err(_) => 1,
    };
    let mut mutator = Mutator {
        random: Random(seed),
        pool: INTERESTING
            .parse::<TokenStream>()
            .expect("tokens")
            .into_iter()
            .collect(),
        others: sources,
    };
    let mut accepted = 0;
    for _ in 0..cases {
        let mut input = mutator.random.pick(sources).clone();
        for _ in 0..1 + mutator.random.below(3) {
            input = mutator.change(input);
        }
        let Ok(output) = catch_unwind(AssertUnwindSafe(|| expand(input.clone()))) else {
            panic!("the macro panics on\n{input}");
        };
        // The parser's own trace of what the macro made, not what the user wrote.
        let text = output.to_string();
        let refused = text.contains("compile_error");
        accepted += u64::from(!refused);
        assert!(
            refused || syn::parse2::<syn::File>(output).is_ok(),
            "not Rust, and no error:\n{text}\nfrom\n{input}"
        );
    }
    accepted
}

fn cases() -> u64 {
    match std::env::var("FUZZ_CASES") {
        Ok(n) => n.parse().expect("a number"),
        Err(_) => 1500,
    }
}

#[test]
fn attribute_on_changed_functions() {
    let inputs = inputs();
    let expand = |t| crate::expand::expand(TokenStream::new(), t);
    let accepted = fuzz(cases(), &inputs.annotated, &expand);
    // Otherwise only the parser is tested.
    assert!(accepted > cases() / 20, "only {accepted} are accepted");
}

#[test]
fn changed_options() {
    let options: Vec<TokenStream> = ["wrt(x, y)", "wrt(x), wrt(y)", "wrt", "boxed, wrt(self)"]
        .iter()
        .map(|t| t.parse().expect("tokens"))
        .collect();
    let function: TokenStream = "fn f(x: f64, y: &[f64]) -> f64 { x * y[0] }"
        .parse()
        .expect("tokens");
    let expand = |t| crate::expand::expand(t, function.clone());
    fuzz(cases() / 3, &options, &expand);
}

#[test]
fn derives_on_changed_types() {
    let inputs = inputs();
    let accepted = fuzz(cases() / 2, &inputs.derived, &crate::derive::expand);
    assert!(accepted > cases() / 40, "only {accepted} are accepted");
    fuzz(cases() / 2, &inputs.derived, &crate::derive::module::expand);
}

/// What a person may mistype in a macro is left to the compiler.
#[test]
fn mistyped_macros() {
    for call in [
        r#"format!("{x}" "{x}")"#,
        r#"format!("{}", x y)"#,
        "format!(,)",
        r#"write!(out "{}", x)"#,
        r#"println!("{}" x)"#,
        "vec![x; ]",
        "assert!(x >)",
        "matches!(x)",
    ] {
        let function =
            format!("fn f(x: f64) -> f64 {{ let t = {call}; t.parse::<f64>().unwrap() * x }}");
        let function: TokenStream = function.parse().expect("tokens");
        let expand = || crate::expand::expand(TokenStream::new(), function.clone());
        let done = catch_unwind(AssertUnwindSafe(expand));
        assert!(done.is_ok(), "the macro panics on {call}");
    }
}

/// Token soup, which no parser accepts for long.
#[test]
fn arbitrary_tokens() {
    let mut random = Random(5);
    let pool: Vec<TokenTree> = INTERESTING
        .parse::<TokenStream>()
        .expect("tokens")
        .into_iter()
        .collect();
    fn soup(random: &mut Random, pool: &[TokenTree], depth: usize) -> TokenStream {
        let length = random.below(12);
        let mut out = Vec::new();
        for _ in 0..length {
            out.push(if depth > 0 && random.below(4) == 0 {
                let delimiters = [
                    Delimiter::Parenthesis,
                    Delimiter::Brace,
                    Delimiter::Bracket,
                    Delimiter::None,
                ];
                let delimiter = *random.pick(&delimiters);
                TokenTree::Group(Group::new(delimiter, soup(random, pool, depth - 1)))
            } else {
                random.pick(pool).clone()
            });
        }
        out.into_iter().collect()
    }
    let header: TokenStream = "fn f(x: f64, y: &[f64]) -> f64".parse().expect("tokens");
    for _ in 0..cases() {
        let body = soup(&mut random, &pool, 4);
        let mut function = header.clone();
        function.extend([TokenTree::Group(Group::new(Delimiter::Brace, body.clone()))]);
        let input = if random.below(4) == 0 { body } else { function };
        for expand in [
            &(|t| crate::expand::expand(TokenStream::new(), t)) as &dyn Fn(_) -> _,
            &crate::derive::expand,
            &crate::derive::module::expand,
        ] {
            let done = catch_unwind(AssertUnwindSafe(|| expand(input.clone())));
            assert!(done.is_ok(), "the macro panics on\n{input}");
        }
    }
}
