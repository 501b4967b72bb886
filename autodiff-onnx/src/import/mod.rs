//! ONNX models as programs.
