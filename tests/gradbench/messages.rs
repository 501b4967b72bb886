//! Answers to messages, right and wrong.

use crate::protocol::answer;
use serde_json::{Value, json};

fn ask(message: &Value) -> Value {
    answer(message.to_string().as_bytes())
}

fn evaluate(module: &str, function: &str, input: Value) -> Value {
    ask(&json!({
        "id": 7, "kind": "evaluate", "module": module, "function": function, "input": input,
    }))
}

#[track_caller]
fn assert_refused(answer: &Value, reason: &str) {
    assert_eq!(answer["success"], json!(false), "{answer}");
    let error = answer["error"].as_str().unwrap();
    assert!(error.contains(reason), "{error}");
}

#[test]
fn the_messages_of_a_session() {
    assert_eq!(
        answer(br#"{"id":0,"kind":"start","eval":"gmm"}"#),
        json!({ "id": 0, "tool": "differentiable" })
    );
    for module in [
        "hello", "gmm", "ba", "lstm", "kmeans", "lse", "llsq", "particle", "saddle",
    ] {
        let message = json!({ "id": 1, "kind": "define", "module": module });
        assert_eq!(ask(&message), json!({ "id": 1, "success": true }));
    }
    let message = json!({ "id": 1, "kind": "define", "module": "ode" });
    assert_eq!(ask(&message), json!({ "id": 1, "success": false }));
    let message = json!({ "id": 3, "kind": "analysis", "of": 2, "valid": true });
    assert_eq!(ask(&message), json!({ "id": 3 }));
    assert_eq!(ask(&json!({ "id": 4, "kind": "end" })), json!({ "id": 4 }));
}

#[test]
fn hello() {
    let square = evaluate("hello", "square", json!(3.0));
    assert_eq!((&square["id"], &square["output"]), (&json!(7), &json!(9.0)));
    assert_eq!(evaluate("hello", "double", json!(3))["output"], json!(6.0));
    assert_eq!(square["timings"].as_array().unwrap().len(), 1);
    assert_eq!(square["timings"][0]["name"], json!("evaluate"));
    assert!(square["timings"][0]["nanoseconds"].is_u64());
}

#[test]
fn runs_are_repeated_as_asked() {
    let runs = |min_runs: usize, min_seconds: f64| {
        let input = json!({ "x": [1.0, 2.0], "min_runs": min_runs, "min_seconds": min_seconds });
        let answer = evaluate("lse", "gradient", input);
        answer["timings"].as_array().unwrap().len()
    };
    assert_eq!((runs(0, 0.0), runs(1, 0.0), runs(5, 0.0)), (1, 1, 5));
    assert!(runs(1, 0.01) > 5);
    let input = json!({ "x": [1.0, 2.0], "min_runs": 1, "min_seconds": 0.01 });
    let answer = evaluate("lse", "primal", input);
    let nanoseconds = |timing: &Value| timing["nanoseconds"].as_u64().unwrap();
    let total: u64 = answer["timings"]
        .as_array()
        .unwrap()
        .iter()
        .map(nanoseconds)
        .sum();
    // Times are cut to whole nanoseconds, one for each run at most.
    let runs = answer["timings"].as_array().unwrap().len() as u64;
    assert!(total + runs >= 10_000_000, "{total}");
}

#[test]
fn gradients_have_the_layout_of_the_input() {
    let input = json!({
        "d": 2, "k": 2, "n": 1, "alpha": [0.0, 0.0], "mu": [[0.0, 0.0], [1.0, 0.0]],
        "q": [[0.0, 0.0], [0.0, 0.0]], "l": [[0.5], [-0.5]], "x": [[0.5, 1.0]],
        "m": 0, "gamma": 1.0, "min_runs": 1, "min_seconds": 0.0,
    });
    let output = evaluate("gmm", "jacobian", input.clone())["output"].clone();
    let lengths = |name: &str| {
        let rows = output[name].as_array().unwrap();
        rows.iter()
            .map(|row| row.as_array().unwrap().len())
            .collect::<Vec<_>>()
    };
    assert_eq!(output["alpha"].as_array().unwrap().len(), 2);
    assert_eq!(
        (lengths("mu"), lengths("q"), lengths("l")),
        (vec![2, 2], vec![2, 2], vec![1, 1])
    );
    assert!(evaluate("gmm", "objective", input)["output"].is_f64());

    let input = json!({
        "main_params": [[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8]],
        "extra_params": [[0.3], [1.5], [0.9]], "state": [[-0.5], [0.25]],
        "sequence": [[2.0], [3.0]], "min_seconds": 0.0,
    });
    let output = evaluate("lstm", "jacobian", input)["output"].clone();
    assert_eq!(output.as_array().unwrap().len(), 8 + 3);

    let input = json!({ "x": [1.0, 2.0, 3.0], "n": 5, "min_seconds": 0.0 });
    let output = evaluate("llsq", "gradient", input)["output"].clone();
    assert_eq!(output.as_array().unwrap().len(), 3);
}

#[test]
fn bundle_adjustment_reports_the_ends() {
    let input = json!({
        "n": 2, "m": 3, "p": 4, "cam": [0.1, 0.2, 0.3, 0.0, 0.0, 0.0, 1.0, 0.5, 0.5, 0.1, 0.0],
        "x": [0.1, 0.2, 3.0], "w": 0.5, "feat": [0.4, 0.6], "min_seconds": 0.0,
    });
    let output = evaluate("ba", "objective", input.clone())["output"].clone();
    assert_eq!(
        output["reproj_error"]["elements"].as_array().unwrap().len(),
        2
    );
    assert_eq!(output["reproj_error"]["repeated"], json!(4));
    assert_eq!(output["w_err"], json!({ "element": 0.75, "repeated": 4 }));
    let output = evaluate("ba", "jacobian", input)["output"].clone();
    let rows: Vec<usize> = serde_json::from_value(output["rows"].clone()).unwrap();
    assert_eq!(
        rows,
        [0, 15, 30, 45, 60, 75, 90, 105, 120, 121, 122, 123, 124, 124]
    );
    let cols: Vec<usize> = serde_json::from_value(output["cols"].clone()).unwrap();
    assert_eq!((cols.len(), cols[10], cols[11], cols[14]), (31, 10, 22, 31));
    assert_eq!((cols[15], cols[30]), (0, 34));
    let vals: Vec<f64> = serde_json::from_value(output["vals"].clone()).unwrap();
    assert_eq!((vals.len(), vals[30]), (31, -1.0));
}

#[test]
fn kmeans_has_a_cost() {
    let input = json!({
        "points": [[0.0, 0.0], [3.0, 4.0]], "centroids": [[0.0, 1.0], [3.0, 3.0], [9.0, 9.0]],
        "min_seconds": 0.0,
    });
    assert_eq!(evaluate("kmeans", "cost", input)["output"], json!(2.0));
}

#[test]
fn kmeans_has_a_direction() {
    let input = json!({
        "points": [[0.0, 0.0], [3.0, 4.0], [2.0, 4.0]], "centroids": [[0.0, 1.0], [3.0, 3.0]],
        "min_seconds": 0.0,
    });
    // The way from the mean of the points of a centroid to the centroid.
    assert_eq!(
        evaluate("kmeans", "dir", input)["output"],
        json!([[0.0, 1.0], [0.5, -1.0]])
    );
}

/// What the evaluators of the suite expect.
#[test]
fn a_particle_is_steered_onto_the_origin() {
    for function in ["ff", "fr", "rf", "rr"] {
        let answer = evaluate(
            "particle",
            function,
            json!({ "w": 0.0, "min_seconds": 0.0 }),
        );
        let w = answer["output"].as_f64().unwrap();
        assert!(
            (w - 0.207_191_874_648_611_6).abs() < 1e-14,
            "{function}: {w}"
        );
    }
}

#[test]
fn a_saddle_point_is_found() {
    for function in ["ff", "fr", "rf", "rr"] {
        let input = json!({ "start": [1.0, 1.0], "min_seconds": 0.0 });
        let output = evaluate("saddle", function, input)["output"].clone();
        let found: Vec<f64> = serde_json::from_value(output).unwrap();
        assert_eq!(found.len(), 4);
        for x in found {
            assert!(
                (x - 8.246_324_826_140_356e-6).abs() < 1e-18,
                "{function}: {x}"
            );
        }
    }
}

#[test]
fn malformed_messages() {
    assert_refused(&answer(b"{"), "malformed JSON");
    assert_refused(&answer(b"\xff\xfe"), "malformed JSON");
    assert_refused(&answer("[".repeat(10_000).as_bytes()), "malformed JSON");
    assert_refused(&answer(b"[1, 2]"), "a message must be a JSON object");
    let no_kind = answer(br#"{"id":9}"#);
    assert_refused(&no_kind, "field `kind` is missing");
    assert_eq!(no_kind["id"], json!(9));
    assert_refused(
        &answer(br#"{"id":9,"kind":3}"#),
        "field `kind`: expected a string, found another kind of number",
    );
    assert_refused(
        &answer(br#"{"id":9,"kind":"define"}"#),
        "`module` is missing",
    );
    let no_input = json!({ "id": 1, "kind": "evaluate", "module": "lse", "function": "primal" });
    assert_refused(&ask(&no_input), "field `input` is missing");
    assert_refused(
        &evaluate("ode", "primal", json!({})),
        "unknown module `ode`",
    );
    assert_refused(
        &evaluate("hello", "cube", json!(1.0)),
        "module `hello` has no function `cube`",
    );
}

#[test]
fn malformed_inputs() {
    let lse = |input: Value| evaluate("lse", "gradient", input);
    assert_refused(&lse(json!(3)), "field `input`: expected an object");
    assert_refused(&lse(json!({})), "field `x` is missing");
    assert_refused(
        &lse(json!({ "x": [] })),
        "field `x`: expected at least 1 element, found 0",
    );
    assert_refused(
        &lse(json!({ "x": [1, null] })),
        "field `x[1]`: expected a number, found null",
    );
    assert_refused(&answer(br#"{"id":1,"kind":"evaluate","module":"lse","function":"primal","input":{"x":[1e999]}}"#), "out of range");
    assert_refused(
        &lse(json!({ "x": [1], "min_runs": -1 })),
        "field `min_runs`",
    );
    assert_refused(
        &lse(json!({ "x": [1], "min_seconds": -1 })),
        "field `min_seconds`",
    );

    let llsq = |x: Value, n: Value| evaluate("llsq", "gradient", json!({ "x": x, "n": n }));
    assert_refused(
        &llsq(json!([1]), json!(1)),
        "field `n`: expected an integer from 2",
    );
    assert_refused(
        &llsq(json!([1]), json!(2.5)),
        "field `n`: expected an integer",
    );
    assert_refused(
        &llsq(json!([1]), json!(1_u64 << 60)),
        "field `n`: expected an integer from",
    );

    let gmm = json!({
        "d": 2, "k": 1, "n": 1, "alpha": [0], "mu": [[0, 0]], "q": [[0, 0]], "l": [[0]],
        "x": [[0, 0]], "m": 0, "gamma": 1, "min_seconds": 0,
    });
    assert_eq!(
        evaluate("gmm", "objective", gmm.clone())["success"],
        json!(true)
    );
    for (field, value, reason) in [
        (
            "alpha",
            json!([0, 0]),
            "field `alpha`: expected 1 element, found 2",
        ),
        (
            "mu",
            json!([[0]]),
            "field `mu[0]`: expected 2 elements, found 1",
        ),
        (
            "l",
            json!([[0, 1]]),
            "field `l[0]`: expected 1 element, found 2",
        ),
        ("x", json!([0]), "field `x[0]`: expected an array"),
        ("k", json!(0), "field `k`: expected an integer from 1"),
        ("m", json!("two"), "field `m`: expected an integer"),
        (
            "gamma",
            json!(0),
            "field `gamma`: expected a positive number, found 0",
        ),
    ] {
        let mut changed = gmm.clone();
        changed[field] = value;
        assert_refused(&evaluate("gmm", "jacobian", changed), reason);
    }

    let lstm = json!({
        "main_params": [[1, 2, 3, 4], [5, 6, 7, 8]], "extra_params": [[1], [2], [3]],
        "state": [[1], [2]], "sequence": [[1], [2]], "min_seconds": 0,
    });
    assert_eq!(
        evaluate("lstm", "jacobian", lstm.clone())["success"],
        json!(true)
    );
    for (field, value, reason) in [
        (
            "main_params",
            json!([[1, 2, 3, 4]]),
            "field `main_params`: expected an even number of rows",
        ),
        (
            "main_params",
            json!([]),
            "field `main_params`: expected at least 1",
        ),
        (
            "main_params",
            json!([[1, 2, 3], [5, 6, 7]]),
            "field `main_params[0]`: expected 4 elements, found 3",
        ),
        (
            "extra_params",
            json!([[1], [2]]),
            "field `extra_params`: expected 3 elements, found 2",
        ),
        (
            "state",
            json!([[1], [2], [3]]),
            "field `state`: expected 2 elements, found 3",
        ),
        (
            "sequence",
            json!([[1]]),
            "field `sequence`: expected at least 2",
        ),
        (
            "sequence",
            json!([[1], [2, 3]]),
            "field `sequence[1]`: expected 1 element, found 2",
        ),
    ] {
        let mut changed = lstm.clone();
        changed[field] = value;
        assert_refused(&evaluate("lstm", "jacobian", changed), reason);
    }

    let ba =
        json!({ "n": 1, "m": 1, "p": 1, "cam": vec![0; 11], "x": [0, 0], "w": 1, "feat": [0, 0] });
    assert_refused(
        &evaluate("ba", "jacobian", ba),
        "field `x`: expected 3 elements, found 2",
    );
    assert_refused(
        &evaluate("saddle", "rr", json!({ "start": [1.0] })),
        "field `start`: expected 2 elements, found 1",
    );
    assert_refused(
        &evaluate("saddle", "r", json!({ "start": [1.0, 1.0] })),
        "module `saddle` has no function `r`",
    );
    // Its square overflows, and no step goes down.
    let far = json!({ "start": [1e300, -1e308], "min_seconds": 0 });
    assert_eq!(evaluate("saddle", "rr", far)["success"], json!(true));
    // The second charge pushes it up.
    assert_refused(
        &evaluate("particle", "rr", json!({ "w": 9.9 })),
        "field `w`: expected a control with which the particle meets the axis, found 9.9",
    );
    let kmeans = json!({ "points": [[1, 2]], "centroids": [[1]] });
    assert_refused(
        &evaluate("kmeans", "cost", kmeans),
        "field `centroids[0]`: expected 2 elements, found 1",
    );
}
