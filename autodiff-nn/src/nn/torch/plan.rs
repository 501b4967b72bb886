//! The tensors of a module under PyTorch's names.

use super::error::FormError;
use super::pattern::Rule;
use autodiff_core::device::{Backend, Float};
use autodiff_core::nn::{Kind, Module, Path, TorchForm, TorchLayout, TorchNames, Visitor};
use autodiff_core::tensor::raw::Raw;
use std::collections::{BTreeMap, BTreeSet};

/// A parameter or a buffer, and where a file has it.
pub(super) struct Target {
    /// Its name in the module.
    pub path: String,
    pub kind: Kind,
    /// In the order of preference.
    pub sources: Vec<Source>,
}

/// Tensors of a file that make a parameter.
pub(super) struct Source {
    /// One name, or those of the terms of a sum.
    pub terms: Vec<String>,
    /// The sizes of each of the terms, whole.
    pub dims: Vec<usize>,
    /// The part that the parameter is.
    pub part: Option<(usize, usize)>,
    /// Rows and columns of the parameter as a matrix, if the file has the transposed one.
    pub transposed: Option<(usize, usize)>,
}

/// All tensors of a module.
pub(super) struct Plan {
    pub targets: Vec<Target>,
    /// Integers that PyTorch has beside them.
    pub counters: BTreeSet<String>,
}

impl Plan {
    pub(super) fn of<M: Module + ?Sized>(module: &M) -> Result<Self, FormError> {
        let mut walk = Walk::default();
        module.visit(&mut Path::default(), &mut walk);
        module.visit_buffers(false, &mut Path::default(), &mut walk);
        walk.finish()
    }
}

#[derive(Default)]
struct Walk {
    kinds: Vec<(String, Kind)>,
    forms: BTreeMap<String, &'static TorchForm>,
}

impl Visitor for Walk {
    fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &Raw<T, D>) {
        self.kinds.push((name.to_string(), Kind::of(value)));
    }
    fn torch(&mut self, name: &Path, form: &'static TorchForm) {
        self.forms.insert(name.to_string(), form);
    }
}

/// The parts of a name without the last one, with its dot.
fn parent(path: &str) -> &str {
    path.rfind('.').map_or("", |dot| &path[..=dot])
}

/// The places of the module around a tensor, from itself to the outermost.
fn around(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |p| parent(p).strip_suffix('.'))
}

impl Walk {
    fn finish(self) -> Result<Plan, FormError> {
        let renames = self.rules()?;
        let outer = |path: &str, name: String| self.outside(path, name, &renames);
        let mut counters = BTreeSet::new();
        let mut targets = Vec::new();
        // A fused tensor has several parameters, each at its place.
        let mut taken: BTreeMap<(String, Option<usize>), &str> = BTreeMap::new();
        for (path, kind) in &self.kinds {
            self.check_place(path)?;
            let own = self.forms.get(path).copied();
            let form = own.unwrap_or(const { &TorchForm::new() });
            let beside = |name: &str| format!("{}{name}", parent(path));
            let names: Vec<String> = match form.names {
                TorchNames::Own => vec![path.clone()],
                TorchNames::One(name) => vec![beside(name)],
                TorchNames::Sum(a, b) => vec![beside(a), beside(b)],
                TorchNames::Flat => {
                    return Err(FormError::new(
                        path,
                        "a tensor cannot be `flat`: it needs a name, `named(\"..\")`",
                    ));
                }
                _ => return Err(FormError::new(path, "these names are not known here")),
            };
            let (dims, transposed) = arranged(path, &kind.dims, form.layout)?;
            let mut whole = dims.clone();
            if let Some((_, count)) = form.part {
                let first = whole.first_mut();
                *first.ok_or_else(|| FormError::new(path, "a number has no parts"))? *= count;
            }
            let mut sources = vec![Source {
                terms: names.into_iter().map(|n| outer(path, n)).collect(),
                dims: whole,
                part: form.part,
                transposed,
            }];
            if let Some(name) = form.alone {
                sources.push(Source {
                    terms: vec![outer(path, beside(name))],
                    dims,
                    part: None,
                    transposed,
                });
            }
            for name in &sources[0].terms {
                let place = (name.clone(), form.part.map(|p| p.0));
                if let Some(first) = taken.insert(place, path) {
                    let both = format!("`{first}` has the name `{name}` in PyTorch as well");
                    return Err(FormError::new(path, both));
                }
            }
            if let Some(name) = form.beside {
                counters.insert(outer(path, beside(name)));
            }
            targets.push(Target {
                path: path.clone(),
                kind: kind.clone(),
                sources,
            });
        }
        Ok(Plan { targets, counters })
    }

    /// The patterns of all forms, read.
    fn rules(&self) -> Result<BTreeMap<&str, Vec<Rule>>, FormError> {
        let read = |(path, form): (&'_ String, &&'static TorchForm)| {
            let rules = form.renames.iter().map(|(a, b)| Rule::parse(a, b));
            rules
                .collect::<Result<Vec<_>, _>>()
                .map_err(|reason| FormError::new(path, reason))
        };
        self.forms
            .iter()
            .map(|(path, form)| Ok((path.as_str(), read((path, form))?)))
            .collect()
    }

    /// A name as the modules around it call it.
    fn outside(&self, path: &str, mut name: String, renames: &BTreeMap<&str, Vec<Rule>>) -> String {
        for place in around(path) {
            let Some(form) = self.forms.get(place) else {
                continue;
            };
            let struct_ = parent(place);
            // At the tensor itself the name is there already.
            if place != path {
                let tail = &name[place.len()..];
                match form.names {
                    TorchNames::One(new) => name = format!("{struct_}{new}{tail}"),
                    TorchNames::Flat => name = format!("{struct_}{}", tail.trim_start_matches('.')),
                    _ => {}
                }
            }
            let inside = &name[struct_.len()..];
            if let Some(new) = renames[place].iter().find_map(|r| r.apply(inside)) {
                name = format!("{struct_}{new}");
            }
        }
        name
    }

    /// Whether what the forms around a tensor say can be said of a layer.
    fn check_place(&self, path: &str) -> Result<(), FormError> {
        for place in around(path).skip(1) {
            let Some(form) = self.forms.get(place) else {
                continue;
            };
            let plain = matches!(
                form.names,
                TorchNames::Own | TorchNames::One(_) | TorchNames::Flat
            ) && form.layout == TorchLayout::Same
                && form.part.is_none()
                && form.alone.is_none();
            if !plain {
                let reason = format!(
                    "`sum`, `merged`, `transposed`, `part` and `or` are for tensors, and this holds `{path}`: move them to the field of the tensor"
                );
                return Err(FormError::new(place, reason));
            }
        }
        Ok(())
    }
}

/// The sizes that PyTorch has, and the matrix that is transposed.
#[allow(clippy::type_complexity)]
fn arranged(
    path: &str,
    dims: &[usize],
    layout: TorchLayout,
) -> Result<(Vec<usize>, Option<(usize, usize)>), FormError> {
    let cut = |axes: usize| {
        dims.split_at_checked(axes).ok_or_else(|| {
            let reason = format!("the form speaks of {axes} axes, but the tensor is {dims:?}");
            FormError::new(path, reason)
        })
    };
    Ok(match layout {
        TorchLayout::Same => (dims.to_vec(), None),
        TorchLayout::Merged(axes) => {
            let (first, rest) = cut(axes)?;
            let first = first.iter().product();
            ([&[first], rest].concat(), None)
        }
        TorchLayout::Transposed(axes) => {
            let (rows, columns) = cut(axes)?;
            let (rows, columns) = (rows.iter().product(), columns.iter().product());
            (vec![columns, rows], Some((rows, columns)))
        }
        _ => return Err(FormError::new(path, "this layout is not known here")),
    })
}
