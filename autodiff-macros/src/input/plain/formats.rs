//! Variables that a format string names: `"{x:>width$}"`.

/// Where names stand in the text of a literal.
fn places(literal: &str) -> Vec<std::ops::Range<usize>> {
    let mut places = Vec::new();
    if !literal.ends_with(['"', '#']) || literal.starts_with('b') || literal.starts_with('c') {
        return places;
    }
    let mut rest = 0;
    while let Some(open) = literal[rest..].find('{').map(|at| rest + at) {
        if literal[open + 1..].starts_with('{') {
            rest = open + 2;
            continue;
        }
        let end = literal[open..]
            .find('}')
            .map_or(literal.len(), |at| open + at);
        let name = word(literal, open + 1, end);
        let whole = name.end == end || literal[name.end..].starts_with([':', ' ']);
        if whole {
            places.extend(is_name(literal, &name).then_some(name));
        }
        // Widths and precisions.
        for dollar in (open..end).filter(|i| literal[*i..].starts_with('$')) {
            let start = literal[..dollar].rfind(|c: char| !is_part(c));
            let name = start.map_or(0, |at| at + 1)..dollar;
            places.extend(is_name(literal, &name).then_some(name));
        }
        rest = end;
    }
    places
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word(text: &str, start: usize, end: usize) -> std::ops::Range<usize> {
    let length = text[start..end].find(|c| !is_part(c));
    start..length.map_or(end, |n| start + n)
}

fn is_name(text: &str, at: &std::ops::Range<usize>) -> bool {
    let name = &text[at.clone()];
    syn::parse_str::<syn::Ident>(name).is_ok()
}

/// The names in a literal.
pub fn names(literal: &str) -> Vec<&str> {
    places(literal).into_iter().map(|at| &literal[at]).collect()
}

/// The literal with new names, if any is new.
pub fn renamed(literal: &str, new: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let (mut out, mut done, mut changed) = (String::new(), 0, false);
    for at in places(literal) {
        let name = &literal[at.clone()];
        if let Some(new) = new(name) {
            out += &literal[done..at.start];
            out += &new;
            (done, changed) = (at.end, true);
        }
    }
    out += &literal[done..];
    changed.then_some(out)
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_found_and_renamed() {
        let text = r#""{x} {{y}} {0} {z:>w$.p$} {} {:?} {x:?}""#;
        assert_eq!(super::names(text), ["x", "z", "w", "p", "x"]);
        let new = |n: &str| (n == "x" || n == "w").then(|| format!("{n}_1"));
        let renamed = super::renamed(text, &new);
        let wanted = r#""{x_1} {{y}} {0} {z:>w_1$.p$} {} {:?} {x_1:?}""#;
        assert_eq!(renamed.as_deref(), Some(wanted));
        assert_eq!(super::names("2.5"), [""; 0]);
    }
}
