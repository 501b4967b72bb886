//! Which tensors of a file make which parameter, and all that does not fit.

use super::error::ImportError;
use super::file::Files;
use super::import::Names;
use super::mismatch::{Mismatch, Missing, Unused, WrongShape};
use super::numbers;
use super::plan::{Plan, Source, Target};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Where each parameter comes from.
pub(super) struct Chosen<'p> {
    pub sources: Vec<(&'p Target, &'p Source)>,
    pub kept: Vec<String>,
    pub skipped: Vec<String>,
}

impl<'p> Chosen<'p> {
    /// With `partial` parameters may be missing.
    pub(super) fn of(
        partial: bool,
        path: &Path,
        plan: &'p Plan,
        files: &Files,
        names: &Names<'_>,
    ) -> Result<Self, ImportError> {
        let mut chosen = Chosen {
            sources: Vec::new(),
            kept: Vec::new(),
            skipped: names.ignored.clone(),
        };
        let mut wrong = Mismatch {
            path: path.into(),
            clashes: names.clashes.clone(),
            ..Mismatch::default()
        };
        let has = |name: &String| names.given.contains_key(name);
        let mut used: BTreeSet<&String> = BTreeSet::new();
        for target in &plan.targets {
            let complete = target.sources.iter().find(|s| s.terms.iter().all(has));
            // One term of a sum alone is not left as it is.
            let begun = target.sources.iter().any(|s| s.terms.iter().any(has));
            match complete {
                Some(source) => {
                    used.extend(&source.terms);
                    for term in &source.terms {
                        compare(term, target, source, names, &mut wrong);
                    }
                    chosen.sources.push((target, source));
                }
                None if partial && !begun => chosen.kept.push(target.path.clone()),
                None => {
                    used.extend(target.sources[0].terms.iter().filter(|t| has(t)));
                    lack(target, &has, &mut wrong.missing);
                }
            }
        }
        for (name, given) in names.given.iter().filter(|(n, _)| !used.contains(n)) {
            if plan.counters.contains(name) {
                chosen.skipped.push(given.name.to_string());
                continue;
            }
            wrong.unused.push(Unused {
                name: given.name.to_string(),
                renamed: name.clone(),
                dtype: numbers::name(given.entry.dtype),
                dims: given.entry.dims.clone(),
                nearest: Vec::new(),
            });
        }
        debug_assert!(chosen.skipped.iter().all(|n| files.tensors.contains_key(n)));
        chosen.skipped.sort();
        if wrong.is_empty() {
            return Ok(chosen);
        }
        let all = plan.targets.iter().map(|t| &t.sources[0]);
        let all = all.flat_map(|s| s.terms.iter().map(|t| (t.as_str(), &s.dims[..])));
        // The parts of one tensor have its name.
        let all: BTreeMap<&str, &[usize]> = all.collect();
        wrong.advise(&all.into_iter().collect::<Vec<_>>());
        Err(Box::new(wrong).into())
    }
}

/// Whether a tensor of the file has the sizes and a type for its parameter.
fn compare(
    term: &String,
    target: &Target,
    source: &Source,
    names: &Names<'_>,
    wrong: &mut Mismatch,
) {
    let given = &names.given[term];
    let name = given.name.to_string();
    if !numbers::is_readable(given.entry.dtype) {
        let pair = (name, numbers::name(given.entry.dtype));
        if !wrong.types.contains(&pair) {
            wrong.types.push(pair);
        }
    } else if given.dims() != source.dims && wrong.shapes.iter().all(|s| s.name != name) {
        let mut expected = source.dims.clone();
        if given.flipped {
            expected.reverse();
        }
        wrong.shapes.push(WrongShape {
            name,
            found: given.entry.dims.clone(),
            expected,
            parameter: target.path.clone(),
        });
    }
}

/// Notes what the file does not have of a parameter; the parts of one tensor are noted once.
fn lack(target: &Target, has: &dyn Fn(&String) -> bool, missing: &mut Vec<Missing>) {
    let (first, others) = target.sources.split_first().expect("a source");
    let instead = others.iter().flat_map(|s| s.terms.iter().cloned());
    for name in first.terms.iter().filter(|t| !has(t)) {
        match missing.iter_mut().find(|m| m.name == *name) {
            Some(known) => known.instead.extend(instead.clone()),
            None => missing.push(Missing {
                name: name.clone(),
                dims: first.dims.clone(),
                instead: instead.clone().collect(),
                nearest: Vec::new(),
            }),
        }
    }
}
