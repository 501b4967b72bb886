//! What nobody needs goes, and products of matrices become `Gemm`.

use super::ir::{Attr, Id, Ir, Node};
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
            node.outputs
                .iter_mut()
                .for_each(|o| *o = o.filter(|&id| wanted[id]));
            while node.outputs.last() == Some(&None) {
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
    let maker = ir.maker(id).filter(|n| n.operator == "Transpose");
    let swaps = |n: &&Node| n.attribute("perm") == Some(&Attr::Ints(vec![1, 0]));
    match maker.filter(swaps).and_then(|n| n.inputs[0]) {
        Some(before) => (before, true),
        None => (id, false),
    }
}

/// `Gemm` in the place of products of two matrices that are transposed, or have a bias.
pub fn with_gemm(ir: &mut Ir, outputs: &[Id]) {
    let mut uses: HashMap<Id, usize> = HashMap::new();
    for node in needed(ir, outputs) {
        node.inputs
            .iter()
            .flatten()
            .for_each(|&id| *uses.entry(id).or_default() += 1);
    }
    outputs
        .iter()
        .for_each(|&id| *uses.entry(id).or_default() += 1);
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
