//! Patterns of names: `encoder.layer.{i}.{p}`.

/// Why a pattern is none.
pub(super) type Reason = String;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// `{name}`, or `{name..}`, which takes dots too; `*` and `**` are those without a name.
    Hole {
        name: String,
        wide: bool,
    },
}

/// A pattern that names are compared with.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pieces: Vec<Piece>,
    /// The placeholders that take digits only.
    numbers: Vec<String>,
}

/// What replaces a name: text, and placeholders with a number to add.
#[derive(Clone, Debug)]
enum Output {
    Text(String),
    Hole { name: String, add: i64 },
}

/// A pattern and what replaces the names that fit it.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    from: Pattern,
    to: Vec<Output>,
}

/// The text outside braces, and the content of braces.
fn split(pattern: &str) -> Result<Vec<Result<&str, &str>>, Reason> {
    let (mut parts, mut rest) = (Vec::new(), pattern);
    while let Some(open) = rest.find(['{', '}']) {
        let (text, tail) = rest.split_at(open);
        let inside = tail.strip_prefix('{').and_then(|t| t.split_once('}'));
        let (hole, after) = inside.ok_or("a brace without its partner")?;
        parts.extend([Ok(text), Err(hole)]);
        rest = after;
    }
    parts.push(Ok(rest));
    parts.retain(|p| *p != Ok(""));
    Ok(parts)
}

fn is_name(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit())
}

impl Pattern {
    pub(super) fn parse(text: &str) -> Result<Self, Reason> {
        let mut pieces = Vec::new();
        for part in split(text)? {
            match part {
                Err(hole) => {
                    let (name, wide) = match hole.strip_suffix("..") {
                        Some(name) => (name, true),
                        None => (hole, false),
                    };
                    if !is_name(name) {
                        return Err(format!(
                            "`{{{hole}}}` is no placeholder: `{{name}}` stands for text without dots, `{{name..}}` for any text"
                        ));
                    }
                    let same = |p: &Piece| matches!(p, Piece::Hole { name: n, .. } if n == name);
                    if pieces.iter().any(same) {
                        return Err(format!("`{{{name}}}` stands twice"));
                    }
                    let name = name.to_string();
                    pieces.push(Piece::Hole { name, wide });
                }
                Ok(text) => {
                    let mut rest = text;
                    while let Some(star) = rest.find('*') {
                        if star > 0 {
                            pieces.push(Piece::Text(rest[..star].to_string()));
                        }
                        let stars = rest[star..].len() - rest[star..].trim_start_matches('*').len();
                        let (name, wide) = (String::new(), stars > 1);
                        pieces.push(Piece::Hole { name, wide });
                        rest = &rest[star + stars..];
                    }
                    if !rest.is_empty() {
                        pieces.push(Piece::Text(rest.to_string()));
                    }
                }
            }
        }
        let hole = |p: &Piece| matches!(p, Piece::Hole { .. });
        if pieces.windows(2).any(|w| hole(&w[0]) && hole(&w[1])) {
            return Err("two placeholders side by side: where one ends is not clear".to_string());
        }
        match pieces.is_empty() {
            true => Err("it is empty".to_string()),
            false => Ok(Pattern {
                pieces,
                numbers: Vec::new(),
            }),
        }
    }

    /// What the placeholders stand for, if the whole name fits. Each takes as little as it can, the first one first.
    fn bind<'n>(&self, name: &'n str) -> Option<Vec<(&str, &'n str)>> {
        let mut bound = Vec::new();
        self.fit(&self.pieces, name, &mut bound).then_some(bound)
    }

    pub(super) fn matches(&self, name: &str) -> bool {
        self.bind(name).is_some()
    }

    fn fit<'p, 'n>(
        &'p self,
        pieces: &'p [Piece],
        name: &'n str,
        bound: &mut Vec<(&'p str, &'n str)>,
    ) -> bool {
        let Some((first, rest)) = pieces.split_first() else {
            return name.is_empty();
        };
        match first {
            Piece::Text(text) => name
                .strip_prefix(text.as_str())
                .is_some_and(|name| self.fit(rest, name, bound)),
            Piece::Hole { name: hole, wide } => {
                let digits = self.numbers.contains(hole);
                let ends = name.char_indices().map(|(i, _)| i).chain([name.len()]);
                for end in ends {
                    let text = &name[..end];
                    if !wide && text.ends_with('.') {
                        return false;
                    }
                    if digits && (text.is_empty() || text.parse::<u32>().is_err()) {
                        continue;
                    }
                    bound.push((hole, text));
                    if self.fit(rest, &name[end..], bound) {
                        return true;
                    }
                    bound.pop();
                }
                false
            }
        }
    }
}

impl Rule {
    pub(super) fn parse(from: &str, to: &str) -> Result<Self, Reason> {
        let mut from = Pattern::parse(from)?;
        let mut out = Vec::new();
        for part in split(to)? {
            match part {
                Ok(text) if text.contains('*') => {
                    return Err(format!(
                        "`*` in `{to}` has no name: write `{{name}}` on both sides"
                    ));
                }
                Ok(text) => out.push(Output::Text(text.to_string())),
                Err(hole) => {
                    let hole = hole.trim_end_matches("..");
                    let (name, add) = match hole.split_once(['+', '-']) {
                        None => (hole, 0),
                        Some((name, n)) => {
                            let n = n.parse::<i32>().map_err(|_| {
                                format!("`{{{hole}}}` adds no number: write `{{i+1}}`")
                            })?;
                            from.numbers.push(name.to_string());
                            let minus = hole.contains('-');
                            (name, i64::from(if minus { -n } else { n }))
                        }
                    };
                    let known = |p: &Piece| matches!(p, Piece::Hole { name: n, .. } if n == name);
                    if name.is_empty() || !from.pieces.iter().any(known) {
                        return Err(format!(
                            "`{{{hole}}}` in `{to}` has no partner on the other side"
                        ));
                    }
                    let name = name.to_string();
                    out.push(Output::Hole { name, add });
                }
            }
        }
        Ok(Rule { from, to: out })
    }

    /// The new name, if the old one fits.
    pub(super) fn apply(&self, name: &str) -> Option<String> {
        let bound = self.from.bind(name)?;
        let mut new = String::new();
        for piece in &self.to {
            match piece {
                Output::Text(text) => new.push_str(text),
                Output::Hole { name, add } => {
                    let text = bound.iter().find(|(n, _)| n == name)?.1;
                    match add {
                        0 => new.push_str(text),
                        // A number below 0 is no position: the name stays.
                        n => new.push_str(
                            &u64::try_from(text.parse::<i64>().ok()? + n)
                                .ok()?
                                .to_string(),
                        ),
                    }
                }
            }
        }
        Some(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced() {
        for (from, to, name, expected) in [
            ("a.b", "c", "a.b", Some("c")),
            ("a.b", "c", "a.bc", None),
            ("model.{rest..}", "{rest..}", "model.h.0.w", Some("h.0.w")),
            ("model.{rest..}", "{rest}", "model.h.0.w", Some("h.0.w")),
            (
                "h.{i}.{p}",
                "blocks.{i}.x.{p}",
                "h.11.w",
                Some("blocks.11.x.w"),
            ),
            ("h.{i}.{p}", "blocks.{i}.{p}", "h.11.a.w", None),
            (
                "rest.{i}.{p}_l0",
                "{p}_l{i+1}",
                "rest.9.weight_ih_l0",
                Some("weight_ih_l10"),
            ),
            ("rest.{i}.{p}_l0", "{p}_l{i+1}", "rest.x.weight_ih_l0", None),
            ("l{i}.w", "l{i-1}.w", "l0.w", None),
            ("l{i}.w", "l{i-1}.w", "l10.w", Some("l9.w")),
            ("{p}_l0{r}", "a.{p}{r}", "w_l0", Some("a.w")),
            ("{p}_l0{r}", "a.{p}{r}", "w_l0_reverse", Some("a.w_reverse")),
            (
                "{a..}.norm.{p}",
                "{a..}.ln.{p}",
                "x.norm.y.norm.w",
                Some("x.norm.y.ln.w"),
            ),
        ] {
            let found = Rule::parse(from, to).unwrap().apply(name);
            assert_eq!(found.as_deref(), expected, "{from} {to} {name}");
        }
    }

    #[test]
    fn stars_stand_for_text_without_a_name() {
        let fits = |p: &str, name: &str| Pattern::parse(p).unwrap().matches(name);
        assert!(fits("**.attn.bias", "h.0.attn.bias"));
        assert!(!fits("*.attn.bias", "h.0.attn.bias"));
        assert!(fits("h.*.attn.bias", "h.0.attn.bias"));
        assert!(fits("lm_head.weight", "lm_head.weight"));
        assert!(!fits("lm_head", "lm_head.weight"));
    }

    #[test]
    fn what_is_no_pattern_says_why() {
        for (from, to, part) in [
            ("", "a", "empty"),
            ("a{b", "a", "partner"),
            ("a}b", "a", "partner"),
            ("{a}{b}", "a", "side by side"),
            ("{a}.{a}", "a", "twice"),
            ("{a b}", "a", "no placeholder"),
            ("{a}.w", "{b}.w", "no partner"),
            ("{a}.w", "{a+x}.w", "adds no number"),
            ("*.w", "*.v", "has no name"),
        ] {
            let reason = Rule::parse(from, to).unwrap_err();
            assert!(reason.contains(part), "{from} {to}: {reason}");
        }
    }
}
