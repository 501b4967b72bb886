//! CPU kernels over untyped buffers; never generic over shape.
