//! Layers and the module trait.
