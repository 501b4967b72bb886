//! `einsum!("ij,jk->ik", &a, &b)`: the subscripts are read here and become a type; the rest is a method of
//! tensors. For the example:
//!
//! ```text
//! a.einsum2::<Einsum<A, B, 0, O, (Of<0, 0>, Of<1, 1>), (Rank<0, 2>, (Rank<1, 2>, (Letter<'j', Of<0, 1>, Of<1, 0>>, ())))>, _>(&b)
//! ```
//!
//! where `A`, `B` and `O` hold the letters as bytes. An annotated function sees this call instead of the
//! macro, so that it needs no rule of its own.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned, ToTokens};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprMethodCall, LitStr, Token};

/// The largest rank of a tensor.
const MAX_RANK: usize = 6;

/// What stands between the parentheses.
struct Call {
    subscripts: LitStr,
    operands: Vec<Expr>,
}

impl Parse for Call {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let subscripts = input.parse().map_err(|e| {
            syn::Error::new(
                e.span(),
                "`einsum!` takes its subscripts first: `einsum!(\"ij,jk->ik\", &a, &b)`",
            )
        })?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        let operands = Punctuated::<Expr, Token![,]>::parse_terminated(input)?;
        Ok(Call {
            subscripts,
            operands: operands.into_iter().collect(),
        })
    }
}

/// The letters of each operand and of the output.
struct Subscripts {
    operands: Vec<Vec<char>>,
    output: Vec<char>,
}

impl Subscripts {
    /// Reads `"ij,jk->ik"`; the error is a message for the user.
    fn read(text: &str) -> Result<Self, String> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        if text.contains('.') {
            return Err("`...` is not supported: give each axis a letter".into());
        }
        let Some((left, right)) = text.split_once("->") else {
            return Err(format!(
                "the axes of the result are missing: write `\"{text}->…\"`"
            ));
        };
        let operands: Vec<Vec<char>> = left.split(',').map(|w| w.chars().collect()).collect();
        let output: Vec<char> = right.chars().collect();
        for word in operands.iter().chain([&output]) {
            if let Some(c) = word.iter().find(|c| !c.is_ascii_alphabetic()) {
                return Err(format!("`{c}` is not a letter"));
            }
            if word.len() > MAX_RANK {
                return Err(format!("a tensor has at most {MAX_RANK} axes"));
            }
        }
        for (i, c) in output.iter().enumerate() {
            if output[..i].contains(c) {
                return Err(format!("the letter `{c}` is in the result twice"));
            }
            if !operands.iter().any(|w| w.contains(c)) {
                return Err(format!(
                    "the letter `{c}` of the result is in none of the operands"
                ));
            }
        }
        Ok(Subscripts { operands, output })
    }

    /// Whether the product and each of its pullbacks can be computed two operands at a time with at most six
    /// axes in between.
    fn has_order(&self) -> bool {
        let mut all = vec![(self.operands.clone(), self.output.clone())];
        for k in 0..self.operands.len() {
            let mut operands = self.operands.clone();
            let target = std::mem::replace(&mut operands[k], self.output.clone());
            all.push((operands, target));
        }
        all.iter().all(|(operands, out)| {
            let [a, b, c] = &operands[..] else {
                return true;
            };
            [(a, b, c), (a, c, b), (b, c, a)]
                .into_iter()
                .any(|(x, y, rest)| {
                    let mut kept: Vec<char> = x.iter().chain(y).copied().collect();
                    kept.retain(|l| rest.contains(l) || out.contains(l));
                    kept.sort_unstable();
                    kept.dedup();
                    kept.len() <= MAX_RANK
                })
        })
    }

    /// The first place of a letter: operand and axis.
    fn place(&self, letter: char) -> (usize, usize) {
        let places = self.operands.iter().enumerate();
        let mut found = places.filter_map(|(k, w)| Some((k, w.iter().position(|c| *c == letter)?)));
        found.next().expect("a letter of an operand")
    }

    /// The subscripts as a type.
    fn ty(&self, span: Span) -> TokenStream {
        let shape = quote_spanned!(span=> ::differentiable::shape);
        let of = |(k, i): (usize, usize)| {
            let i = i as isize;
            quote_spanned!(span=> #shape::Of<#k, #i>)
        };
        let mut words: Vec<u64> = self.operands.iter().map(|w| packed(w)).collect();
        words.resize(3, 0);
        let output = packed(&self.output);
        let picks = self.output.iter().map(|c| of(self.place(*c)));
        let mut conditions = Vec::new();
        for (k, word) in self.operands.iter().enumerate() {
            let n = word.len();
            conditions.push(quote_spanned!(span=> #shape::Rank<#k, #n>));
        }
        for (k, word) in self.operands.iter().enumerate() {
            for (i, &c) in word.iter().enumerate() {
                let first = self.place(c);
                if first != (k, i) {
                    let (first, here) = (of(first), of((k, i)));
                    conditions.push(quote_spanned!(span=> #shape::Letter<#c, #first, #here>));
                }
            }
        }
        let conditions = conditions
            .iter()
            .rev()
            .fold(quote!(()), |rest, c| quote_spanned!(span=> (#c, #rest)));
        quote_spanned!(span=> #shape::Einsum<#(#words,)* #output, (#(#picks,)*), #conditions>)
    }
}

/// Letters as the bytes of a number, the first one lowest.
fn packed(word: &[char]) -> u64 {
    let bytes = word.iter().rev();
    bytes.fold(0, |number, c| number << 8 | u64::from(*c as u8))
}

/// The call that the macro stands for.
pub fn call(tokens: TokenStream) -> syn::Result<ExprMethodCall> {
    let Call {
        subscripts: text,
        operands,
    } = syn::parse2(tokens)?;
    let span = text.span();
    let error = |message: &str| syn::Error::new(span, format!("einsum: {message}"));
    let subscripts = Subscripts::read(&text.value()).map_err(|m| error(&m))?;
    let (wanted, given) = (subscripts.operands.len(), operands.len());
    if given == 0 || given > 3 {
        return Err(error(
            "one, two or three operands; write more as several `einsum!`",
        ));
    }
    if wanted != given {
        return Err(error(&format!(
            "the subscripts are those of {wanted} operands, but there are {given}"
        )));
    }
    if !subscripts.has_order() {
        return Err(error(
            "a product of two of the operands has more than 6 axes; write it as several `einsum!`",
        ));
    }
    let ty = subscripts.ty(span);
    let method = syn::Ident::new(&format!("einsum{given}"), span);
    let mut operands = operands.into_iter();
    let first = match operands.next().expect("at least one operand") {
        Expr::Reference(r) if r.mutability.is_none() => *r.expr,
        e => e,
    };
    let receiver = match first {
        Expr::Path(_) | Expr::Field(_) | Expr::MethodCall(_) | Expr::Paren(_) => {
            first.to_token_stream()
        }
        e => quote!((#e)),
    };
    let inferred = (1..given).map(|_| quote!(_));
    syn::parse2(quote_spanned!(span=> #receiver.#method::<#ty #(, #inferred)*>(#(#operands),*)))
}

pub fn expand(tokens: TokenStream) -> TokenStream {
    match call(tokens) {
        Ok(call) => call.into_token_stream(),
        Err(e) => e.to_compile_error(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        Subscripts::read(text).err().unwrap_or_default()
    }

    #[test]
    fn subscripts() {
        let s = Subscripts::read(" b i j, bjk -> bik").unwrap();
        assert_eq!(s.operands, [vec!['b', 'i', 'j'], vec!['b', 'j', 'k']]);
        assert_eq!(s.output, ['b', 'i', 'k']);
        assert_eq!(s.place('k'), (1, 2));
        assert!(Subscripts::read("ii->").unwrap().output.is_empty());
    }

    #[test]
    fn wrong_subscripts() {
        assert!(message("ij,jk").contains("are missing"));
        assert!(message("ij->ijk").contains("`k` of the result is in none"));
        assert!(message("ij->ii").contains("`i` is in the result twice"));
        assert!(message("i1->i").contains("`1` is not a letter"));
        assert!(message("...i->i").contains("not supported"));
        assert!(message("abcdefg->a").contains("at most 6 axes"));
    }

    #[test]
    fn words() {
        assert_eq!(packed(&['b', 'i']).to_le_bytes()[..3], *b"bi\0");
    }

    #[test]
    fn orders() {
        assert!(Subscripts::read("ab,bc,cd->ad").unwrap().has_order());
        assert!(!Subscripts::read("abcdef,abcdgh,efghij->abcdij")
            .unwrap()
            .has_order());
    }
}
