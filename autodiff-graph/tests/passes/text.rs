//! Graphs as lines of text, to the letter.

use crate::programs::loss_and_slope;
use differentiable::graph::Recording;
use differentiable::nn::*;
use differentiable::prelude::*;

/// The cell of PyTorch's introduction to TorchScript: `tanh(linear(x) + h)`.
#[module]
struct MyCell {
    linear: Linear<4, 4>,
}

#[differentiable]
impl MyCell {
    fn forward(&self, x: &Tensor![3, 4], h: &Tensor![3, 4]) -> Tensor![3, 4] {
        (self.linear.forward(x) + h).tanh()
    }
}

/// The scopes and lines of the program, without which a text does not depend on where things stand in files.
fn without_comments(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once(" # ") {
        Some((line, _)) => line.trim_end(),
        None => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn my_cell() {
    let recording = Recording::new();
    let cell = recording.module(&MyCell::new(&mut Seeds::new(0)));
    let x = recording.input("x", <shape![3, 4]>::default());
    let h = recording.input("h", <shape![3, 4]>::default());
    let y = recording.named("cell", || cell.forward(&x, &h));
    recording.output("y", &y);
    let text = recording.graph().to_string();
    println!("{text}");
    assert_eq!(
        without_comments(&text),
        "\
linear.weight: f32[4, 4] = input
linear.bias: f32[4] = input
x: f32[3, 4] = input
h: f32[3, 4] = input
%0: f32[3, 4] = affine x linear.weight linear.bias
y: f32[3, 4] = region{region: {tanh(x0 + x1)}} %0 h
return y"
    );
    // Functions are scopes.
    let of_cell = text.matches(" # cell/MyCell::forward").count();
    let of_layer = text
        .matches(" # cell/MyCell::forward/Linear::forward, ")
        .count();
    assert_eq!((of_cell, of_layer), (2, 1), "{text}");
}

#[test]
fn lines_say_where_they_were_recorded() {
    let recording = Recording::new();
    let x: Tensor![2] = recording.input("x", Default::default());
    let y = recording.named("outer", || recording.named("inner", || x.tanh()));
    let line = line!() - 1;
    recording.output("y", &y);
    let text = recording.graph().to_string();
    let expected = format!(
        "x: f32[2] = input\n{:60} # outer/inner, {}:{line}\nreturn y\n",
        "y: f32[2] = unary{op: Tanh} x",
        file!()
    );
    assert_eq!(text, expected);
}

#[test]
fn parts_of_values_and_outputs() {
    let recording = Recording::new();
    let x: Tensor![3, 4] = recording.input("x", Default::default());
    let y = x.exp();
    recording.output("first", &y);
    recording.output("second", &y); // a name is given once
    recording.output("turned", &y.t());
    recording.output("row", &y.slice::<0, 1, 2>());
    let text = without_comments(&recording.graph().to_string());
    assert_eq!(
        text,
        "\
x: f32[3, 4] = input
first: f32[3, 4] = unary{op: Exp} x
return first, second = first, turned = firstᵀ, row = first[2, 4]/[4, 1] from 4"
    );
}

/// A formula of hundreds of characters does not fill the screen.
#[test]
fn long_attributes_are_cut() {
    #[differentiable]
    fn long(x: &Tensor![5], y: &Tensor![5]) -> Tensor![5] {
        let mut s = x * y;
        s = s.sin() * x.cos() + y.exp() * x.tanh() - s.sqrt() * y.ln()
            + (x - y).square() * (x + y).square();
        s = s.sin() * x.cos() + y.exp() * x.tanh() - s.sqrt() * y.ln()
            + (x - y).square() * (x + y).square();
        s
    }
    let recording = Recording::new();
    let x: Tensor![5] = recording.input("x", Default::default());
    let y: Tensor![5] = recording.input("y", Default::default());
    recording.output("z", &recording.scope(|| long(&x, &y)));
    let text = without_comments(&recording.graph().to_string());
    let line = text.lines().find(|l| l.starts_with("z:")).unwrap();
    assert!(line.contains("..} "), "{line}");
    assert!(line.chars().count() < 180, "{line}");
}

#[test]
fn a_loss_and_its_slope() {
    let text = without_comments(&loss_and_slope().graph().to_string());
    let expected = "\
w: f32[3, 2] = input
x: f32[4, 3] = input
y: f32[4, 2] = input
%0: f32[4, 2] = gemm{beta: 0.0} x w
";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("region_sum"), "{text}");
    assert!(text.contains("t0 = x0 - x1; t0 * t0"), "{text}");
    assert!(
        text.contains("slope: f32[3, 2] = gemm{beta: 0.0} xᵀ"),
        "{text}"
    );
    assert!(text.ends_with("return loss, slope"), "{text}");
}
