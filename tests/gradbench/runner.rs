//! The program itself, through its pipes.

#[path = "../support/programs.rs"]
mod programs;

use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// Runs the example with the given standard input.
fn run(input: &[u8]) -> Vec<Value> {
    let mut run = Command::new(programs::program("gradbench"));
    run.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = run.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_session() {
    assert!(run(b"").is_empty());

    let mut input = Vec::new();
    input.extend(b"{\"id\":0,\"kind\":\"start\",\"eval\":\"hello\"}\n");
    input.extend(b"{\"id\":1,\"kind\":\"define\",\"module\":\"hello\"}\n");
    input.extend(b"not JSON\n\n");
    input.extend(b"\xff\n");
    input.extend(b"{\"id\":2,\"kind\":\"evaluate\",\"module\":\"hello\",\"function\":\"double\",\"input\":-1.5}\n");
    input.extend(b"{\"id\":3,\"kind\":\"analysis\",\"of\":2,\"valid\":true}"); // no line end
    let answers = run(&input);
    assert_eq!(answers.len(), 6);
    assert_eq!(answers[0], json!({ "id": 0, "tool": "differentiable" }));
    assert_eq!(answers[1], json!({ "id": 1, "success": true }));
    assert_eq!(answers[2]["success"], json!(false));
    assert_eq!(answers[3]["success"], json!(false));
    assert_eq!(answers[4]["output"], json!(-3.0));
    assert_eq!(answers[5], json!({ "id": 3 }));
}
