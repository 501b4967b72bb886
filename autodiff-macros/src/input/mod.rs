//! What users write: the attribute and its options, the signature with what each parameter is to the derivative, and
//! the body made plain.

pub mod boxing;
pub mod checkpoint;
pub mod ctxt;
pub mod functions;
pub mod grids;
pub mod options;
pub mod own_macros;
pub mod plain;
pub mod signature;
pub mod trait_object;
pub mod well_formed;
