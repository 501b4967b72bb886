//! Tapes: programs whose structure is data, differentiated while they run.
