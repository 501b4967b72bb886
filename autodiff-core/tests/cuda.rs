//! The GPU against the processor, on the emulator or a card.
