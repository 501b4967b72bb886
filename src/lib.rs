// Links of the pages lead to chapters of the book; in the documentation of the crate, to the modules that hold them.
// The first definition of a link counts.
#![doc = include_str!("links.md")]
#![doc = include_str!("../README.md")]

#[cfg(not(feature = "nn"))]
pub use autodiff_core::*;
#[cfg(all(feature = "nn", not(feature = "train")))]
pub use autodiff_nn::*;
#[cfg(feature = "train")]
pub use autodiff_train::*;

#[cfg(feature = "graph")]
pub use autodiff_graph as graph;
#[cfg(feature = "onnx")]
pub use autodiff_onnx as onnx;
#[cfg(feature = "tape")]
pub use autodiff_tape as tape;

/// A module for each chapter of the book, whose text it has as documentation.
macro_rules! book {
    ($($chapter:ident: $file:literal,)*) => {
        $(
            #[doc = include_str!("links.md")]
            #[doc = include_str!(concat!("../docs/book/src/", $file))]
            pub mod $chapter {}
        )*
    };
}

/// The book, chapter by chapter.
pub mod guide {
    book! {
        first_gradient: "first-gradient.md",
        rust: "rust.md",
        structs: "structs.md",
        tensors: "tensors.md",
        training: "training.md",
        modules: "modules.md",
        state: "state.md",
        layers: "layers.md",
        data: "data.md",
        fit: "fit.md",
        saving: "saving.md",
        logs: "logs.md",
        weights: "weights.md",
        devices: "devices.md",
        gpus: "gpus.md",
        ranks: "ranks.md",
        cluster: "cluster.md",
        scaling: "scaling.md",
        graphs: "graphs.md",
        sessions: "sessions.md",
        tapes: "tapes.md",
        onnx: "onnx.md",
        higher: "higher.md",
        sparse: "sparse.md",
        equations: "equations.md",
        rules: "rules.md",
        memory: "memory.md",
        inspecting: "inspecting.md",
        faster: "faster.md",
        crates: "crates.md",
        limits: "limits.md",
        pytorch: "pytorch.md",
        glossary: "glossary.md",
        language: "reference/language.md",
        operations: "reference/operations.md",
        accuracy: "reference/accuracy.md",
    }
}
