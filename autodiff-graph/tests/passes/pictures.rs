//! DOT and SVG: every box and arrow is there, and other programs can read them.

use crate::programs::{gpt, loss_and_slope};
use differentiable::graph::{Everything, Feeds, Recording, Session};
use differentiable::prelude::*;

#[test]
fn every_arrow_of_dot_has_two_ends() {
    for r in [loss_and_slope(), gpt(2, 4).recording] {
        let graph = r.graph();
        let dot = graph.to_dot();
        let boxes: Vec<&str> = dot
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
                boxes.contains(&from) && boxes.contains(&to),
                "{from} -> {to} in {dot}"
            );
        }
        assert_eq!(dot.matches('{').count(), dot.matches('}').count());
    }
}

#[test]
fn numbers_and_cotangents_stand_in_boxes() {
    let r = Recording::new();
    let x: Tensor![f64;] = r.input("x", ());
    let many: Tensor![f64; 6] = r.input("many", Default::default());
    let y = x.exp();
    let slope = &y * 1.0;
    r.output("y", &y);
    r.output("slope", &slope);
    r.output("most", &many.exp());
    let mut session = Session::new(&r, &Device::cpu());
    let many_ = tensor([-1.0, 0.0, 0.5, 2.0, 1.0, f64::NAN]);
    let feeds = Feeds::new().with(&x, &tensor(2.0)).with(&many, &many_);
    let values = session.run(&Everything, &feeds).unwrap();
    let graph = r.graph();
    let dot = graph
        .picture()
        .values(&values)
        .cotangent(&x, &slope)
        .title("e^x")
        .to_dot();
    assert!(
        dot.contains("x\\nf64[]\\n= 2\\ncotangent = 7.389056"),
        "{dot}"
    );
    assert!(dot.contains("= −1 .. 2, 1 NaN"), "{dot}");
    assert!(dot.contains("label=\"e^x\""), "{dot}");
}

#[cfg(feature = "svg")]
mod svg {
    use super::*;
    use differentiable::graph::Graph;

    /// Text of XML without its entities; nothing may be in it that has to be one.
    #[track_caller]
    fn plain(text: &str) -> String {
        assert!(!text.contains(['<', '>']), "{text}");
        assert!(
            !text.contains(|c: char| c.is_control() && c != '\n'),
            "{text:?}"
        );
        let mut parts = text.split('&');
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, rest) = part.split_once(';').expect("an entity ends");
            out += match name {
                "amp" => "&",
                "lt" => "<",
                "gt" => ">",
                "quot" => "\"",
                other => panic!("&{other};"),
            };
            out += rest;
        }
        out
    }

    /// The texts of a picture, which must be XML: tags that end, and attributes in quotes, each once in a tag.
    #[track_caller]
    fn texts(svg: &str) -> Vec<String> {
        let (mut texts, mut open) = (Vec::new(), Vec::new());
        let mut rest = svg;
        while let Some(at) = rest.find('<') {
            let text = plain(&rest[..at]);
            let end = at + rest[at..].find('>').expect("a tag ends");
            let tag = &rest[at + 1..end];
            rest = &rest[end + 1..];
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "{text}");
                if name == "text" {
                    texts.push(text);
                }
                continue;
            }
            let closed = tag.ends_with('/');
            let (name, mut attributes) = tag
                .trim_end_matches('/')
                .split_once(' ')
                .unwrap_or((tag, ""));
            let mut names = Vec::new();
            while !attributes.trim().is_empty() {
                let (name, after) = attributes
                    .trim_start()
                    .split_once("=\"")
                    .expect("a value in quotes");
                let (value, after) = after.split_once('"').expect("a quote ends");
                plain(value);
                assert!(!names.contains(&name), "{name} twice in {tag}");
                assert!(
                    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'),
                    "{tag}"
                );
                names.push(name);
                attributes = after;
            }
            if !closed {
                open.push(name.trim_end_matches('/'));
            }
        }
        assert!(rest.trim().is_empty() && open.is_empty(), "{open:?}");
        texts
    }

    /// Left, top, right and bottom of what is filled and has a border: boxes, and frames behind them.
    fn boxes(svg: &str) -> Vec<[f64; 4]> {
        let number = |line: &str, name: &str| -> f64 {
            let from = line.find(&format!(" {name}=\"")).unwrap() + name.len() + 3;
            line[from..].split('"').next().unwrap().parse().unwrap()
        };
        let lines = svg
            .lines()
            .filter(|l| l.starts_with("<rect") && l.contains("stroke-width"));
        lines
            .map(|l| {
                let (x, y) = (number(l, "x"), number(l, "y"));
                [x, y, x + number(l, "width"), y + number(l, "height")]
            })
            .collect()
    }

    #[track_caller]
    fn check(graph: &Graph) {
        let svg = graph.to_svg();
        let texts = texts(&svg);
        for output in graph.outputs() {
            assert!(texts.iter().any(|t| **t == *output.name), "{}", output.name);
        }
        let boxes = boxes(&svg);
        let nodes = graph.plan(&graph.wanted()).order().len();
        assert!(boxes.len() >= nodes + graph.outputs().len());
        // No two boxes lie over one another.
        for (k, a) in boxes.iter().enumerate() {
            for b in &boxes[..k] {
                let apart = a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3];
                assert!(apart, "{a:?} {b:?}");
            }
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn pictures_of_programs() {
        check(&loss_and_slope().graph());
        check(&gpt(1, 4).recording.graph());
        check(&gpt(4, 4).recording.graph());
        check(&Recording::new().graph());
    }

    #[test]
    fn texts_are_escaped() {
        let r = Recording::new();
        let x: Tensor![] = r.input("<x> & \"y\"\u{1}", ());
        let y = r.named("a<b>/c&d", || x.tanh().exp());
        r.output("]]>", &y);
        let graph = r.graph();
        let svg = graph.picture().title("1 < 2 & 3").to_svg();
        let texts = texts(&svg);
        for expected in ["<x> & \"y\"", "a<b>", "c&d", "]]>", "1 < 2 & 3"] {
            assert!(
                texts.iter().any(|t| t == expected),
                "{expected} in {texts:?}"
            );
        }
    }

    /// Programs of random structure: the layout neither fails nor overlaps.
    #[test]
    fn random_graphs_are_drawn() {
        for seed in 0..40_u64 {
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let mut below = |n: usize| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                (state >> 33) as usize % n
            };
            let r = Recording::new();
            let mut values: Vec<Tensor![2]> = (0..1 + below(3))
                .map(|k| r.input(&format!("x{k}"), Default::default()))
                .collect();
            for _ in 0..5 + below(40) {
                let (a, b) = (
                    values[below(values.len())].clone(),
                    values[below(values.len())].clone(),
                );
                let scope = ["a", "b", "a/c", "a/c/d", ""][below(5)];
                let step = || {
                    if scope.len().is_multiple_of(2) {
                        a.tanh()
                    } else {
                        &a * &b
                    }
                };
                values.push(if scope.is_empty() {
                    step()
                } else {
                    r.named(scope, step)
                });
            }
            for (k, value) in values.iter().rev().take(1 + below(4)).enumerate() {
                r.output(&format!("y{k}"), value);
            }
            check(&r.graph());
        }
    }
}

/// Functions have frames, unless they are a single operation.
#[test]
fn scopes_have_frames() {
    #[differentiable(unfused)]
    fn inner(x: &Tensor![3]) -> Tensor![3] {
        x.tanh().exp()
    }
    #[differentiable(unfused)]
    fn single(x: &Tensor![3]) -> Tensor![3] {
        x.cos()
    }
    #[differentiable(unfused)]
    fn outer(x: &Tensor![3]) -> Tensor![3] {
        single(&inner(x))
    }
    let r = Recording::new();
    let x: Tensor![3] = r.input("x", Default::default());
    r.output("y", &r.scope(|| outer(&x)));
    let graph = r.graph();
    let frames = |dot: String| -> Vec<String> {
        let mut lines = dot.lines();
        let mut found = Vec::new();
        while let Some(line) = lines.next() {
            if line.contains("subgraph") {
                found.push(lines.next().unwrap().trim().to_owned());
            }
        }
        found
    };
    assert_eq!(
        frames(graph.to_dot()),
        ["label=\"outer\";", "label=\"inner\";"]
    );
    assert_eq!(
        frames(graph.picture().scopes(1).to_dot()),
        ["label=\"outer\";"]
    );
    assert_eq!(frames(graph.picture().scopes(0).to_dot()).len(), 0);
}
