//! Text built at compile time, for the messages of const assertions.

const CAPACITY: usize = 256;

/// A string of bounded length; what does not fit is cut off.
#[derive(Clone, Copy)]
pub(crate) struct Text {
    buf: [u8; CAPACITY],
    len: usize,
}

impl Text {
    pub(crate) const fn new() -> Self {
        Text {
            buf: [0; CAPACITY],
            len: 0,
        }
    }

    const fn byte(mut self, b: u8) -> Self {
        if self.len < CAPACITY {
            self.buf[self.len] = b;
            self.len += 1;
        }
        self
    }

    pub(crate) const fn str(mut self, s: &str) -> Self {
        let (bytes, mut i) = (s.as_bytes(), 0);
        while i < bytes.len() {
            self = self.byte(bytes[i]);
            i += 1;
        }
        self
    }

    pub(crate) const fn num(mut self, n: usize) -> Self {
        let mut div = 1;
        while n / div >= 10 {
            div *= 10;
        }
        while div > 0 {
            self = self.byte(b'0' + (n / div % 10) as u8);
            div /= 10;
        }
        self
    }

    pub(crate) const fn shape(mut self, sizes: &[Option<usize>], names: &[&str]) -> Self {
        self = self.byte(b'[');
        let mut i = 0;
        while i < sizes.len() {
            if i > 0 {
                self = self.str(" × ");
            }
            self = match sizes[i] {
                Some(n) => self.num(n),
                None => self.str(names[i]),
            };
            i += 1;
        }
        self.byte(b']')
    }

    pub(crate) const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.buf.split_at(self.len).0) {
            Ok(s) => s,
            Err(_) => "shape mismatch",
        }
    }
}
