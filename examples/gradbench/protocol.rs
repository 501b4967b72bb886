//! Messages and their answers.

use crate::evals::{self, EvalError};
use serde_json::{Value, json};

/// The answer to one line. Whatever is wrong with the line is said in the answer.
pub fn answer(line: &[u8]) -> Value {
    let message: Value = match serde_json::from_slice(line) {
        Ok(message) => message,
        Err(error) => return failure(Value::Null, &format!("malformed JSON: {error}")),
    };
    let id = message.get("id").cloned().unwrap_or(Value::Null);
    if !message.is_object() {
        return failure(id, "a message must be a JSON object");
    }
    let kind = match text(&message, "kind") {
        Ok(kind) => kind,
        Err(reason) => return failure(id, &reason),
    };
    let answered = match kind {
        "start" => Ok(json!({ "id": id, "tool": "differentiable" })),
        "define" => text(&message, "module")
            .map(|module| json!({ "id": id, "success": evals::MODULES.contains(&module) })),
        "evaluate" => evaluate(&message, &id),
        _ => Ok(json!({ "id": id })),
    };
    answered.unwrap_or_else(|reason| failure(id, &reason))
}

fn evaluate(message: &Value, id: &Value) -> Result<Value, String> {
    let module = text(message, "module")?;
    let function = text(message, "function")?;
    let input = message
        .get("input")
        .ok_or_else(|| EvalError::Missing("input".into()).to_string())?;
    let evaluation = evals::evaluate(module, function, input).map_err(|error| error.to_string())?;
    let timings: Vec<Value> = evaluation
        .nanoseconds
        .iter()
        .map(|nanoseconds| json!({ "name": "evaluate", "nanoseconds": nanoseconds }))
        .collect();
    Ok(json!({ "id": id, "success": true, "output": evaluation.output, "timings": timings }))
}

fn text<'a>(message: &'a Value, field: &str) -> Result<&'a str, String> {
    let value = message
        .get(field)
        .ok_or_else(|| EvalError::Missing(field.into()).to_string())?;
    value
        .as_str()
        .ok_or_else(|| EvalError::kind(field, "a string", value).to_string())
}

fn failure(id: Value, reason: &str) -> Value {
    json!({ "id": id, "success": false, "error": reason })
}
