//! Define, then run: recordings and sessions.

mod names;
