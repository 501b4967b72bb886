//! Recorded graphs as ONNX models.
