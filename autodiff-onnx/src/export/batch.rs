//! One model for every batch: the same program is recorded with several batches, and where the models differ the size is
//! computed from that of an input.

use super::OnnxError;
use super::ir::{Attr, From, Id, Ir, Node};
use crate::proto::{Dimension, ElementType, TensorProto};
use core::panic::Location;
use std::collections::HashMap;
use std::sync::Arc;

/// A recording with one batch as a model.
pub struct Sample {
    pub batch: usize,
    pub ir: Ir,
    pub nodes: Vec<Node>,
    pub inputs: Vec<Id>,
    pub outputs: Vec<(Arc<str>, Id)>,
}

/// The name of the batch in sizes.
pub const BATCH: &str = "batch";

/// `a + b·batch`
fn line(batches: [usize; 3], x: [f64; 3]) -> Option<(f64, f64)> {
    let n = batches.map(|n| n as f64);
    let b = (x[1] - x[0]) / (n[1] - n[0]);
    let a = x[0] - b * n[0];
    let near = |y: f64, x: f64| (y - x).abs() <= 1e-6 * x.abs().max(1e-30);
    near(a + b * n[2], x[2]).then_some((a, b))
}

/// The same for sizes, of which `a` and `b` are whole numbers.
fn whole_line(batches: [usize; 3], x: [f64; 3]) -> Option<(f64, f64)> {
    let is_whole = |&(a, b): &(f64, f64)| a.fract() == 0.0 && b.fract() == 0.0;
    line(batches, x).filter(is_whole)
}

/// What differs between the samples.
struct Merge<'s> {
    samples: [&'s Sample; 3],
    /// The model that is made: that of the first sample.
    ir: Ir,
    nodes: Vec<Node>,
    /// The values of the other samples, by those of the first.
    same: HashMap<Id, [Id; 2]>,
    /// The batch as a number, when it is asked for.
    batch: Option<Id>,
    made: HashMap<[Id; 3], Id>,
}

/// Values and nodes, and sizes that depend on the batch.
pub type Merged = (Ir, Vec<Node>, HashMap<Id, Vec<Dimension>>);

/// The model for every batch, with the sizes of its inputs and outputs that depend on it.
pub fn merge(samples: [&Sample; 3]) -> Result<Merged, OnnxError> {
    let first = samples[0];
    let mut merge = Merge {
        samples,
        ir: first.ir.clone(),
        nodes: Vec::new(),
        same: HashMap::new(),
        batch: None,
        made: HashMap::new(),
    };
    let here = first.ir.location;
    for other in &samples[1..] {
        if other.nodes.len() != first.nodes.len() || other.inputs.len() != first.inputs.len() {
            return Err(differs("the number of its operations", here));
        }
        let names =
            |s: &Sample| -> Vec<Arc<str>> { s.outputs.iter().map(|o| o.0.clone()).collect() };
        if names(other) != names(first) {
            return Err(differs("what it gives", here));
        }
    }
    for k in 0..first.inputs.len() {
        merge.pair(samples.map(|s| s.inputs[k]), here)?;
    }
    for k in 0..first.nodes.len() {
        merge.node(k)?;
    }
    let mut dims = HashMap::new();
    for k in 0..first.outputs.len() {
        let ids = samples.map(|s| s.outputs[k].1);
        if merge.value(ids, "", 0, here)? != ids[0] {
            return Err(differs("an output that is a constant", here));
        }
        dims.insert(ids[0], merge.dims(ids, here)?);
    }
    for k in 0..first.inputs.len() {
        let ids = samples.map(|s| s.inputs[k]);
        dims.insert(ids[0], merge.dims(ids, here)?);
    }
    Ok((merge.ir, merge.nodes, dims))
}

fn differs(what: &str, location: &Location<'_>) -> OnnxError {
    OnnxError::Batch {
        what: what.into(),
        location: location.to_string(),
    }
}

impl Merge<'_> {
    fn of(&self, ids: [Id; 3]) -> [&super::ir::Value; 3] {
        [0, 1, 2].map(|s| &self.samples[s].ir.values[ids[s]])
    }

    /// Inputs that are the same one.
    fn pair(&mut self, ids: [Id; 3], location: &Location<'_>) -> Result<(), OnnxError> {
        let [a, b, c] = self.of(ids);
        if a.from != b.from || a.from != c.from || a.element != b.element || a.element != c.element
        {
            return Err(differs("its inputs", location));
        }
        self.same.insert(ids[0], [ids[1], ids[2]]);
        Ok(())
    }

    /// The sizes of a value.
    fn dims(&self, ids: [Id; 3], location: &Location<'_>) -> Result<Vec<Dimension>, OnnxError> {
        let batches = self.samples.map(|s| s.batch);
        let all = self.of(ids).map(|v| &v.dims);
        if all[1].len() != all[0].len() || all[2].len() != all[0].len() {
            return Err(differs("the number of axes of a tensor", location));
        }
        let size = |i: usize| {
            let x = all.map(|d| d[i]);
            if x[0] == x[1] && x[0] == x[2] {
                return Ok(Dimension::Value(x[0] as i64));
            }
            let fit = whole_line(batches, x.map(|n| n as f64));
            let (a, b) = fit.ok_or_else(|| {
                differs(
                    &format!("a size, which is {x:?} for batches of {batches:?}"),
                    location,
                )
            })?;
            Ok(Dimension::Param(match (a, b) {
                (0.0, 1.0) => BATCH.into(),
                (0.0, b) => format!("{b}*{BATCH}"),
                (a, b) => format!("{b}*{BATCH} + {a}"),
            }))
        };
        (0..all[0].len()).map(size).collect()
    }

    fn node(&mut self, k: usize) -> Result<(), OnnxError> {
        let nodes = self.samples.map(|s| &s.nodes[k]);
        let [node, others @ ..] = nodes;
        for other in others {
            let same = node.operator == other.operator
                && node.attributes == other.attributes
                && node.inputs.len() == other.inputs.len()
                && node.outputs.len() == other.outputs.len();
            if !same {
                let what = format!(
                    "a parameter of `{}`, or what is done in its place",
                    node.operator
                );
                return Err(differs(&what, node.location));
            }
        }
        let mut node = node.clone();
        for i in 0..node.inputs.len() {
            match nodes.map(|n| n.inputs[i]) {
                [None, None, None] => {}
                [Some(a), Some(b), Some(c)] => {
                    node.inputs[i] =
                        Some(self.value([a, b, c], node.operator, i, node.location)?);
                }
                _ => {
                    return Err(differs(
                        &format!("an operand of `{}`", node.operator),
                        node.location,
                    ));
                }
            }
        }
        for i in 0..node.outputs.len() {
            if let [Some(a), Some(b), Some(c)] = nodes.map(|n| n.outputs[i]) {
                self.same.insert(a, [b, c]);
            }
        }
        self.nodes.push(node);
        Ok(())
    }

    /// The value that stands for those of the three samples, as operand `place` of an operator.
    fn value(
        &mut self,
        ids: [Id; 3],
        operator: &str,
        place: usize,
        location: &'static Location<'static>,
    ) -> Result<Id, OnnxError> {
        let [a, b, c] = self.of(ids);
        let tensors = match [&a.from, &b.from, &c.from] {
            [From::Constant(a), From::Constant(b), From::Constant(c)] => [a, b, c],
            [
                From::Variable(a, x),
                From::Variable(b, y),
                From::Variable(c, z),
            ] if a == b && a == c => {
                if x == y && x == z {
                    return Ok(ids[0]);
                }
                return Err(differs(&format!("the variable `{a}`"), location));
            }
            _ if self.same.get(&ids[0]) == Some(&[ids[1], ids[2]]) => return Ok(ids[0]),
            _ => return Err(differs(&format!("an operand of `{operator}`"), location)),
        };
        if tensors[0] == tensors[1] && tensors[0] == tensors[2] {
            return Ok(ids[0]);
        }
        let tensors = tensors.map(Arc::clone);
        self.ir.location = location;
        if operator == "Reshape" && place == 1 {
            return self.reshaped(&tensors, location);
        }
        if let Some(&made) = self.made.get(&ids) {
            return Ok(made);
        }
        let made = self.computed(&tensors, operator, location)?;
        self.made.insert(ids, made);
        Ok(made)
    }

    /// Sizes of which one depends on the batch: what is left.
    fn reshaped(
        &mut self,
        tensors: &[Arc<TensorProto>; 3],
        location: &'static Location<'static>,
    ) -> Result<Id, OnnxError> {
        let [a, b, c] = [0, 1, 2].map(|k| tensors[k].to_vec::<i64>());
        let (mut a, b, c) = (a?, b?, c?);
        let open: Vec<usize> = (0..a.len())
            .filter(|&i| b.get(i) != Some(&a[i]) || c.get(i) != Some(&a[i]))
            .collect();
        if let &[one] = &open[..]
            && a.len() == b.len()
            && !a.contains(&0)
        {
            a[one] = -1;
            return Ok(self.ir.sizes(&a));
        }
        self.computed(tensors, "Reshape", location)
    }

    /// Numbers that depend on the batch, as operators.
    fn computed(
        &mut self,
        tensors: &[Arc<TensorProto>; 3],
        operator: &str,
        location: &'static Location<'static>,
    ) -> Result<Id, OnnxError> {
        let element = tensors[0].element_type;
        let sizes: [Vec<f64>; 3] = {
            let [a, b, c] = [0, 1, 2].map(|k| tensors[k].to_vec::<f64>());
            [a?, b?, c?]
        };
        let batches = self.samples.map(|s| s.batch);
        let text = |x: &[f64]| match x {
            [x] => format!("{x}"),
            x => format!("{} numbers", x.len()),
        };
        let wrong = || {
            let [a, b, c] = sizes.each_ref().map(|x| text(x));
            let what = format!(
                "an operand of `{operator}`, which is {a}, {b} and {c} for batches of {batches:?}: expected `a + b·batch` or `a/batch`"
            );
            differs(&what, location)
        };
        let same = tensors[0].dims == tensors[1].dims && tensors[0].dims == tensors[2].dims;
        if !same || tensors[0].dims.len() > 1 || sizes[0].len() > 64 {
            return Err(wrong());
        }
        let rank = tensors[0].dims.len();
        let mut parts = Vec::new();
        for i in 0..sizes[0].len() {
            let x = sizes.each_ref().map(|s| s[i]);
            let (numerator, line_of) = if x[0] == x[1] && x[0] == x[2] {
                (None, Some((x[0], 0.0)))
            } else {
                let n = batches.map(|n| n as f64);
                let c = [0, 1, 2].map(|k| x[k] * n[k]);
                let constant = c.iter().all(|c1| (c1 - c[0]).abs() <= 1e-6 * c[0].abs());
                match element {
                    ElementType::I64 => (None, whole_line(batches, x)),
                    _ => (constant.then_some(c[0]), line(batches, x)),
                }
            };
            let part = match (numerator, line_of) {
                (Some(c), _) => self.affine(
                    element,
                    |this, n| {
                        let c = this.number(element, c, rank);
                        this.operate("Div", c, n, element, rank)
                    },
                    rank,
                )?,
                (None, Some((a, 0.0))) => self.number(element, a, rank),
                (None, Some((a, b))) => self.affine(
                    element,
                    |this, n| {
                        let mut y = n;
                        if b != 1.0 {
                            let b = this.number(element, b, rank);
                            y = this.operate("Mul", n, b, element, rank);
                        }
                        if a != 0.0 {
                            let a = this.number(element, a, rank);
                            y = this.operate("Add", y, a, element, rank);
                        }
                        y
                    },
                    rank,
                )?,
                (None, None) => return Err(wrong()),
            };
            parts.push(part);
        }
        if let [one] = parts[..] {
            return Ok(one);
        }
        let dims = [parts.len()];
        Ok(self.push(
            "Concat",
            &parts,
            vec![("axis", Attr::Int(0))],
            element,
            &dims,
        ))
    }

    fn number(&mut self, element: ElementType, x: f64, rank: usize) -> Id {
        self.ir.numbers(element, &[1][..rank], &[x]).id
    }

    fn push(
        &mut self,
        operator: &'static str,
        inputs: &[Id],
        attributes: Vec<(&'static str, Attr)>,
        element: ElementType,
        dims: &[usize],
    ) -> Id {
        let before = self.ir.nodes.len();
        let id = self.ir.make(operator, inputs, &attributes, element, dims);
        if let Some(node) = self.ir.nodes.get(before) {
            let mut node = node.clone();
            node.scope = "".into();
            self.nodes.push(node);
        }
        id
    }

    fn operate(
        &mut self,
        operator: &'static str,
        a: Id,
        b: Id,
        element: ElementType,
        rank: usize,
    ) -> Id {
        self.push(operator, &[a, b], Vec::new(), element, &[1][..rank])
    }

    /// A function of the batch as a number.
    fn affine(
        &mut self,
        element: ElementType,
        f: impl FnOnce(&mut Self, Id) -> Id,
        rank: usize,
    ) -> Result<Id, OnnxError> {
        let mut n = self.batch()?;
        if rank == 0 {
            let none = self.ir.sizes(&[]);
            n = self.push("Reshape", &[n, none], Vec::new(), ElementType::I64, &[]);
        }
        if element != ElementType::I64 {
            let to = vec![("to", Attr::Int(element.number()))];
            n = self.push("Cast", &[n], to, element, &[1][..rank]);
        }
        Ok(f(self, n))
    }

    /// The batch, from the size of an input.
    fn batch(&mut self) -> Result<Id, OnnxError> {
        if let Some(batch) = self.batch {
            return Ok(batch);
        }
        let batches = self.samples.map(|s| s.batch);
        let inputs = (0..self.samples[0].inputs.len()).find_map(|k| {
            let ids = self.samples.map(|s| s.inputs[k]);
            let all = self.of(ids).map(|v| v.dims.clone());
            let axis = (0..all[0].len()).find(|&i| [0, 1, 2].map(|s| all[s][i]) == batches)?;
            Some((ids[0], axis, all[0].len()))
        });
        let (input, axis, rank) = inputs.ok_or_else(|| {
            differs(
                "no input has an axis of the size of the batch",
                self.ir.location,
            )
        })?;
        let shape = self.push("Shape", &[input], Vec::new(), ElementType::I64, &[rank]);
        let index = self.ir.sizes(&[axis as i64]);
        let zero = vec![("axis", Attr::Int(0))];
        let batch = self.push("Gather", &[shape, index], zero, ElementType::I64, &[1]);
        self.batch = Some(batch);
        Ok(batch)
    }
}
