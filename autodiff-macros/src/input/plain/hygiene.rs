//! Where a name comes from. `macro_rules!` macros keep names apart that they write and names that they are given. Stable
//! Rust has no way to ask whether two names are the same; but the text of a span begins with the number of its context,
//! as in `#0 bytes(91..93)`.

use proc_macro2::Span;

/// The number of the context in which a name is looked up: 0 is the text of the user.
pub type Context = u32;

/// The context of a span. Where the text of spans looks unlike this, every name is of one context, as without macros.
pub fn context(span: Span) -> Context {
    if !proc_macro::is_available() {
        return 0;
    }
    number(&format!("{span:?}")).unwrap_or(0)
}

fn number(text: &str) -> Option<Context> {
    let digits = text.strip_prefix('#')?.split(' ').next()?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_text_of_spans_is_read() {
        assert_eq!(super::number("#12 bytes(91..93)"), Some(12));
        assert_eq!(super::number("bytes(91..93)"), None);
        assert_eq!(super::number("Span"), None);
    }
}
