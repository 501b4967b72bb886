//! The expressions in a call of a macro of the standard library: `assert!(a < b, "..", c)`.

use crate::syntax::is_macro;
use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, ToTokens};
use syn::Expr;

/// What stands between the commas.
#[derive(Debug)]
pub enum Argument {
    Expr(Expr),
    /// A pattern of `matches!`, or what is no expression: kept as written.
    Other(TokenStream),
}

/// The arguments of a macro, and what separates them.
#[derive(Debug)]
pub struct Arguments {
    pub list: Vec<Argument>,
    separators: Vec<TokenTree>,
}

/// The arguments of any macro but `no_grad!`, whose contents are the user's.
pub fn of(m: &syn::Macro) -> Arguments {
    let mut parts = vec![TokenStream::new()];
    let mut separators = Vec::new();
    if is_macro(m, &["no_grad"]) {
        return Arguments {
            list: vec![Argument::Other(m.tokens.clone())],
            separators,
        };
    }
    for t in m.tokens.clone() {
        // `vec![x; n]`
        let separates = matches!(&t, TokenTree::Punct(p) if matches!(p.as_char(), ',' | ';'));
        match (separates, parts.last_mut()) {
            (false, Some(part)) => part.extend([t]),
            _ => {
                separators.push(t);
                parts.push(TokenStream::new());
            }
        }
    }
    // Only the value: some patterns read as expressions.
    let values = if is_macro(m, &["matches"]) {
        1
    } else {
        parts.len()
    };
    let list = parts.into_iter().enumerate().map(|(i, tokens)| {
        let parsed = (i < values).then(|| syn::parse2(tokens.clone()).ok());
        parsed
            .flatten()
            .map_or(Argument::Other(tokens), Argument::Expr)
    });
    Arguments {
        list: list.collect(),
        separators,
    }
}

impl Arguments {
    /// The expressions; of `name = value` the value.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.list.iter().filter_map(|a| match a {
            Argument::Expr(Expr::Assign(named)) => Some(&*named.right),
            Argument::Expr(e) => Some(e),
            Argument::Other(_) => None,
        })
    }

    /// The expressions; of `name = value` the value.
    pub fn exprs_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        self.list.iter_mut().filter_map(|a| match a {
            Argument::Expr(Expr::Assign(named)) => Some(&mut *named.right),
            Argument::Expr(e) => Some(e),
            Argument::Other(_) => None,
        })
    }

    /// The contents of the macro.
    pub fn tokens(&self) -> TokenStream {
        let mut tokens = TokenStream::new();
        for (i, a) in self.list.iter().enumerate() {
            match a {
                Argument::Expr(e) => e.to_tokens(&mut tokens),
                Argument::Other(t) => tokens.extend(t.clone()),
            }
            let separator = self.separators.get(i);
            tokens.extend(quote!(#separator));
        }
        tokens
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn arguments_come_back_as_they_were_written() {
        let calls: [syn::Macro; 5] = [
            parse_quote!(assert!(a < b, "{} {c}", f(a, b), c = g(&mut x),)),
            parse_quote!(matches!(step(k), Some(P { x, .. }) | None if x > 0.0)),
            parse_quote!(vec![f(x); n]),
            parse_quote!(assert!(matches!(f(x), Foo { .. }))),
            parse_quote!(println!()),
        ];
        let found: Vec<usize> = calls
            .iter()
            .map(|m| {
                let a = of(m);
                assert_eq!(a.tokens().to_string(), m.tokens.to_string());
                a.exprs().count()
            })
            .collect();
        assert_eq!(found, [4, 1, 2, 1, 0]);
    }
}
