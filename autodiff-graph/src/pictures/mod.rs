//! Graphs to look at.
//!
//! | file | what it has |
//! |---|---|
//! | `names` | names of values |
//! | `labels` | what a node is told, in few words |
//! | `text` | a graph as lines of text |
//! | `dot` | a graph for Graphviz |
//! | `values` | the numbers of a run |
//! | `picture` | what is drawn: boxes, arrows, colours |
//! | `svg/` | a picture without other programs, with the feature `svg` |
//! | `tensorboard` | a graph for TensorBoard |

mod dot;
mod labels;
mod names;
mod picture;
#[cfg(feature = "svg")]
mod svg;
mod tensorboard;
mod text;
mod values;

pub use picture::Picture;
pub use values::{Everything, Values};
