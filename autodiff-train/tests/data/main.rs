//! Data through the facade, as users call it.

mod batch;
mod formats;
mod loader;
