//! Graphs as TensorBoard reads them.

use crate::programs::gpt;
use differentiable::graph::{Graph, Recording};
use differentiable::prelude::*;
use differentiable::train::{Logger, TensorBoard};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A new folder, which goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("differentiable-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The nodes that the Python package finds in a folder, or nothing where it is not installed.
fn nodes(folder: &Folder) -> Option<Value> {
    let python = std::env::var_os("DIFFERENTIABLE_PYTHON").unwrap_or_else(|| "python3".into());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes/data/read_graph.py");
    match Command::new(&python).arg(script).arg(&folder.0).output() {
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

fn read(graph: &Graph, name: &str) -> Option<Value> {
    let folder = Folder::new(name);
    let file = folder.0.join("events.out.tfevents.1");
    std::fs::write(file, graph.to_event_file()).unwrap();
    nodes(&folder)
}

/// The log of a training run has the graph beside its curves.
#[test]
fn a_log_has_a_graph() {
    let r = Recording::new();
    let x: Tensor![2] = r.input("x", Default::default());
    r.output("y", &x.tanh());
    let folder = Folder::new("log");
    let mut log = TensorBoard::at(&folder.0);
    log.graph(&r.graph().to_graph_def()).unwrap();
    log.begin(None).unwrap();
    log.scalar("loss", 1, 0.5).unwrap();
    log.flush().unwrap();
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1);
    if let Some(read) = nodes(&folder) {
        let names: Vec<&str> = read
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["x", "unary", "y"]);
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
