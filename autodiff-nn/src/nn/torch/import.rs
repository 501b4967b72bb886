//! Weights of a file into a module.

use super::assemble::assemble;
use super::choose::Chosen;
use super::error::ImportError;
use super::file::{Entry, Files};
use super::pattern::{Pattern, Reason, Rule};
use super::plan::Plan;
use super::report::Report;
use autodiff_core::nn::{Module, load_state, state};
use std::collections::BTreeMap;
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
    /// If the tensors of the file are not those of the module, in one [`Mismatch`](super::Mismatch) with all names and shapes; if a file
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
        let chosen = Chosen::of(self.partial, path, &plan, &files, &names)?;
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
pub(super) struct Given<'f> {
    pub name: &'f str,
    pub entry: &'f Entry,
    /// Whether the matrix is stored the other way round.
    pub flipped: bool,
}

impl Given<'_> {
    /// The sizes that PyTorch would have.
    pub(super) fn dims(&self) -> Vec<usize> {
        let mut dims = self.entry.dims.clone();
        if self.flipped {
            dims.reverse();
        }
        dims
    }
}

/// The tensors of the file by the names that renaming gives them.
#[derive(Default)]
pub(super) struct Names<'f> {
    pub given: BTreeMap<String, Given<'f>>,
    pub ignored: Vec<String>,
    pub clashes: Vec<(String, [String; 2])>,
}
