//! Graphs as text and for Graphviz.

use differentiable::graph::Recording;
use differentiable::prelude::*;

#[differentiable]
fn loss(
    w: &Tensor![3, 2],
    #[constant] x: &Tensor![4, 3],
    #[constant] y: &Tensor![4, 2],
) -> Tensor![] {
    (x.matmul(w) - y).square().sum()
}

fn recorded() -> Recording {
    let r = Recording::new();
    let w = r.variable("w", &Tensor::<shape![3, 2]>::ones());
    let (x, y) = (
        r.input("x", Default::default()),
        r.input("y", Default::default()),
    );
    let (value, slope) = r.scope(|| loss::value_and_grad(&w, &x, &y));
    r.output("loss", &value);
    r.output("slope", &slope);
    r
}

#[test]
fn a_line_for_each_node() {
    let text = recorded().graph().to_string();
    let expected = "\
w: f32[3, 2] = input
x: f32[4, 3] = input
y: f32[4, 2] = input
%0: f32[4, 2] = gemm{beta: 0.0} x w
";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("region_sum"), "{text}");
    assert!(text.contains("t0 = x0 - x1; t0 * t0"), "{text}");
    assert!(text.contains("gemm{beta: 0.0} xᵀ"), "{text}");
    assert!(
        text.lines().last().unwrap().starts_with("slope = %"),
        "{text}"
    );
}

#[test]
fn every_arrow_of_dot_has_two_ends() {
    let dot = recorded().graph().to_dot();
    let nodes: Vec<&str> = dot
        .lines()
        .filter(|l| l.contains("[shape="))
        .map(|l| l.split_whitespace().next().unwrap())
        .collect();
    let arrows: Vec<(&str, &str)> = dot
        .lines()
        .filter_map(|l| l.trim().trim_end_matches(';').split_once(" -> "))
        .map(|(from, to)| (from, to.split(' ').next().unwrap()))
        .collect();
    assert!(arrows.len() >= 7, "{dot}");
    for (from, to) in arrows {
        assert!(
            nodes.contains(&from) && nodes.contains(&to),
            "{from} -> {to} in {dot}"
        );
    }
}
