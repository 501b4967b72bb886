//! Graphs as TensorBoard reads them.

use crate::programs::gpt;
use differentiable::graph::{Graph, Recording};
use differentiable::prelude::*;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// What the Python package finds in a file, or nothing where it is not installed.
fn read(graph: &Graph, name: &str) -> Option<Value> {
    let folder = std::env::temp_dir().join(format!("differentiable-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("events.out.tfevents.1"), graph.to_event_file()).unwrap();
    let python = std::env::var_os("DIFFERENTIABLE_PYTHON").unwrap_or_else(|| "python3".into());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes/data/read_graph.py");
    let output = Command::new(&python).arg(script).arg(&folder).output();
    std::fs::remove_dir_all(&folder).unwrap();
    match output {
        Ok(output) if output.status.code() != Some(77) => {
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{errors}");
            Some(serde_json::from_slice(&output.stdout).unwrap())
        }
        _ => {
            eprintln!(
                "skipped: {} has no package `tensorboard`; install it with pip, or name an interpreter that has it in \
                 DIFFERENTIABLE_PYTHON",
                python.display()
            );
            None
        }
    }
}

#[test]
fn tensorboard_reads_a_graph() {
    let r = Recording::new();
    let x: Tensor![2, 3] = r.input("x", Default::default());
    let w: Tensor![3, 5] = r.input("net.w", Default::default());
    let table: Tensor![2, 5] = r.scope(|| tensor([[0.5; 5]; 2]).to(r.device()));
    let h = r.named("net/hidden", || x.matmul(&w).tanh());
    let y = r.named("net", || &h + &table);
    r.output("y", &y);
    let Some(read) = read(&r.graph(), "graph") else {
        return;
    };
    let nodes = read.as_array().unwrap();
    let named = |name: &str| {
        let node = nodes.iter().find(|n| n["name"] == name);
        node.unwrap_or_else(|| panic!("{name} in {read}"))
    };
    assert_eq!(named("x")["op"], "Placeholder");
    assert_eq!(named("x")["shapes"], serde_json::json!([[2, 3]]));
    assert_eq!(named("x")["dtype"], 1);
    assert_eq!(named("net.w")["shapes"], serde_json::json!([[3, 5]]));
    let gemm = named("net/hidden/gemm");
    assert_eq!(
        (&gemm["op"], &gemm["shapes"]),
        (&"gemm".into(), &serde_json::json!([[2, 5]]))
    );
    assert_eq!(gemm["input"], serde_json::json!(["x", "net.w"]));
    assert_eq!(gemm["attributes"], "{beta: 0.0}");
    assert!(
        gemm["location"]
            .as_str()
            .unwrap()
            .contains("tensorboard.rs:")
    );
    assert_eq!(
        named("net/hidden/unary")["input"],
        serde_json::json!(["net/hidden/gemm"])
    );
    assert_eq!(named("y")["input"], serde_json::json!(["net/binary"]));
    assert!(nodes.iter().any(|n| n["op"] == "Const"));
}

/// Names are each there once, and what a node reads is there.
#[test]
fn tensorboard_reads_a_transformer() {
    let graph = gpt(3, 4).recording.graph();
    let Some(read) = read(&graph, "transformer") else {
        return;
    };
    let nodes = read.as_array().unwrap();
    let names: Vec<&str> = nodes.iter().map(|n| n["name"].as_str().unwrap()).collect();
    let mut unique = names.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), names.len());
    assert!(names.len() >= graph.plan(&graph.wanted()).order().len());
    for node in nodes {
        for input in node["input"].as_array().unwrap() {
            let from = input.as_str().unwrap().split(':').next().unwrap();
            assert!(names.contains(&from), "{from}");
        }
    }
}
