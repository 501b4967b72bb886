//! Programs that must not compile, and the messages they get.
//!
//! Bless with `TRYBUILD=overwrite cargo test -p differentiable --test ui`. The case that passes is not only a test:
//! with one in the run trybuild builds instead of checking, and only then are assertions evaluated
//! that are reported when a program is built.

#[test]
fn ui_messages() {
    let t = trybuild::TestCases::new();
    t.pass("tests/ui/pass/*.rs");
    t.compile_fail("tests/ui/unsupported/*.rs");
    t.compile_fail("tests/ui/attribute/*.rs");
    t.compile_fail("tests/ui/shape/*.rs");
}
