//! Passes over large graphs end soon. Times are no part of the test; `--nocapture` shows them.

use crate::programs::gpt;
use differentiable::graph::Passes;
use std::time::Instant;

#[test]
fn passes_of_a_transformer_of_twelve_blocks() {
    let time = |what: &str, since: Instant| println!("{what}: {:?}", since.elapsed());
    let start = Instant::now();
    let r = gpt(12, 16);
    time("recorded", start);
    let start = Instant::now();
    let graph = r.recording.graph();
    time("copied", start);
    let wanted = vec![r.recording.graph().outputs()[0].value];
    println!("{}", graph.statistics());
    for (name, passes) in [
        ("plain", Passes::none()),
        ("merged", Passes::none().merge(true)),
        ("merged and folded", Passes::default()),
        ("reordered", Passes::default().reorder(true)),
    ] {
        let start = Instant::now();
        let plan = graph.plan_with(&wanted, &passes).unwrap();
        time(name, start);
        println!("{} nodes, {}", plan.order().len(), graph.memory(&plan));
    }
    let start = Instant::now();
    let cost = graph.cost();
    time("cost", start);
    println!("{cost}");
    assert!(graph.nodes().len() > 300);
}
