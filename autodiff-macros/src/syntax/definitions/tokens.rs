//! The tokens of a file, as far as finding items in it asks for: no comments, no literals.
//!
//! A macro cannot keep tokens of the compiler from one expansion to the next, and those of a file that it parses anew have no
//! positions. So this reads the text.

/// A word or a punctuation mark, and where it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token<'t> {
    pub text: &'t str,
    pub at: usize,
}

/// The words and marks of a text. A literal is a mark `"`.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let mut rest = Rest { text, at: 0 };
    while let Some(c) = rest.first() {
        let at = rest.at;
        if c.is_whitespace() {
            rest.skip(c.len_utf8());
        } else if rest.starts("//") {
            rest.skip_while(|c| c != '\n');
        } else if rest.starts("/*") {
            rest.comment();
        } else if rest.literal() {
            out.push(Token { text: "\"", at });
        } else if is_word(c) {
            rest.skip_while(is_word);
            out.push(Token {
                text: &text[at..rest.at],
                at,
            });
        } else if c == '\'' {
            // A lifetime.
            rest.skip(1);
            rest.skip_while(is_word);
        } else {
            rest.skip(c.len_utf8());
            out.push(Token {
                text: &text[at..rest.at],
                at,
            });
        }
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What is left of a text.
struct Rest<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Rest<'t> {
    fn left(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn first(&self) -> Option<char> {
        self.left().chars().next()
    }

    fn starts(&self, with: &str) -> bool {
        self.left().starts_with(with)
    }

    fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    fn skip_while(&mut self, mut of: impl FnMut(char) -> bool) {
        let left = self.left();
        self.at += left.find(|c| !of(c)).unwrap_or(left.len());
    }

    /// `/* … /* … */ … */`
    fn comment(&mut self) {
        let mut depth = 0;
        while let Some(c) = self.first() {
            if self.starts("/*") {
                depth += 1;
                self.skip(2);
            } else if self.starts("*/") {
                depth -= 1;
                self.skip(2);
                if depth == 0 {
                    return;
                }
            } else {
                self.skip(c.len_utf8());
            }
        }
    }

    /// Skips a literal of characters, if there is one.
    fn literal(&mut self) -> bool {
        let left = self.left();
        let prefix = ["br", "cr", "b", "c", "r"]
            .into_iter()
            .find(|p| left.starts_with(p))
            .unwrap_or("");
        for prefix in [prefix, ""] {
            let after = &left[prefix.len()..];
            let hashes = after.len() - after.trim_start_matches('#').len();
            if prefix.ends_with('r') && after[hashes..].starts_with('"') {
                let end = format!("\"{}", "#".repeat(hashes));
                let start = prefix.len() + hashes + 1;
                let length = left[start..].find(&end).map(|n| n + end.len());
                self.skip(start + length.unwrap_or(left.len() - start));
                return true;
            }
            if after.starts_with('"') {
                self.skip(prefix.len());
                self.quoted('"');
                return true;
            }
            let mut chars = after.chars();
            let open = chars.next() == Some('\'');
            let escaped = chars.next() == Some('\\');
            if open && (escaped || chars.next() == Some('\'')) {
                self.skip(prefix.len());
                self.quoted('\'');
                return true;
            }
        }
        false
    }

    /// From one quotation mark to the next.
    fn quoted(&mut self, mark: char) {
        self.skip(1);
        while let Some(c) = self.first() {
            self.skip(c.len_utf8());
            if c == mark {
                return;
            }
            if c == '\\' {
                self.skip(self.first().map_or(0, char::len_utf8));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokens(text).into_iter().map(|t| t.text).collect()
    }

    #[test]
    fn comments_and_literals_hold_no_items() {
        let text = r####"a /* struct /* b */ c */ "struct \" d" 'x' '\'' r#"e " f"# b"g" 'h i // j
            br##"k "# l"## m 'é' r#type"####;
        let expected = [
            "a", "\"", "\"", "\"", "\"", "\"", "i", "\"", "m", "\"", "r", "#", "type",
        ];
        assert_eq!(words(text), expected);
    }

    #[test]
    fn what_never_ends_ends_with_the_file() {
        for text in ["\"a", "r#\"a\"", "'\\", "/* a", "// a", "b'", "'"] {
            words(text);
        }
    }
}
