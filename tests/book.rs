//! The pages: every chapter is in the book's list of contents and in the documentation of the crate, and every link
//! leads to a file and a heading that exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const CHAPTERS: &str = "docs/book/src";

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The pages in a folder and the folders below it.
fn pages_in(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            pages_in(&path, out);
        } else if path.extension().is_some_and(|e| e == "md") {
            out.push(path);
        }
    }
}

/// The files of the chapters, from the folder of the book.
fn chapters() -> BTreeSet<String> {
    let mut files = Vec::new();
    pages_in(Path::new(CHAPTERS), &mut files);
    let name = |f: PathBuf| {
        f.strip_prefix(CHAPTERS)
            .expect("below")
            .to_string_lossy()
            .into_owned()
    };
    files
        .into_iter()
        .map(name)
        .filter(|f| f != "SUMMARY.md")
        .collect()
}

/// The lines of a page that are text: no code, no comment.
fn text(page: &str) -> Vec<&str> {
    let mut code = false;
    let mut out = Vec::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
        } else if !code {
            out.push(line);
        }
    }
    out
}

/// A line without what stands between backquotes.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("``")
}

/// Where the links of a page lead: `[text](target)`, and the definitions `[name]: target`.
fn targets(page: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in text(page).into_iter().map(without_code) {
        if let Some((_, target)) = line.strip_prefix('[').and_then(|l| l.split_once("]: ")) {
            out.push(target.trim().to_owned());
        }
        for part in line.split("](").skip(1) {
            out.extend(part.split_once(')').map(|(target, _)| target.to_owned()));
        }
    }
    out
}

/// The names that links of a page use, `[text][name]`, and those that it defines.
fn names(page: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut used, mut defined) = (BTreeSet::new(), BTreeSet::new());
    for line in text(page).into_iter().map(without_code) {
        if let Some((name, _)) = line.strip_prefix('[').and_then(|l| l.split_once("]: ")) {
            defined.insert(name.to_owned());
        }
        for part in line.split("][").skip(1) {
            used.extend(part.split_once(']').map(|(name, _)| name.to_owned()));
        }
    }
    (used, defined)
}

/// What a heading is called in links.
fn anchor(heading: &str) -> String {
    let kept = |c: char| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        c if c.is_alphanumeric() => Some(c),
        _ => None,
    };
    heading.to_lowercase().chars().filter_map(kept).collect()
}

#[test]
fn every_chapter_is_listed() {
    let found = chapters();
    let summary = read(&Path::new(CHAPTERS).join("SUMMARY.md"));
    assert_eq!(
        found,
        targets(&summary).into_iter().collect(),
        "docs/book/src/SUMMARY.md"
    );
    let library = read(Path::new("src/lib.rs"));
    let listed = library.lines().filter_map(|l| l.trim().strip_suffix("\","));
    let listed = listed.filter_map(|l| l.split_once(": \"").map(|(_, file)| file.to_owned()));
    assert_eq!(found, listed.collect(), "`book!` in src/lib.rs");
}

#[test]
fn every_link_leads_somewhere() {
    let mut pages: Vec<PathBuf> = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "BENCHMARKS.md",
        "examples/README.md",
    ]
    .iter()
    .map(PathBuf::from)
    .collect();
    pages_in(Path::new("docs"), &mut pages);
    let (mut links, mut wrong) = (0, Vec::new());
    for page in &pages {
        let source = read(page);
        for target in targets(&source).into_iter().filter(|t| !t.contains("://")) {
            links += 1;
            let (file, heading) = target.split_once('#').unwrap_or((&target, ""));
            let path = match file {
                "" => page.clone(),
                file => page.parent().expect("a folder").join(file),
            };
            let found = path.exists()
                && (heading.is_empty()
                    || text(&read(&path)).iter().any(|l| {
                        l.starts_with('#') && anchor(l.trim_start_matches('#').trim()) == heading
                    }));
            if !found {
                wrong.push(format!("{}: {target}", page.display()));
            }
        }
        let (used, defined) = names(&source);
        wrong.extend(
            used.difference(&defined)
                .map(|n| format!("{}: [{n}] is not defined", page.display())),
        );
        wrong.extend(
            defined
                .difference(&used)
                .map(|n| format!("{}: [{n}] is not used", page.display())),
        );
    }
    assert!(links > 50, "{links} links found");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The links of the crate's documentation have the names that those of the pages have.
#[test]
fn links_are_known_to_the_documentation() {
    let known = names(&read(Path::new("src/links.md"))).1;
    let mut pages = vec![PathBuf::from("README.md")];
    pages_in(Path::new(CHAPTERS), &mut pages);
    for page in pages {
        let unknown: Vec<_> = names(&read(&page)).1.difference(&known).cloned().collect();
        assert!(
            unknown.is_empty(),
            "{}: {unknown:?} not in src/links.md",
            page.display()
        );
    }
}

/// What a reader copies from the page is what was checked.
#[test]
fn job_files_are_in_their_page() {
    let page = read(&Path::new(CHAPTERS).join("cluster.md"));
    for name in ["slurm.sbatch", "kubernetes.yaml"] {
        let file = read(&Path::new(CHAPTERS).join("jobs").join(name));
        assert!(page.contains(&format!("\n{file}```\n")), "{name}");
    }
}

#[test]
fn the_readme_is_short() {
    let lines = read(Path::new("README.md")).lines().count();
    assert!(
        lines <= 150,
        "README.md has {lines} lines; details belong to the book"
    );
}
