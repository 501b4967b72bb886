//! What becomes of initialisers: parameters, buffers or constants.

use super::error::ModelError;
use super::program::{Choice, Role, list};
use crate::proto::GraphProto;
use std::collections::{BTreeSet, HashMap};

/// Operands of operators that are settings and no weights.
fn is_setting(operator: &str, input: usize) -> bool {
    match operator {
        "Clip" | "Dropout" | "Resize" | "OneHot" | "Pow" => input > 0,
        "Pad" => input == 2,
        "Range" | "ConstantOfShape" => true,
        _ => false,
    }
}

/// What becomes of the initialisers, by their names.
pub fn roles(graph: &GraphProto, choice: &Choice) -> Result<HashMap<String, Role>, ModelError> {
    let mut roles = HashMap::new();
    for tensor in &graph.initializer {
        let role = match tensor.element_type.is_float() && !tensor.dims.is_empty() {
            true => Role::Parameter,
            false => Role::Constant,
        };
        roles.insert(tensor.name.clone(), role);
    }
    // Exporters pass one tensor on by other names.
    let mut same: HashMap<&str, &str> = HashMap::new();
    for node in graph.node.iter().filter(|n| n.op_type == "Identity") {
        if let ([from], [to]) = (&node.input[..], &node.output[..]) {
            same.insert(to, same.get(&from[..]).copied().unwrap_or(from));
        }
    }
    let mut weight: BTreeSet<&str> = BTreeSet::new();
    for node in graph.node.iter().filter(|n| n.op_type != "Identity") {
        for (i, name) in node.input.iter().enumerate() {
            let name = same.get(&name[..]).copied().unwrap_or(name);
            if node.op_type == "BatchNormalization" && i >= 3 {
                if let Some(role @ Role::Parameter) = roles.get_mut(name) {
                    *role = Role::Buffer;
                }
            } else if !is_setting(&node.op_type, i) {
                weight.insert(name);
            }
        }
    }
    let outputs = graph.output.iter().map(|o| &o.name[..]);
    let outputs: BTreeSet<&str> = outputs.map(|o| same.get(o).copied().unwrap_or(o)).collect();
    for (name, role) in &mut roles {
        let read = weight.contains(&name[..]) || outputs.contains(&name[..]);
        if *role == Role::Parameter && !read {
            *role = Role::Constant;
        }
    }
    for (names, role) in [
        (&choice.parameters, Role::Parameter),
        (&choice.constants, Role::Constant),
    ] {
        for name in names {
            let place = roles.get_mut(name).ok_or_else(|| ModelError::Name {
                what: "initialiser",
                name: name.clone(),
                names: list(graph.initializer.iter().map(|t| &t.name[..])),
            })?;
            *place = role;
        }
    }
    Ok(roles)
}
