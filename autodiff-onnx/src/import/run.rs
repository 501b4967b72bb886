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
        let mut values: Vec<Option<Value>> = (0..self.values).map(|_| None).collect();
        let mut readers = vec![0usize; self.values];
        let read = self.nodes.iter().flat_map(|n| n.inputs.iter().flatten());
        read.for_each(|&v| readers[v] += 1);
        self.outputs.iter().for_each(|o| readers[o.value] += 1);
        for (&v, value) in self.weights.iter().zip(weights) {
            values[v] = Some(value);
        }
        for (input, value) in self.inputs.iter().zip(inputs) {
            values[input.value] = Some(value);
        }
        for (v, value) in &self.constants {
            values[*v] = Some(value.clone());
        }
        for node in &self.nodes {
            let take = |v: &Option<usize>| {
                let v = (*v)?;
                readers[v] -= 1;
                match readers[v] {
                    // The last reader may write in its place.
                    0 => values[v].take(),
                    _ => values[v].clone(),
                }
            };
            let inputs = node.inputs.iter().map(take).collect();
            let made = node.run(self.opset, inputs, tape, device)?;
            for (v, value) in node.outputs.iter().zip(made) {
                if let Some(v) = v {
                    values[*v] = Some(value);
                }
            }
        }
        let output = |o: &super::program::Declared| {
            readers[o.value] -= 1;
            let value = match readers[o.value] {
                0 => values[o.value].take(),
                _ => values[o.value].clone(),
            };
            // Every value that is read is defined, which was checked when the model was loaded.
            let value = value.ok_or_else(|| ModelError::Undefined {
                reader: format!("the output `{}`", o.name),
                value: o.name.clone(),
            })?;
            Ok(value.on(device))
        };
        self.outputs.iter().map(output).collect()
    }
}
