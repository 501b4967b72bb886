//! Patterns of parameter names.

use crate::nn::edit_distance;

/// A pattern of parameter names, which are fields joined by dots.
///
/// `*` stands for one component, or inside of a component for any part of it; `**` stands for any number of components,
/// also none.
#[derive(Clone, Debug)]
pub(super) struct Pattern(String);

impl Pattern {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Pattern(text.into())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn matches(&self, name: &str) -> bool {
        let pattern: Vec<&str> = self.0.split('.').collect();
        let name: Vec<&str> = name.split('.').collect();
        components(&pattern, &name)
    }

    /// Up to three of the names, those that differ from the pattern in the fewest characters first.
    pub(super) fn nearest<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<String> {
        let mut names: Vec<(usize, &str)> = names.map(|n| (self.distance(n), n)).collect();
        names.sort();
        names.iter().take(3).map(|(_, n)| n.to_string()).collect()
    }

    /// The characters that have to be added, removed or replaced before the pattern matches.
    fn distance(&self, name: &str) -> usize {
        edit_distance(&self.0, name, |p| p == '*')
    }
}

fn components(pattern: &[&str], name: &[&str]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => (0..=name.len()).any(|taken| components(rest, &name[taken..])),
        (Some((p, ps)), Some((n, ns))) => wild(p.as_bytes(), n.as_bytes()) && components(ps, ns),
        _ => false,
    }
}

/// Whether a component matches, where `*` is any text.
fn wild(pattern: &[u8], text: &[u8]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some((b'*', rest)) => (0..=text.len()).any(|taken| wild(rest, &text[taken..])),
        Some((p, rest)) => text
            .split_first()
            .is_some_and(|(t, ts)| p == t && wild(rest, ts)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_components_and_for_parts_of_them() {
        for (pattern, name, expected) in [
            ("out.weight", "out.weight", true),
            ("out.weight", "out.weights", false),
            ("*.bias", "out.bias", true),
            ("*.bias", "a.out.bias", false),
            ("*.bias", "bias", false),
            ("**.bias", "bias", true),
            ("**.bias", "a.b.bias", true),
            ("a.**", "a", true),
            ("a.**", "a.b.c", true),
            ("a.**", "ab.c", false),
            ("a.**.z", "a.z", true),
            ("a.**.z", "a.b.c.z", true),
            ("**.norm*.*", "blocks.3.norm1.scale", true),
            ("**.norm*.*", "norm.scale", true),
            ("**.norm*.*", "blocks.norm1", false),
            ("**.*norm.*", "final_norm.shift", true),
            ("**", "", true),
            ("", "", true),
            ("*", "a", true),
            ("a*c*e", "abcde", true),
            ("a*c*e", "abde", false),
        ] {
            assert_eq!(
                Pattern::new(pattern).matches(name),
                expected,
                "{pattern} {name}"
            );
        }
    }

    #[test]
    fn the_nearest_names_differ_in_the_fewest_characters() {
        let names = ["hidden.weight", "hidden.bias", "out.weight", "out.bias"];
        let nearest = |p| Pattern::new(p).nearest(names.into_iter());
        assert_eq!(nearest("hiden.bias")[0], "hidden.bias");
        assert_eq!(nearest("**.wieght")[0], "hidden.weight");
        assert_eq!(Pattern::new("**.bais").distance("hidden.bias"), 2);
        assert_eq!(Pattern::new("out.*").distance("out.bias"), 0);
        assert_eq!(Pattern::new("kitten").distance("sitting"), 3);
    }
}
