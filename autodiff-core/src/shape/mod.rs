//! Typed shapes: dimensions, type-level sizes, and the traits that check them.
