//! Nodes, edges, orders, names.

use crate::programs::gpt;
use differentiable::graph::{Edge, Graph, Origin, Recording};
use differentiable::prelude::*;

/// `(a + b) · exp(a)`, and a logarithm that nobody needs.
fn small() -> Graph {
    let r = Recording::new();
    let a: Tensor![4] = r.input("a", Default::default());
    let b: Tensor![4] = r.input("b", Default::default());
    let c: Tensor![4] = r.input("c", Default::default());
    let _unused = c.ln();
    let sum = r.named("outer", || r.named("inner", || &a + &b));
    let product = r.named("outer", || sum * a.exp());
    r.output("product", &product);
    r.graph()
}

#[test]
fn edges_are_what_flows() {
    let graph = small();
    let edges: Vec<Edge> = graph.edges().collect();
    let ends: Vec<_> = edges.iter().map(|e| (e.from, e.to, e.parameter)).collect();
    assert_eq!(ends[0], (None, 0, "x"), "{ends:?}");
    assert_eq!(&ends[1..3], [(None, 1, "a"), (None, 1, "b")]);
    assert_eq!(ends[3], (None, 2, "x"));
    // The product runs in place of one of its factors.
    let into: Vec<_> = edges.iter().filter(|e| e.to == 3).map(|e| e.from).collect();
    assert_eq!(into.len(), 2);
    assert!(into.contains(&Some(1)) && into.contains(&Some(2)));
    for edge in edges {
        assert!(graph.consumers(edge.value).contains(&edge.to));
    }
}

#[track_caller]
fn check_topological(graph: &Graph, wanted: &[usize]) {
    let order = graph.topological(wanted);
    let mut seen = vec![false; graph.nodes().len()];
    for &node in &order {
        for value in graph.reads(&graph.nodes()[node]) {
            if let Origin::Node(before) = graph.values()[value].origin() {
                assert!(seen[*before], "{before} is not before {node}");
            }
        }
        assert!(
            !std::mem::replace(&mut seen[node], true),
            "{node} is there twice"
        );
    }
    // The same nodes as those of a plan, which finds them in another way.
    let mut sorted = order;
    sorted.sort_unstable();
    assert_eq!(sorted, graph.plan(wanted).order());
}

#[test]
fn a_topological_order_has_each_node_behind_what_it_reads() {
    let graph = small();
    check_topological(&graph, &graph.wanted());
    check_topological(&graph, &[]);
    let graph = gpt(3, 5).recording.graph();
    check_topological(&graph, &graph.wanted());
    let all: Vec<usize> = (0..graph.values().len()).collect();
    check_topological(&graph, &all);
}

#[test]
fn what_outputs_do_not_need_is_dropped_and_said() {
    let graph = small();
    let pruned = graph.pruned();
    assert_eq!(
        pruned.to_string(),
        "dropped 1 of 4 nodes (unary), which make 16 bytes; no output needs the input c"
    );
    assert_eq!(pruned.graph.nodes().len(), 3);
    assert_eq!(pruned.graph.to_string(), graph.to_string());
    check_topological(&pruned.graph, &pruned.graph.wanted());
    let names: Vec<&str> = pruned.graph.inputs().map(|(_, name, _)| name).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(pruned.graph.pruned().to_string(), "dropped 0 of 3 nodes");
}

#[test]
fn nodes_have_names_after_their_scopes() {
    let graph = small();
    let names = graph.node_names();
    assert_eq!(
        names,
        ["unary", "outer/inner/binary", "outer/unary", "outer/binary"]
    );
    assert_eq!(graph.node_named("product"), Some(3));
    assert_eq!(graph.node_named("outer/unary"), Some(2));
    assert_eq!(graph.node_named("a"), None);
    let graph = gpt(2, 4).recording.graph();
    let mut names = graph.node_names();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), graph.nodes().len());
}

#[test]
fn statistics_count() {
    let graph = small();
    let statistics = graph.statistics();
    assert_eq!(statistics.operations["unary"], 2);
    assert_eq!(statistics.operations["binary"], 2);
    assert_eq!(statistics.scopes["outer/inner"], 1);
    assert_eq!((statistics.inputs, statistics.constants), (3, 0));
    assert_eq!((statistics.given_bytes, statistics.made_bytes), (48, 64));
    assert_eq!((statistics.depth, graph.depth()), (2, 2));
    assert_eq!(statistics.edges, 6);
    let text = statistics.to_string();
    assert!(
        text.starts_with("4 nodes, 6 edges, 3 inputs, 0 constants; the longest path has 2 nodes\n")
    );
}
