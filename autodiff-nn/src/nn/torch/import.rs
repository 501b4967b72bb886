//! Weights of a file into a module.

use super::error::ImportError;
use super::file::{Entry, Files};
use super::mismatch::{Mismatch, Missing, Unused, WrongShape};
use super::numbers;
use super::pattern::{Pattern, Reason, Rule};
use super::plan::{Plan, Source, Target};
use super::report::Report;
use autodiff_core::nn::{HostData, HostTensor, Module, load_state, state};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// How the names of a file become those of a module.
///
/// A pattern is a name with placeholders: `{name}` stands for text without dots, `{name..}` for any text. In the
/// replacement `{i+1}` and `{i-1}` count on from a number. `*` and `**` are placeholders without a name, for what is not
/// replaced.
///
/// ```no_run
/// use differentiable::prelude::*;
/// use differentiable::nn::{EncoderLayer, torch::Import};
///
/// #[module(depth: usize)]
/// struct Body {
///     #[init(repeat(depth, EncoderLayer::new(seeds, 0.1)))]
///     layers: Vec<EncoderLayer<768, 12, 64, 3072>>,
/// }
/// # fn main() -> Result<(), differentiable::nn::torch::ImportError> {
/// let mut net = Body::new(&mut Seeds::new(0), 12);
/// let report = Import::new()
///     .rename("bert.encoder.layer.{rest..}", "layers.{rest}")
///     .rename("layers.{i}.attention.self.query.{p}", "layers.{i}.self_attn.q_proj.{p}")
///     .rename("layers.{i}.attention.self.key.{p}", "layers.{i}.self_attn.k_proj.{p}")
///     .rename("layers.{i}.attention.self.value.{p}", "layers.{i}.self_attn.v_proj.{p}")
///     .rename("layers.{i}.attention.output.dense.{p}", "layers.{i}.self_attn.out_proj.{p}")
///     .rename("layers.{i}.attention.output.LayerNorm.{p}", "layers.{i}.norm1.{p}")
///     .rename("layers.{i}.intermediate.dense.{p}", "layers.{i}.linear1.{p}")
///     .rename("layers.{i}.output.dense.{p}", "layers.{i}.linear2.{p}")
///     .rename("layers.{i}.output.LayerNorm.{p}", "layers.{i}.norm2.{p}")
///     .ignore("bert.embeddings.**")
///     .ignore("bert.pooler.**")
///     .ignore("cls.**")
///     .load(&mut net, "bert-base")?; // a directory
/// println!("{report}");
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Import {
    renames: Vec<(String, Result<Rule, Reason>)>,
    ignored: Vec<(String, Result<Pattern, Reason>)>,
    transposed: Vec<(String, Result<Pattern, Reason>)>,
    partial: bool,
}

impl Import {
    /// Names as they are.
    pub fn new() -> Self {
        Self::default()
    }

    /// Names of the file that fit the first pattern become what the second says. Each pattern works on what those before
    /// it left. One that fits no name is an error at [`load`](Self::load).
    pub fn rename(mut self, theirs: &str, ours: &str) -> Self {
        self.renames
            .push((theirs.to_string(), Rule::parse(theirs, ours)));
        self
    }

    /// Leaves out the tensors of the file whose names, as the file has them, fit.
    pub fn ignore(mut self, theirs: &str) -> Self {
        self.ignored
            .push((theirs.to_string(), Pattern::parse(theirs)));
        self
    }

    /// The matrices of the file whose names, as the file has them, fit are stored as `[inputs, outputs]`, and not as
    /// PyTorch's `nn.Linear` has them: the `Conv1D` of GPT-2, kernels of JAX and TensorFlow. One that fits no name is an
    /// error at [`load`](Self::load).
    pub fn transpose(mut self, theirs: &str) -> Self {
        self.transposed
            .push((theirs.to_string(), Pattern::parse(theirs)));
        self
    }

    /// Parameters that the file does not have stay as they are: a new head on a trained body.
    pub fn partial(mut self) -> Self {
        self.partial = true;
        self
    }

    /// Sets the parameters and buffers of a module from a safetensors file, from the shards of an index
    /// (`model.safetensors.index.json`), or from what a directory has of these.
    ///
    /// Numbers of other types are converted: half precision exactly, `f64` rounded to the nearest `f32`, and whole
    /// numbers if the parameter's type has them.
    ///
    /// # Errors
    /// If the tensors of the file are not those of the module, in one [`Mismatch`] with all names and shapes; if a file
    /// cannot be read, is truncated, or missing beside its index; if a pattern is none, or fits nothing. The module is
    /// unchanged then.
    pub fn load<M: Module + ?Sized>(
        &self,
        module: &mut M,
        path: impl AsRef<Path>,
    ) -> Result<Report, ImportError> {
        let path = path.as_ref();
        self.check()?;
        let plan = Plan::of(module)?;
        let files = Files::open(path)?;
        let names = self.names(&files)?;
        let chosen = Chosen::of(self, path, &plan, &files, &names)?;
        let mut state = state(module);
        for (target, source) in &chosen.sources {
            state.insert(
                target.path.clone(),
                assemble(target, source, &files, &names)?,
            );
        }
        load_state(module, &state).expect("the names and sizes are those of the module");
        let loaded = chosen.sources.iter().map(|(t, _)| t.path.clone());
        Ok(Report {
            loaded: loaded.collect(),
            kept: chosen.kept,
            skipped: chosen.skipped,
        })
    }

    /// Whether all patterns are patterns.
    fn check(&self) -> Result<(), ImportError> {
        let renames = self.renames.iter().map(|(p, r)| (p, r.as_ref().err()));
        let others = self.ignored.iter().chain(&self.transposed);
        let others = others.map(|(p, r)| (p, r.as_ref().err()));
        match renames.chain(others).find_map(|(p, e)| Some((p, e?))) {
            Some((pattern, reason)) => Err(pattern_error(pattern, reason)),
            None => Ok(()),
        }
    }

    /// The tensors of the file by their new names.
    fn names<'f>(&self, files: &'f Files) -> Result<Names<'f>, ImportError> {
        let mut names = Names::default();
        let mut used = vec![false; self.renames.len()];
        let mut turned = vec![false; self.transposed.len()];
        for (name, entry) in &files.tensors {
            if self.ignored.iter().any(|(_, p)| fits(p, name)) {
                names.ignored.push(name.clone());
                continue;
            }
            let mut new = name.clone();
            for ((_, rule), used) in self.renames.iter().zip(&mut used) {
                if let Some(renamed) = rule.as_ref().ok().and_then(|r| r.apply(&new)) {
                    (new, *used) = (renamed, true);
                }
            }
            let mut flipped = false;
            for ((pattern, p), turned) in self.transposed.iter().zip(&mut turned) {
                if fits(p, name) {
                    if entry.dims.len() != 2 {
                        let reason = format!("`{name}` {:?} is no matrix", entry.dims);
                        return Err(pattern_error(pattern, &reason));
                    }
                    (flipped, *turned) = (true, true);
                }
            }
            let given = Given {
                name,
                entry,
                flipped,
            };
            if let Some(other) = names.given.get(&new) {
                let both = [other.name.to_string(), name.clone()];
                names.clashes.push((new, both));
            } else {
                names.given.insert(new, given);
            }
        }
        let renames = self.renames.iter().map(|(p, _)| p).zip(used);
        let transposed = self.transposed.iter().map(|(p, _)| p).zip(turned);
        match renames.chain(transposed).find(|(_, used)| !used) {
            Some((pattern, _)) => Err(pattern_error(pattern, "it fits no tensor of the file")),
            None => Ok(names),
        }
    }
}

fn fits(pattern: &Result<Pattern, Reason>, name: &str) -> bool {
    pattern.as_ref().is_ok_and(|p| p.matches(name))
}

fn pattern_error(pattern: &str, reason: &str) -> ImportError {
    ImportError::Pattern {
        pattern: pattern.to_string(),
        reason: reason.to_string(),
    }
}

/// A tensor of the file.
struct Given<'f> {
    name: &'f str,
    entry: &'f Entry,
    /// Whether the matrix is stored the other way round.
    flipped: bool,
}

impl Given<'_> {
    /// The sizes that PyTorch would have.
    fn dims(&self) -> Vec<usize> {
        let mut dims = self.entry.dims.clone();
        if self.flipped {
            dims.reverse();
        }
        dims
    }
}

/// The tensors of the file by the names that renaming gives them.
#[derive(Default)]
struct Names<'f> {
    given: BTreeMap<String, Given<'f>>,
    ignored: Vec<String>,
    clashes: Vec<(String, [String; 2])>,
}

/// Where each parameter comes from.
struct Chosen<'p> {
    sources: Vec<(&'p Target, &'p Source)>,
    kept: Vec<String>,
    skipped: Vec<String>,
}

impl<'p> Chosen<'p> {
    fn of(
        options: &Import,
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
                None if options.partial && !begun => chosen.kept.push(target.path.clone()),
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

/// The numbers of a parameter, in its order and its type.
fn assemble(
    target: &Target,
    source: &Source,
    files: &Files,
    names: &Names<'_>,
) -> Result<HostTensor, ImportError> {
    let count: usize = target.kind.dims.iter().product();
    let mut sum: Option<Vec<f64>> = None;
    let mut whole = true;
    for term in &source.terms {
        let given = &names.given[term];
        whole &= numbers::is_whole(given.entry.dtype);
        let from = source.part.map_or(0, |(k, _)| k * count);
        let mut x = match given.flipped {
            false => files.read(given.name, from..from + count)?,
            true => {
                let all = files.read(given.name, 0..source.dims.iter().product())?;
                let all = turned(&all, source.dims[1], source.dims[0]);
                all[from..from + count].to_vec()
            }
        };
        if let Some((rows, columns)) = source.transposed {
            x = turned(&x, columns, rows);
        }
        sum = Some(match sum {
            None => x,
            Some(sum) => sum.iter().zip(&x).map(|(&a, &b)| added(a, b)).collect(),
        });
    }
    let numbers = sum.expect("a source has a term");
    let data = match target.kind.dtype {
        "f64" => HostData::F64(numbers),
        "f32" => {
            let narrow = numbers::narrowed(&numbers, whole);
            HostData::F32(narrow.map_err(|at| ImportError::Number {
                name: names.given[&source.terms[0]].name.to_string(),
                found: format!("{}", numbers[at]),
                ty: "f32",
            })?)
        }
        other => unreachable!("parameters are f32 or f64, not {other}"),
    };
    Ok(HostTensor::new(target.kind.dims.clone(), data).expect("the sizes were compared"))
}

/// The sum; what zero is added to keeps its sign.
fn added(a: f64, b: f64) -> f64 {
    match b == 0.0 {
        true => a,
        false => a + b,
    }
}

/// The transpose of a matrix of so many rows and columns.
pub(super) fn turned<T: Copy>(x: &[T], rows: usize, columns: usize) -> Vec<T> {
    let column = |c: usize| (0..rows).map(move |r| x[r * columns + c]);
    (0..columns).flat_map(column).collect()
}
