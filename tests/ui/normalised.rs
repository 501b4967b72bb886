//! What the compiler says, without what differs between machines and moves with the source of the library.

use std::env;
use std::path::Path;

/// The messages up to the compiler's closing remarks. Paths are those of this repository, of crates (`$CARGO`) and of
/// the standard library (`$RUST`). Lines of other files than the program have no numbers, and those of other
/// packages are left out: they are shown where their source is installed.
pub fn normalised(said: &str, program: &Path) -> String {
    let said = plain_paths(said);
    let closing = [
        "error: aborting due to",
        "Some errors have detailed",
        "For more information about",
    ];
    let lines: Vec<&str> = said
        .lines()
        .take_while(|line| !closing.iter().any(|c| line.starts_with(c)))
        .collect();
    let program = program.to_string_lossy();
    let messages: Vec<String> = lines
        .split(|line| line.is_empty())
        .map(|message| one(message, &program))
        .filter(|message| !message.is_empty())
        .collect();
    messages.join("\n")
}

/// Whose lines are shown.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    Program,
    Library,
    OtherPackage,
}

/// A line, taken apart.
enum Line<'a> {
    /// `--> FILE:1:2`, after its indent.
    Place(&'a str),
    /// A line of source, by its number if it has one, or what is drawn below it.
    Shown(&'a str, &'a str),
    /// `...`, in place of lines of source.
    Gap(&'a str),
    /// What belongs to the lines above, and is as far to the right.
    Indented(&'a str),
    /// Anything else.
    Text(&'a str),
}

impl<'a> Line<'a> {
    fn new(line: &'a str, margin: usize) -> Self {
        let trimmed = line.trim_start();
        if trimmed.starts_with("--> ") || trimmed.starts_with("::: ") {
            return Line::Place(trimmed);
        }
        if let Some(rest) = line.strip_prefix("...") {
            return Line::Gap(rest);
        }
        let after = trimmed.trim_start_matches(|c: char| c.is_ascii_digit());
        let number = &trimmed[..trimmed.len() - after.len()];
        let bar = after.trim_start();
        let indent = line.len() - trimmed.len();
        if bar.starts_with('|') && line.len() - bar.len() == margin + 1 {
            return Line::Shown(number, bar);
        }
        match margin > 0 && number.is_empty() && indent > margin {
            true => Line::Indented(&line[margin..]),
            false => Line::Text(line),
        }
    }
}

/// One message.
fn one(lines: &[&str], program: &str) -> String {
    let indent = |line: &&str| line.len() - line.trim_start().len();
    // The margin has the width of the largest number, of all files that are shown.
    let arrow = lines.iter().find(|l| l.trim_start().starts_with("--> "));
    let margin = arrow.map_or(0, indent);
    let (mut source, mut kept) = (Source::Program, Vec::new());
    for line in shortened(lines) {
        let line = Line::new(line, margin);
        match line {
            Line::Place(place) => source = whose(place, program),
            // Advice without a place is about the program.
            Line::Text(text) if text.starts_with("help: ") => source = Source::Program,
            _ => {}
        }
        let hidden = matches!(line, Line::Shown(..) | Line::Gap(_));
        if !(hidden && source == Source::OtherPackage) {
            kept.push((source, line));
        }
    }
    let width = kept.iter().map(|(source, line)| match line {
        Line::Shown(number, _) if *source == Source::Program => number.len(),
        _ => 0,
    });
    let width = width.max().unwrap_or(0).max(1);
    let space = " ".repeat(width);
    let mut text = String::new();
    for (source, line) in kept {
        let line = match line {
            Line::Place(place) if source == Source::Program => format!("{space}{place}"),
            Line::Place(place) => format!("{space}{}", without_position(place)),
            Line::Shown(number, bar) if source == Source::Program => {
                format!("{number:>width$} {bar}")
            }
            Line::Shown(_, bar) => format!("{space} {bar}"),
            Line::Indented(rest) => format!("{space}{rest}"),
            Line::Gap(rest) => format!("... {}", rest.trim_start()),
            Line::Text(line) => line.to_owned(),
        };
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn whose(place: &str, program: &str) -> Source {
    match place {
        _ if place.contains("$RUST/") || place.contains("$CARGO/") => Source::OtherPackage,
        _ if place.contains(program) => Source::Program,
        _ => Source::Library,
    }
}

/// `--> FILE` of `--> FILE:1:2`.
fn without_position(place: &str) -> &str {
    place.trim_end_matches(|c: char| c.is_ascii_digit() || c == ':')
}

/// The first lines of a list of types, as the compiler shows them unless it writes out long types: which types there
/// are changes with the library and its features.
fn shortened<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    const SHOWN: usize = 8;
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut kept: Vec<&str> = Vec::new();
    let mut left = None;
    for line in lines {
        if line.contains("other types implement trait") {
            left = Some((SHOWN, indent(line)));
        } else if let Some((n, margin)) = &mut left {
            match indent(line) > *margin && !line.trim_start().starts_with('=') {
                true if *n == 0 => continue,
                true => *n -= 1,
                false => left = None,
            }
        }
        kept.push(line);
    }
    kept
}

/// Replaces the folders of this machine.
fn plain_paths(said: &str) -> String {
    let said = said.replace(concat!(env!("CARGO_MANIFEST_DIR"), "/"), "");
    let words = said.split_inclusive(' ').map(|word| {
        standard(word)
            .or_else(|| registry(word))
            .unwrap_or_else(|| word.to_owned())
    });
    words.collect()
}

/// `$RUST/core/src/panic.rs` of a path in the standard library.
fn standard(word: &str) -> Option<String> {
    let built = word.starts_with("/rustc/") || word.contains("/lib/rustlib/src/rust/");
    let (_, path) = word.split_once("/library/").filter(|_| built)?;
    Some(format!("$RUST/{path}"))
}

/// `$CARGO/NAME-$VERSION/src/lib.rs` of a path in Cargo's registry.
fn registry(word: &str) -> Option<String> {
    let (_, path) = word.split_once("/registry/src/")?;
    let (_, path) = path.split_once('/')?;
    let (package, path) = path.split_once('/')?;
    let (name, _) = package.rsplit_once('-')?;
    Some(format!("$CARGO/{name}-$VERSION/{path}"))
}
