//! Programs as graphs: two worked examples of lectures on differentiation, forward and backward with all intermediate
//! values and cotangents, and a network before and after its operations are fused.
//!
//! `cargo run --release --example graph -- --out DIR`

use anyhow::Result;
use clap::Parser;
use differentiable::graph::{Everything, Feeds, Graph, Recording, Scope, Session, Values};
use differentiable::nn::Seeds;
use differentiable::prelude::*;
use std::path::{Path, PathBuf};

/// Records programs, prints their graphs, their values and what they cost, and draws them. Prints the largest difference
/// between a derivative and its formula.
#[derive(Debug, Parser)]
#[command(name = "graph")]
struct Args {
    /// A folder for the pictures: `.svg`, `.dot` for Graphviz, and `events.out.tfevents.graph` for TensorBoard
    #[arg(long)]
    out: Option<PathBuf>,
}

dim!(Batch);

/// The operations of the worked examples, each with its rule: `scale::vjp` gives the value, and the way back.
mod step {
    use differentiable::prelude::*;

    #[differentiable(unfused)]
    pub fn scale(x: &Tensor![f64;], #[constant] k: f64) -> Tensor![f64;] {
        x * k
    }
    #[differentiable(unfused)]
    pub fn add(a: &Tensor![f64;], b: &Tensor![f64;]) -> Tensor![f64;] {
        a + b
    }
    #[differentiable(unfused)]
    pub fn subtract(a: &Tensor![f64;], b: &Tensor![f64;]) -> Tensor![f64;] {
        a - b
    }
    #[differentiable(unfused)]
    pub fn multiply(a: &Tensor![f64;], b: &Tensor![f64;]) -> Tensor![f64;] {
        a * b
    }
    #[differentiable(unfused)]
    pub fn exp(x: &Tensor![f64;]) -> Tensor![f64;] {
        x.exp()
    }
    #[differentiable(unfused)]
    pub fn ln(x: &Tensor![f64;]) -> Tensor![f64;] {
        x.ln()
    }
    #[differentiable(unfused)]
    pub fn sin(x: &Tensor![f64;]) -> Tensor![f64;] {
        x.sin()
    }
}

type Scalar = Tensor![f64;];

/// A worked example: its variables by name, in the order in which they are computed, each with its cotangent.
struct Worked {
    title: &'static str,
    recording: Recording,
    inputs: [Scalar; 2],
    variables: Vec<(&'static str, Scalar, Scalar)>,
}

/// `y = x1 + exp(1.5 x1 + 2 x2)`.
fn first() -> Worked {
    let recording = Recording::new();
    let (x1, x2): (Scalar, Scalar) = (recording.input("x1", ()), recording.input("x2", ()));
    // Forward: each step with its way back.
    let scope = Scope::enter("forward");
    let (v3, back3) = step::scale::vjp(&x1, 1.5);
    let (v4, back4) = step::scale::vjp(&x2, 2.0);
    let (v5, back5) = step::add::vjp(&v3, &v4);
    let (v6, back6) = step::exp::vjp(&v5);
    let (v7, back7) = step::add::vjp(&x1, &v6);
    drop(scope);
    // Backward: the cotangent of each variable, from the last. What comes to a variable on two ways is added.
    let _scope = Scope::enter("backward");
    let c7 = recording.input("ȳ", ());
    let (to_x1, c6) = back7(c7.clone());
    let c5 = back6(c6.clone());
    let (c3, c4) = back5(c5.clone());
    let c1 = to_x1 + back3(c3.clone());
    let c2 = back4(c4.clone());
    let variables = vec![
        ("x1", x1.clone(), c1),
        ("x2", x2.clone(), c2),
        ("v3 = 1.5 x1", v3.clone(), c3),
        ("v4 = 2 x2", v4.clone(), c4),
        ("v5 = v3 + v4", v5.clone(), c5),
        ("v6 = exp v5", v6.clone(), c6),
        ("y = x1 + v6", v7.clone(), c7),
    ];
    Worked {
        title: "y = x1 + exp(1.5 x1 + 2 x2) at (3, 0.5), forward and backward",
        recording,
        inputs: [x1, x2],
        variables,
    }
}

/// `y = ln x1 + x1 x2 − sin x2`.
fn second() -> Worked {
    let recording = Recording::new();
    let (x1, x2): (Scalar, Scalar) = (recording.input("x1", ()), recording.input("x2", ()));
    let scope = Scope::enter("forward");
    let (v3, back3) = step::ln::vjp(&x1);
    let (v4, back4) = step::multiply::vjp(&x1, &x2);
    let (v5, back5) = step::sin::vjp(&x2);
    let (v6, back6) = step::add::vjp(&v3, &v4);
    let (v7, back7) = step::subtract::vjp(&v6, &v5);
    drop(scope);
    let _scope = Scope::enter("backward");
    let c7 = recording.input("ȳ", ());
    let (c6, c5) = back7(c7.clone());
    let (c3, c4) = back6(c6.clone());
    let (x1_by_product, x2_by_product) = back4(c4.clone());
    let c1 = x1_by_product + back3(c3.clone());
    let c2 = x2_by_product + back5(c5.clone());
    let variables = vec![
        ("x1", x1.clone(), c1),
        ("x2", x2.clone(), c2),
        ("v3 = ln x1", v3.clone(), c3),
        ("v4 = x1 x2", v4.clone(), c4),
        ("v5 = sin x2", v5.clone(), c5),
        ("v6 = v3 + v4", v6.clone(), c6),
        ("y = v6 − v5", v7.clone(), c7),
    ];
    Worked {
        title: "y = ln x1 + x1 x2 − sin x2 at (2, 5), forward and backward",
        recording,
        inputs: [x1, x2],
        variables,
    }
}

impl Worked {
    /// Names what is computed, runs it, prints it and draws it; the derivatives by the inputs.
    fn show(&self, name: &str, at: [f64; 2], out: Option<&Path>) -> Result<[f64; 2]> {
        println!("{}\n", self.title);
        let (_, y, seed) = self.variables.last().expect("the result");
        self.recording.output("y", y);
        self.recording.output("x̄1", &self.variables[0].2);
        self.recording.output("x̄2", &self.variables[1].2);
        let graph = self.recording.graph();
        println!("{graph}");

        let mut session = Session::new(&self.recording, &Device::cpu());
        let mut feeds = Feeds::new().with(seed, &tensor(1.0));
        for (input, x) in self.inputs.iter().zip(at) {
            feeds = feeds.with(input, &tensor(x));
        }
        println!("{:<14} {:>12} {:>12}", "variable", "value", "cotangent");
        for (name, value, cotangent) in &self.variables {
            let (value, cotangent) = session.run((value, cotangent), &feeds)?;
            println!(
                "{name:<14} {:>12.6} {:>12.6}",
                value.item(),
                cotangent.item()
            );
        }
        println!();
        let values = session.run(&Everything, &feeds)?;
        if let Some(out) = out {
            self.draw(&graph, &values, name, out)?;
        }
        let slopes = (&self.variables[0].2, &self.variables[1].2);
        let (a, b) = session.run(slopes, &feeds)?;
        Ok([a.item(), b.item()])
    }

    fn draw(&self, graph: &Graph, values: &Values, name: &str, out: &Path) -> Result<()> {
        let mut picture = graph.picture().title(self.title).values(values);
        for (name, value, cotangent) in &self.variables {
            let name = name.split(' ').next().unwrap_or(name);
            picture = picture.name(value, name).cotangent(value, cotangent);
        }
        std::fs::write(out.join(format!("{name}.svg")), picture.to_svg())?;
        std::fs::write(out.join(format!("{name}.dot")), picture.to_dot())?;
        Ok(())
    }
}

/// Two layers with biases. The same body twice: its operations one by one, and fused.
macro_rules! network {
    ($(#[$attribute:meta])* $name:ident) => {
        $(#[$attribute])*
        fn $name(
            w1: &Tensor![8, 16], b1: &Tensor![16], w2: &Tensor![16, 4],
            #[constant] x: &Tensor![Batch, 8], #[constant] y: &Tensor![Batch, 4],
        ) -> Tensor![] {
            let hidden = (x.matmul(w1) + b1).gelu();
            (hidden.matmul(w2).sigmoid() - y).square().mean()
        }
    };
}
network! { #[differentiable(unfused)] plain }
network! { #[differentiable] fused }

/// The loss and the gradient of the network as a graph.
macro_rules! recorded {
    ($net:ident) => {{
        let r = Recording::new();
        let seeds = &mut Seeds::new(1);
        let w1 = r.variable("w1", &Tensor::randn(seeds.next_seed()));
        let b1 = r.variable("b1", &Tensor::zeros());
        let w2 = r.variable("w2", &Tensor::randn(seeds.next_seed()));
        let (x, y) = (r.input("x", (Batch(32), Sz)), r.input("y", (Batch(32), Sz)));
        let (loss, (d_w1, d_b1, d_w2)) = r.scope(|| $net::value_and_grad(&w1, &b1, &w2, &x, &y));
        r.output("loss", &loss);
        r.output("∂w1", &d_w1);
        r.output("∂b1", &d_b1);
        r.output("∂w2", &d_w2);
        r.graph()
    }};
}

fn main() -> Result<()> {
    let args = Args::parse();
    let out = args.out.as_deref();
    if let Some(out) = out {
        std::fs::create_dir_all(out)?;
    }

    let [a, b] = first().show("first", [3.0, 0.5], out)?;
    let e = 5.5_f64.exp();
    let mut error = f64::max((a - (1.0 + 1.5 * e)).abs(), (b - 2.0 * e).abs());
    let [a, b] = second().show("second", [2.0, 5.0], out)?;
    error = error
        .max((a - 5.5).abs())
        .max((b - (2.0 - 5.0_f64.cos())).abs());

    for (title, name, graph) in [
        (
            "A network and its gradient, operation by operation",
            "plain",
            recorded!(plain),
        ),
        ("The same network, fused", "fused", recorded!(fused)),
    ] {
        println!(
            "{title}\n\n{}\n{}",
            graph.pruned(),
            graph.pruned().graph.cost()
        );
        println!("{}\n", graph.memory(&graph.plan(&graph.wanted())));
        if let Some(out) = out {
            let picture = graph.picture().title(title);
            std::fs::write(out.join(format!("{name}.svg")), picture.to_svg())?;
            std::fs::write(out.join(format!("{name}.dot")), picture.to_dot())?;
            if name == "fused" {
                std::fs::write(out.join("events.out.tfevents.graph"), graph.to_event_file())?;
            }
        }
    }
    println!("largest difference from the formulas: {error:.1e}");
    Ok(())
}
