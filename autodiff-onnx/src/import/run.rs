//! A program that runs: node by node, with values that are dropped when nobody reads them any more.

use super::error::ModelError;
use super::fault::Fault;
use super::operators::Call;
use super::program::{Node, Program};
use super::tape::Tape;
use super::value::{Value, limited};
use autodiff_core::device::Device;

impl Node {
    /// The results.
    pub fn run(
        &self,
        opset: i64,
        inputs: Vec<Option<Value>>,
        tape: &Tape,
        device: &Device,
    ) -> Result<Vec<Value>, ModelError> {
        let wanted = self.outputs.iter().rposition(Option::is_some);
        let live = inputs.iter().flatten().any(|x| !x.is_known());
        let mut call = Call {
            attributes: &self.attributes,
            opset,
            inputs,
            outputs: wanted.map_or(0, |i| i + 1),
            declared: self.declared,
            tape,
            device,
            live,
        };
        let fault = |fault| ModelError::Node {
            node: self.name.clone(),
            operator: self.operator.name,
            opset,
            fault,
        };
        let made = (self.operator.run)(&mut call).map_err(fault)?;
        match wanted {
            Some(last) if made.len() <= last => {
                Err(fault(Fault::unsupported(format!("its result {last}"), "")))
            }
            _ => Ok(made),
        }
    }
}

/// The values of a run, each of which is dropped when nobody reads it any more.
pub struct Values {
    values: Vec<Option<Value>>,
    /// How often each is still to be read.
    readers: Vec<usize>,
}

impl Values {
    /// None yet, for the nodes and outputs of a program.
    pub fn new(program: &Program) -> Self {
        let mut readers = vec![0; program.values];
        let read = program.nodes.iter().flat_map(|n| n.inputs.iter().flatten());
        read.for_each(|&v| readers[v] += 1);
        program.outputs.iter().for_each(|o| readers[o.value] += 1);
        Values {
            values: (0..program.values).map(|_| None).collect(),
            readers,
        }
    }

    pub fn put(&mut self, v: usize, value: Value) {
        self.values[v] = Some(value);
    }

    /// Whether all that a node reads is there.
    pub fn are_ready(&self, node: &Node) -> bool {
        let mut read = node.inputs.iter().flatten();
        read.all(|&v| self.values[v].is_some())
    }

    /// What one of its readers gets. The last one may write in its place.
    pub fn take(&mut self, v: usize) -> Option<Value> {
        self.readers[v] -= 1;
        match self.readers[v] {
            0 => self.values[v].take(),
            _ => self.values[v].clone(),
        }
    }

    /// Runs a node.
    pub fn run(
        &mut self,
        node: &Node,
        opset: i64,
        tape: &Tape,
        device: &Device,
    ) -> Result<(), ModelError> {
        let inputs = node.inputs.iter().map(|v| self.take((*v)?)).collect();
        let made = node.run(opset, inputs, tape, device)?;
        for (v, value) in node.outputs.iter().zip(made) {
            if let Some(v) = v {
                self.put(*v, value);
            }
        }
        Ok(())
    }

    /// Those that are left, with their numbers.
    pub fn rest(self) -> impl Iterator<Item = (usize, Value)> {
        let all = self.values.into_iter().enumerate();
        all.filter_map(|(v, value)| Some((v, value?)))
    }
}

impl Program {
    /// The outputs, from the parameters and buffers and the inputs, which are all on `device`.
    pub fn run(
        &self,
        weights: Vec<Value>,
        inputs: Vec<Value>,
        tape: &Tape,
        device: &Device,
    ) -> Result<Vec<Value>, ModelError> {
        limited(self.limit, || self.run_all(weights, inputs, tape, device))
    }

    fn run_all(
        &self,
        weights: Vec<Value>,
        inputs: Vec<Value>,
        tape: &Tape,
        device: &Device,
    ) -> Result<Vec<Value>, ModelError> {
        let mut values = Values::new(self);
        for (&v, value) in self.weights.iter().zip(weights) {
            values.put(v, value);
        }
        for (input, value) in self.inputs.iter().zip(inputs) {
            values.put(input.value, value);
        }
        for (v, value) in &self.constants {
            values.put(*v, value.clone());
        }
        for node in &self.nodes {
            values.run(node, self.opset, tape, device)?;
        }
        let output = |o: &super::program::Declared| {
            // Every value that is read is defined, which was checked when the model was loaded.
            let value = values.take(o.value).ok_or_else(|| ModelError::Undefined {
                reader: format!("the output `{}`", o.name),
                value: o.name.clone(),
            })?;
            Ok(value.on(device))
        };
        self.outputs.iter().map(output).collect()
    }
}
