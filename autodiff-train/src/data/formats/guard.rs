//! Readers of other crates, some of which panic where a file is damaged.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a reader returns, or the message of its panic.
///
/// The reader must not change what is used after it has panicked: it makes a value of its own from the file.
pub(in crate::data) fn guarded<T>(read: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or(payload.downcast_ref::<&str>().copied());
        let text = text.unwrap_or("damaged contents").replace('\n', " ");
        format!("the reader cannot go on: {text}")
    })
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn a_panic_becomes_a_message() {
        assert_eq!(guarded(|| 3), Ok(3));
        let said = guarded(|| -> u8 { panic!("byte {}", 7) });
        assert_eq!(said.unwrap_err(), "the reader cannot go on: byte 7");
        let said = guarded(|| -> u8 { panic!("no byte") });
        assert_eq!(said.unwrap_err(), "the reader cannot go on: no byte");
    }
}
