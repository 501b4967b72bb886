//! Single operations against other libraries, one thread, in one run: `gemm` for products, candle and
//! ndarray for the rest.
//!
//! `RAYON_NUM_THREADS=1 cargo run --release --manifest-path benches/ops/Cargo.toml`; add
//! `-- products` (or another group) for one table, `-- --quick` to only check that it runs.
//!
//! Inputs are borrowed and results are new buffers, everywhere. Results are compared before times are.

#[path = "../../support/mod.rs"]
#[allow(dead_code)]
mod support;

mod conv;
mod elementwise;
mod norms;
mod products;
mod reductions;
mod table;

fn main() {
    assert_eq!(
        std::env::var("RAYON_NUM_THREADS").as_deref(),
        Ok("1"),
        "set RAYON_NUM_THREADS=1: all libraries are compared on one thread"
    );
    let groups: [(&str, fn(&mut table::Table)); 6] = [
        ("products", products::run),
        ("elementwise", elementwise::run),
        ("small", elementwise::small),
        ("reductions", reductions::run),
        ("norms", norms::run),
        ("conv", conv::run),
    ];
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    for name in &asked {
        assert!(
            groups.iter().any(|(g, _)| g == name),
            "no group is called {name:?}"
        );
    }
    for (name, run) in groups {
        if asked.is_empty() || asked.iter().any(|a| a == name) {
            run(&mut table::Table::new(name));
        }
    }
}
