//! From the recorded graph to operators: values, operands and results; the operations themselves are in `rules`.

use super::OnnxError;
use super::build::Tensor;
use super::ir::{From, Id, Ir};
use super::rules;
use super::view::{Part, uniform_of};
use crate::proto::{ElementType, TensorProto};
use autodiff_core::device::record::{Argument, Constant, Graph, Node, Origin};
use autodiff_core::device::{DType, Layout, Write};
use autodiff_core::prelude::{bf16, f16};
use core::any::Any;
use std::collections::HashMap;
use std::sync::Arc;

/// What a buffer holds.
#[derive(Clone, Debug)]
enum Stored {
    /// All of its elements, in the order of the buffer.
    Whole(Tensor),
    /// Parts that were written one after the other, over what was there before, if anything.
    Parts {
        base: Option<Tensor>,
        parts: Vec<(Layout, Tensor)>,
    },
}

/// An operand of an operation.
#[derive(Clone, Debug)]
pub enum Arg {
    /// A tensor that it reads, by its position among the operands.
    Read(usize),
    /// A number in its place.
    Number(f64),
    /// What is in the result.
    Output,
    /// None.
    Absent,
    /// A result, by its position.
    Result(usize),
    /// Whether results are added to what is there.
    Write(Write),
}

/// Values and nodes, the inputs, and the outputs by their names.
pub type Lowered = (Ir, Vec<Id>, Vec<(Arc<str>, Id)>);

/// A graph on its way to a model.
pub struct Lower<'g> {
    pub graph: &'g Graph,
    pub ir: Ir,
    /// The contents of variables, by the numbers of their values.
    variables: &'g HashMap<usize, Arc<TensorProto>>,
    stored: HashMap<usize, Stored>,
    /// How each value is read.
    readers: HashMap<usize, Vec<Layout>>,
    /// The inputs, in the order of the recording.
    pub inputs: Vec<Id>,
}

impl<'g> Lower<'g> {
    /// All that the outputs of the graph need. Gives the outputs by their names.
    pub fn run(
        graph: &'g Graph,
        variables: &'g HashMap<usize, Arc<TensorProto>>,
    ) -> Result<Lowered, OnnxError> {
        let wanted: Vec<usize> = graph.outputs().iter().map(|o| o.value).collect();
        let plan = graph.plan(&wanted);
        let mut this = Lower {
            graph,
            ir: Ir::new(),
            variables,
            stored: HashMap::new(),
            readers: HashMap::new(),
            inputs: Vec::new(),
        };
        let mut given: Vec<usize> = wanted.clone();
        for &number in plan.order() {
            let node = &graph.nodes()[number];
            for operand in node.operands() {
                this.readers
                    .entry(operand.value)
                    .or_default()
                    .push(operand.layout);
            }
            for result in node.results() {
                // A value that another takes over is read there as a whole, where it is not overwritten.
                let len = graph.values()[result.base].len();
                if node.accumulates() || result.layout.numel() < len {
                    let whole = Layout::dense(autodiff_core::device::Dims::new(&[len]));
                    this.readers.entry(result.base).or_default().push(whole);
                }
            }
            given.extend(graph.reads(node));
        }
        for output in graph.outputs() {
            this.readers
                .entry(output.value)
                .or_default()
                .push(output.layout);
        }
        given.sort_unstable();
        given.dedup();
        for value in given {
            if let Origin::Input(name) = graph.values()[value].origin() {
                this.input(value, name)?;
            }
        }
        for &number in plan.order() {
            let node = &graph.nodes()[number];
            this.ir.scope = node.scope().into();
            this.ir.location = node.location();
            rules::lower(&mut this, node)?;
        }
        this.ir.scope = "".into();
        let mut outputs = Vec::new();
        for output in graph.outputs() {
            let name = Arc::clone(&output.name);
            let x = this.read(output.value, &output.layout, &name)?;
            outputs.push((name, this.ir.full(&x)));
        }
        Ok((this.ir, this.inputs, outputs))
    }

    fn element(&self, value: usize, name: &str) -> Result<ElementType, OnnxError> {
        let dtype = self.graph.values()[value].dtype();
        ElementType::of(dtype).ok_or_else(|| OnnxError::Elements {
            name: name.into(),
            dtype: dtype.to_string(),
        })
    }

    fn input(&mut self, value: usize, name: &Arc<str>) -> Result<(), OnnxError> {
        let element = self.element(value, name)?;
        let dims = self.graph.values()[value].dims().as_slice();
        let from = match self.variables.get(&value) {
            Some(tensor) => From::Variable(Arc::clone(name), Arc::clone(tensor)),
            None => From::Input(Arc::clone(name)),
        };
        let is_input = matches!(from, From::Input(_));
        let id = self.ir.value(element, dims, from);
        if is_input {
            self.inputs.push(id);
        }
        let x = self.ir.whole(id);
        self.stored.insert(value, Stored::Whole(x));
        Ok(())
    }

    /// What a value holds; nothing if nobody has written it.
    fn stored(&mut self, value: usize) -> Option<Stored> {
        if let Some(stored) = self.stored.get(&value) {
            return Some(stored.clone());
        }
        let of = &self.graph.values()[value];
        let Origin::Constant(constant) = of.origin() else {
            return None;
        };
        let tensor = constant_of(constant, of.dtype(), of.dims().as_slice())?;
        let x = match uniform_of(&tensor) {
            Some(number) => {
                let number = self.ir.scalar(tensor.element_type, number);
                self.ir.repeated(&number, of.dims().as_slice())
            }
            None => {
                let id = self.ir.constant(tensor);
                self.ir.whole(id)
            }
        };
        let stored = Stored::Whole(x);
        self.stored.insert(value, stored.clone());
        Some(stored)
    }

    /// The elements of a value that a layout names.
    pub fn read(&mut self, value: usize, layout: &Layout, what: &str) -> Result<Tensor, OnnxError> {
        match self.stored(value) {
            Some(Stored::Whole(x)) => Ok(self.ir.view(&x, layout)),
            Some(Stored::Parts { parts, .. })
                if parts.iter().any(|(own, _)| own == layout)
                    && parts.iter().rposition(|(own, _)| own == layout) == Some(parts.len() - 1) =>
            {
                Ok(parts[parts.len() - 1].1.clone())
            }
            Some(Stored::Parts { base, parts }) => {
                let len = self.graph.values()[value].len();
                let x = self.joined(len, base, &parts, layout);
                self.stored.insert(value, Stored::Whole(x.clone()));
                Ok(self.ir.view(&x, layout))
            }
            None if matches!(self.graph.values()[value].origin(), Origin::Node(_)) => {
                Err(OnnxError::Operation {
                    operation: what.into(),
                    location: self.ir.location.to_string(),
                    reason: "it reads what an operation keeps for its derivatives, which is not in the model".into(),
                })
            }
            // Operands that are not looked at, and those without elements.
            None => {
                let element = self.element(value, what)?;
                let zero = self.ir.scalar(element, 0.0);
                Ok(self.ir.repeated(&zero, layout.dims().as_slice()))
            }
        }
    }

    /// Parts as one tensor. How it is read tells its sizes.
    fn joined(
        &mut self,
        len: usize,
        base: Option<Tensor>,
        parts: &[(Layout, Tensor)],
        read: &Layout,
    ) -> Tensor {
        let dims = match &base {
            Some(base) => base.dims.clone(),
            None if read.is_contiguous() && read.numel() == len => read.dims().to_vec(),
            None => match Part::of(&parts[0].0, &[len]) {
                Some(part) => part.grid,
                None => vec![len],
            },
        };
        let places: Vec<Option<Part>> = parts.iter().map(|(l, _)| Part::of(l, &dims)).collect();
        if let Some(x) = self.side_by_side(&dims, &places, parts) {
            return x;
        }
        let element = self.ir.element(&parts[0].1);
        let mut all = base.unwrap_or_else(|| {
            let zero = self.ir.scalar(element, 0.0);
            self.ir.repeated(&zero, &dims)
        });
        for (place, (layout, x)) in places.iter().zip(parts) {
            let replaced = place.as_ref().and_then(|part| {
                let x = self.on_grid(part, x);
                self.ir.replaced(&all, part, &x)
            });
            all = replaced.unwrap_or_else(|| self.ir.scattered(&all, layout, x));
        }
        all
    }

    /// A part with its axes as those of the grid.
    fn on_grid(&mut self, part: &Part, x: &Tensor) -> Tensor {
        let kept: Vec<usize> = part.order.iter().map(|&j| part.entries[j].1).collect();
        let x = self.ir.reshape(x, &kept);
        let mut order: Vec<usize> = (0..part.order.len()).collect();
        order.sort_by_key(|&k| part.order[k]);
        let x = self.ir.transpose(&x, &order);
        self.ir.reshape(&x, &part.sizes())
    }

    /// Parts that fill a tensor one behind the other along one axis.
    fn side_by_side(
        &mut self,
        dims: &[usize],
        places: &[Option<Part>],
        parts: &[(Layout, Tensor)],
    ) -> Option<Tensor> {
        let first = places.first()?.as_ref()?;
        let grid = &first.grid;
        let cut = |part: &Part| {
            let axes =
                (0..grid.len()).filter(|&j| (part.entries[j].0, part.entries[j].1) != (0, grid[j]));
            axes.collect::<Vec<_>>()
        };
        let &[axis] = &cut(first)[..] else {
            return None;
        };
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_by_key(|&k| places[k].as_ref().map(|p| p.entries.get(axis).map(|e| e.0)));
        let mut at = 0;
        for &k in &order {
            let part = places[k]
                .as_ref()
                .filter(|p| p.grid == *grid && cut(p) == [axis])?;
            let (start, count, step) = part.entries[axis];
            if start != at || step != 1 {
                return None;
            }
            at += count;
        }
        if at != grid[axis] {
            return None;
        }
        let mut pieces = Vec::new();
        for k in order {
            let part = places[k].as_ref()?;
            pieces.push(self.on_grid(part, &parts[k].1));
        }
        let all = self.ir.concat(axis, &pieces);
        Some(self.ir.reshape(&all, dims))
    }

    /// The operands and results of a node, in the order of the parameters of the method.
    pub fn args(&self, node: &Node) -> Vec<Arg> {
        let of = |a: &Argument| match *a {
            Argument::Read(k) => Arg::Read(k),
            Argument::Number(x) => Arg::Number(x),
            Argument::Output => Arg::Output,
            Argument::Absent => Arg::Absent,
            Argument::Written(k) => Arg::Result(k),
            Argument::Write(w) => Arg::Write(w),
        };
        node.arguments().iter().map(of).collect()
    }

    /// An operand as a tensor; a number is one of the type of the result.
    pub fn operand(&mut self, node: &Node, arg: &Arg) -> Result<Tensor, OnnxError> {
        match *arg {
            Arg::Read(k) => {
                let operand = &node.operands()[k];
                self.read(operand.value, &operand.layout, node.operation())
            }
            Arg::Number(x) => {
                let element = self.result_type(node)?;
                Ok(self.ir.scalar(element, x))
            }
            Arg::Output => self.before(node, 0),
            _ => Err(OnnxError::of(node, "an operand is missing")),
        }
    }

    /// The operands of a node that are tensors to read, in order.
    pub fn operands(&mut self, node: &Node) -> Result<Vec<Tensor>, OnnxError> {
        let reads = node.operands().iter();
        reads
            .map(|o| self.read(o.value, &o.layout, node.operation()))
            .collect()
    }

    /// What is in a result before.
    pub fn before(&mut self, node: &Node, k: usize) -> Result<Tensor, OnnxError> {
        let result = &node.results()[k];
        self.read(result.base, &result.layout, node.operation())
    }

    /// The type of the elements of the first result.
    pub fn result_type(&self, node: &Node) -> Result<ElementType, OnnxError> {
        self.element(node.results()[0].value, node.operation())
    }

    /// The type of the elements of the first result, as the recording has it.
    pub fn dtype(&self, node: &Node) -> DType {
        self.graph.values()[node.results()[0].value].dtype()
    }

    /// The sizes of a result.
    pub fn result_dims(&self, node: &Node, k: usize) -> Vec<usize> {
        node.results()[k].layout.dims().to_vec()
    }

    /// A parameter of a node.
    pub fn attribute<A: Any + Clone>(&self, node: &Node, name: &str) -> Result<A, OnnxError> {
        let found = node.attribute::<A>(name).cloned();
        found.ok_or_else(|| OnnxError::of(node, format!("its parameter `{name}` is not known")))
    }

    /// Says what a result is.
    pub fn write(&mut self, node: &Node, k: usize, x: &Tensor) {
        let result = &node.results()[k];
        let layout = result.layout;
        let dims = layout.dims().as_slice();
        // Axes that the result has and the value lacks are repeated.
        let x = self.ir.reshape_or_repeat(x, dims);
        let len = self.graph.values()[result.value].len();
        if layout.is_contiguous() && layout.offset() == 0 && layout.numel() == len {
            self.stored.insert(result.value, Stored::Whole(x));
            return;
        }
        if let Some(part) = Part::of(&layout, &[len]).filter(Part::is_whole) {
            let x = self.on_grid(&part, &x);
            self.stored.insert(result.value, Stored::Whole(x));
            return;
        }
        let (base, mut parts) = match self.stored(result.base) {
            Some(Stored::Parts { base, parts }) => (base, parts),
            Some(Stored::Whole(base)) => (Some(base), Vec::new()),
            None => (None, Vec::new()),
        };
        parts.retain(|(own, _)| *own != layout);
        parts.push((layout, x));
        self.stored
            .insert(result.value, Stored::Parts { base, parts });
    }

    /// The same, where `write` may say that it is added to what is there.
    pub fn write_as(
        &mut self,
        node: &Node,
        k: usize,
        write: &Arg,
        x: &Tensor,
    ) -> Result<(), OnnxError> {
        if let Arg::Write(Write::Add) = write {
            let before = self.before(node, k)?;
            let sum = self.ir.add(&before, x);
            self.write(node, k, &sum);
        } else {
            self.write(node, k, x);
        }
        Ok(())
    }

    /// How a result is read.
    pub fn readers(&self, node: &Node, k: usize) -> &[Layout] {
        let readers = self.readers.get(&node.results()[k].value);
        readers.map_or(&[], Vec::as_slice)
    }

    /// Says what the part of a result is that these layouts name; others are not read.
    pub fn write_part(&mut self, node: &Node, k: usize, layout: Layout, x: &Tensor) {
        let parts = vec![(layout, x.clone())];
        let stored = Stored::Parts { base: None, parts };
        self.stored.insert(node.results()[k].value, stored);
    }

    /// The parts of which the buffer of a result was made before.
    pub fn parts_before(&self, node: &Node, k: usize) -> Vec<(Layout, Tensor)> {
        let base = node.results()[k].base;
        match self.stored.get(&base) {
            Some(Stored::Parts { parts, .. }) => parts.clone(),
            Some(Stored::Whole(x)) => {
                let layout = Layout::dense(*self.graph.values()[base].dims());
                vec![(layout, x.clone())]
            }
            None => Vec::new(),
        }
    }
}

/// The elements of a constant.
fn constant_of(constant: &Constant, dtype: DType, dims: &[usize]) -> Option<TensorProto> {
    macro_rules! of {
        ($t:ty) => {
            constant.get::<$t>().map(|x| TensorProto::new("", dims, x))
        };
    }
    match dtype {
        DType::F32 => of!(f32),
        DType::F64 => of!(f64),
        DType::Bf16 => of!(bf16),
        DType::F16 => of!(f16),
        DType::I64 => of!(i64),
        DType::U32 => of!(u32),
        DType::U8 => of!(u8),
        DType::Bool => of!(bool),
        DType::MixedBf16 => of!(autodiff_core::ad::Mixed<bf16>),
        DType::MixedF16 => of!(autodiff_core::ad::Mixed<f16>),
        DType::Dual => None,
    }
}

impl Ir {
    /// The elements of a result with its sizes: the same ones in other sizes, or repeated.
    fn reshape_or_repeat(&mut self, x: &Tensor, dims: &[usize]) -> Tensor {
        let count = |dims: &[usize]| dims.iter().product::<usize>();
        if x.dims != dims && count(&x.dims) == count(dims) {
            return self.reshape(x, dims);
        }
        self.repeated(x, dims)
    }
}
