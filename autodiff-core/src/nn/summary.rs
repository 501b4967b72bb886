//! A table of a module: its layers, their parameters and buffers.

use super::{Module, Path, Visitor};
use crate::device::{Backend, Float};
use crate::tensor::raw::Raw;
use core::fmt;
use std::collections::BTreeMap;

/// The layers of a module with the shapes and numbers of their parameters; prints as a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The layers in the order of their fields. A layer is what has tensors or numbers of its own.
    pub layers: Vec<SummaryRow>,
    /// The numbers that are trained.
    pub params: usize,
    /// The numbers that are saved and not trained.
    pub buffers: usize,
    /// What parameters and buffers take in memory.
    pub bytes: usize,
}

/// A layer in a [`Summary`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryRow {
    /// The fields that lead to it; nothing for the module itself.
    pub name: String,
    /// Its type, without paths.
    pub ty: String,
    /// Its tensors, each with its sizes.
    pub shapes: Vec<(String, Vec<usize>)>,
    /// The numbers that are trained.
    pub params: usize,
    /// The numbers that are saved and not trained.
    pub buffers: usize,
}

impl Summary {
    pub(super) fn of(module: &impl Module) -> Self {
        let mut walk = Walk::default();
        module.visit(&mut Path::default(), &mut walk);
        walk.is_buffer = true;
        module.visit_buffers(false, &mut Path::default(), &mut walk);
        let sum = |of: fn(&SummaryRow) -> usize| walk.rows.iter().map(of).sum();
        Summary {
            params: sum(|r| r.params),
            buffers: sum(|r| r.buffers),
            bytes: walk.bytes,
            layers: walk.rows,
        }
    }
}

#[derive(Default)]
struct Walk {
    types: BTreeMap<String, String>,
    rows: Vec<SummaryRow>,
    is_buffer: bool,
    bytes: usize,
}

impl Visitor for Walk {
    fn param<T: Float, D: Backend>(&mut self, name: &Path, value: &Raw<T, D>) {
        let (layer, own) = self.owner(name.as_str());
        let at = self.rows.iter().position(|r| r.name == layer);
        let at = at.unwrap_or_else(|| {
            self.rows.push(SummaryRow {
                ty: self.types.get(&layer).cloned().unwrap_or_default(),
                name: layer,
                shapes: Vec::new(),
                params: 0,
                buffers: 0,
            });
            self.rows.len() - 1
        });
        let (row, count) = (&mut self.rows[at], value.dims().numel());
        self.bytes += count * size_of::<T>();
        row.shapes.push((own, value.dims().to_vec()));
        match self.is_buffer {
            true => row.buffers += count,
            false => row.params += count,
        }
    }

    fn module(&mut self, name: &Path, ty: &'static str) {
        self.types.insert(name.to_string(), without_paths(ty));
    }
}

impl Walk {
    /// The innermost module that a parameter belongs to, and the rest of its name.
    fn owner(&self, name: &str) -> (String, String) {
        let mut end = name.len();
        while let Some(dot) = name[..end].rfind('.') {
            if self.types.contains_key(&name[..dot]) {
                return (name[..dot].to_string(), name[dot + 1..].to_string());
            }
            end = dot;
        }
        (String::new(), name.to_string())
    }
}

/// `Linear<8, 4>` for `differentiable::nn::linear::Linear<8, 4, f32, autodiff_core::device::Device>`.
fn without_paths(ty: &str) -> String {
    let mut short = String::new();
    let mut word = String::new();
    for c in ty.chars() {
        match c {
            c if c.is_alphanumeric() || c == '_' => word.push(c),
            ':' => word.clear(),
            c => {
                short.push_str(&word);
                word.clear();
                short.push(c);
            }
        }
    }
    short.push_str(&word);
    // What is said by default.
    for default in [", Device>", ", f32>"] {
        short = short.replace(default, ">");
    }
    short.replace("<f32>", "")
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shapes = |r: &SummaryRow| {
            let each = r
                .shapes
                .iter()
                .map(|(name, dims)| format!("{name} {dims:?}"));
            each.collect::<Vec<_>>().join(", ")
        };
        let title = |r: &SummaryRow| match r.name.is_empty() {
            true => "(itself)".to_string(),
            false => r.name.clone(),
        };
        let mut rows = vec![[
            "layer".to_string(),
            "type".to_string(),
            "shapes".to_string(),
            "parameters".to_string(),
        ]];
        rows.extend(self.layers.iter().map(|r| {
            let count = match r.buffers {
                0 => grouped(r.params),
                b => format!("{} + {} saved", grouped(r.params), grouped(b)),
            };
            [title(r), r.ty.clone(), shapes(r), count]
        }));
        let width = |i: usize| rows.iter().map(|r| r[i].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..4).map(width).collect();
        for (i, row) in rows.iter().enumerate() {
            let [a, b, c, d] = row;
            let [wa, wb, wc, wd] = [widths[0], widths[1], widths[2], widths[3]];
            writeln!(f, "{a:wa$}  {b:wb$}  {c:wc$}  {d:>wd$}")?;
            if i == 0 {
                writeln!(f, "{}", "-".repeat(wa + wb + wc + wd + 6))?;
            }
        }
        write!(f, "{} parameters", grouped(self.params))?;
        if self.buffers > 0 {
            write!(f, ", {} saved and not trained", grouped(self.buffers))?;
        }
        write!(f, ", {}", megabytes(self.bytes))
    }
}

/// `1_234_567`
fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('_');
        }
        out.push(c);
    }
    out
}

fn megabytes(bytes: usize) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_shown_without_paths_and_defaults() {
        for (long, short) in [
            (
                "a::nn::Linear<8, 4, f32, a::device::Device>",
                "Linear<8, 4>",
            ),
            ("a::Net<f32>", "Net"),
            ("a::Net<f64>", "Net<f64>"),
            ("b::Two<a::Net<f32>, 3>", "Two<Net, 3>"),
        ] {
            assert_eq!(without_paths(long), short);
        }
        assert_eq!(grouped(1_234_567), "1_234_567");
        assert_eq!(grouped(12), "12");
    }
}
