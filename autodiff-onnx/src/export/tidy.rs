//! What nobody needs goes; products of matrices become `Gemm`, or keep the axes of what they are of; convolutions take their
//! biases.

use super::ir::{Attr, From, Id, Ir, Node};
use crate::proto::ElementType;
use std::collections::HashMap;

/// The nodes that the outputs need, in order, without results that nobody reads.
pub fn needed(ir: &Ir, outputs: &[Id]) -> Vec<Node> {
    let mut wanted = vec![false; ir.values.len()];
    outputs.iter().for_each(|&id| wanted[id] = true);
    let mut kept = Vec::new();
    for node in ir.nodes.iter().rev() {
        if node.outputs.iter().flatten().any(|&id| wanted[id]) {
            node.inputs
                .iter()
                .flatten()
                .for_each(|&id| wanted[id] = true);
            let mut node = node.clone();
            // Results are left out at the end only: the first ones of an operator are not optional.
            while node
                .outputs
                .last()
                .is_some_and(|o| o.is_none_or(|id| !wanted[id]))
            {
                node.outputs.pop();
            }
            kept.push(node);
        }
    }
    kept.reverse();
    kept
}

/// A matrix, and whether it is the transpose of the value.
fn transposed(ir: &Ir, id: Id) -> (Id, bool) {
    let swaps = |n: &&Node| match n.operator {
        "Transpose" => n.attribute("perm") == Some(&Attr::Ints(vec![1, 0])),
        // A row that becomes a column.
        "Reshape" => n.inputs[0].is_some_and(|x| {
            let (x, y) = (ir.dims(x), ir.dims(id));
            x.len() == 2 && y.len() == 2 && x[0] == y[1] && x[1] == y[0] && x.contains(&1) && x != y
        }),
        _ => false,
    };
    match ir.maker(id).filter(swaps).and_then(|n| n.inputs[0]) {
        Some(before) => (before, true),
        None => (id, false),
    }
}

/// How often each value is read.
fn uses(ir: &Ir, outputs: &[Id]) -> HashMap<Id, usize> {
    let mut uses: HashMap<Id, usize> = HashMap::new();
    for node in needed(ir, outputs) {
        let read = node.inputs.iter().flatten();
        read.for_each(|&id| *uses.entry(id).or_default() += 1);
    }
    outputs
        .iter()
        .for_each(|&id| *uses.entry(id).or_default() += 1);
    uses
}

/// The nodes from a product of two matrices to `id`, of values that nobody else reads: functions of elements, and rows that
/// are added or multiplied. The product comes last.
fn from_product(ir: &Ir, uses: &HashMap<Id, usize>, mut id: Id) -> Option<Vec<usize>> {
    let mut chain = Vec::new();
    loop {
        let From::Node(at) = ir.values[id].from else {
            return None;
        };
        if uses.get(&id) != Some(&1) {
            return None;
        }
        chain.push(at);
        let node = &ir.nodes[at];
        let matrix = |i: usize| {
            node.inputs
                .get(i)
                .copied()
                .flatten()
                .filter(|&x| ir.dims(x).len() == 2)
        };
        let row = |i: usize| node.inputs[i].is_some_and(|x| ir.dims(x).len() <= 1);
        id = match node.operator {
            "MatMul" => return matrix(0).and(matrix(1)).map(|_| chain),
            "Relu" | "Tanh" | "Sigmoid" | "Neg" | "Exp" | "Erf" | "Softplus" => matrix(0)?,
            "Add" | "Sub" | "Mul" | "Div" if row(1) => matrix(0)?,
            "Add" | "Sub" | "Mul" | "Div" if row(0) => matrix(1)?,
            _ => return None,
        };
    }
}

/// A product of matrices that were flattened for it and get their axes back takes them as they are.
pub fn with_axes(ir: &mut Ir, outputs: &mut [Id]) {
    let uses = uses(ir, outputs);
    for at in 0..ir.nodes.len() {
        let node = &ir.nodes[at];
        let (&[Some(flat), _], &[Some(out)], "Reshape") =
            (&node.inputs[..], &node.outputs[..], node.operator)
        else {
            continue;
        };
        let Some(chain) = from_product(ir, &uses, flat).filter(|_| ir.dims(flat).len() == 2) else {
            continue;
        };
        let product = chain[chain.len() - 1];
        let before = ir.nodes[product].inputs[0].and_then(|a| ir.maker(a));
        let Some(x) = before
            .filter(|n| n.operator == "Reshape")
            .and_then(|n| n.inputs[0])
        else {
            continue;
        };
        let (lead, to) = (ir.dims(x).len() - 1, ir.dims(out).to_vec());
        let same = lead > 1 && to.len() > lead && to[..lead] == ir.dims(x)[..lead];
        let width = ir.dims(flat)[1];
        let rows: usize = to.iter().take(lead).product();
        if !same
            || rows != ir.dims(flat)[0]
            || ir.dims(x).last() != ir.nodes[product].inputs[0].map(|a| &ir.dims(a)[1])
        {
            continue;
        }
        let mut own = to[..lead].to_vec();
        own.push(width);
        ir.nodes[product].inputs[0] = Some(x);
        for node in chain {
            for id in ir.nodes[node].outputs.clone().into_iter().flatten() {
                ir.values[id].dims.clone_from(&own);
            }
        }
        if own == to {
            // It does nothing any more.
            let read = ir
                .nodes
                .iter_mut()
                .flat_map(|n| n.inputs.iter_mut().flatten());
            read.chain(outputs.iter_mut())
                .filter(|id| **id == out)
                .for_each(|id| *id = flat);
        }
    }
}

/// A convolution to which numbers of the channels are added has them as its bias.
pub fn with_biases(ir: &mut Ir, outputs: &[Id]) {
    let uses = uses(ir, outputs);
    for at in 0..ir.nodes.len() {
        let node = &ir.nodes[at];
        let ("Add", &[Some(x), Some(y)]) = (node.operator, &node.inputs[..]) else {
            continue;
        };
        let is_convolution =
            |n: &&Node| matches!(n.operator, "Conv" | "ConvTranspose") && n.inputs.len() == 2;
        let of = |conv: Id, bias: Id| {
            let conv = ir
                .maker(conv)
                .filter(is_convolution)
                .filter(|_| uses.get(&conv) == Some(&1))?;
            let channels = ir.dims(conv.outputs[0]?)[1];
            let reshaped = ir.maker(bias).filter(|n| n.operator == "Reshape")?.inputs[0]?;
            let spread = ir
                .dims(bias)
                .iter()
                .enumerate()
                .all(|(i, &n)| n == if i == 1 { channels } else { 1 });
            let fits = ir.dims(reshaped) == [channels] && ir.dims(bias).len() > 2 && spread;
            fits.then(|| (conv.clone(), reshaped))
        };
        let Some((conv, bias)) = of(x, y).or_else(|| of(y, x)) else {
            continue;
        };
        let node = &mut ir.nodes[at];
        (node.operator, node.attributes) = (conv.operator, conv.attributes);
        node.inputs = conv.inputs;
        node.inputs.push(Some(bias));
    }
}

/// `Gemm` in the place of products of two matrices that are transposed, or have a bias.
pub fn with_gemm(ir: &mut Ir, outputs: &[Id]) {
    let uses = uses(ir, outputs);
    let is_product = |ir: &Ir, id: Id| {
        let float = matches!(ir.values[id].element, ElementType::F32 | ElementType::F64);
        let node = ir.maker(id).filter(|n| n.operator == "MatMul" && float)?;
        let (a, b) = (node.inputs[0]?, node.inputs[1]?);
        (ir.dims(a).len() == 2 && ir.dims(b).len() == 2).then_some((a, b))
    };
    for at in 0..ir.nodes.len() {
        let node = &ir.nodes[at];
        let found = match (node.operator, &node.inputs[..], &node.outputs[..]) {
            ("Add", &[Some(x), Some(y)], &[Some(out)]) => {
                let pair = |product: Id, bias: Id| {
                    let (a, b) =
                        is_product(ir, product).filter(|_| uses.get(&product) == Some(&1))?;
                    let (own, all) = (ir.dims(bias), ir.dims(out));
                    let fits = own.len() <= 2
                        && ir.dims(product) == all
                        && own
                            .iter()
                            .rev()
                            .zip(all.iter().rev())
                            .all(|(&n, &m)| n == m || n == 1);
                    fits.then_some((a, b, Some(bias)))
                };
                pair(x, y).or_else(|| pair(y, x))
            }
            ("MatMul", _, &[Some(out)]) => is_product(ir, out)
                .map(|(a, b)| (a, b, None))
                .filter(|&(a, b, _)| transposed(ir, a).1 || transposed(ir, b).1),
            _ => None,
        };
        let Some((a, b, bias)) = found else { continue };
        let ((a, t_a), (b, t_b)) = (transposed(ir, a), transposed(ir, b));
        let mut attributes = Vec::new();
        for (name, is) in [("transA", t_a), ("transB", t_b)] {
            attributes.extend(is.then_some((name, Attr::Int(1))));
        }
        let mut inputs = vec![Some(a), Some(b)];
        inputs.extend(bias.map(Some));
        let node = &mut ir.nodes[at];
        (node.operator, node.inputs, node.attributes) = ("Gemm", inputs, attributes);
    }
}
