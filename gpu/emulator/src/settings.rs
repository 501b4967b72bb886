//! What environment variables choose.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

/// The order in which the threads of a block and the blocks of a launch run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Forward,
    Reverse,
    Shuffle,
}

pub struct Settings {
    pub eager: bool,
    pub memory: usize,
    pub devices: i32,
    pub arch: i32,
    pub driver: i32,
}

fn number<T: std::str::FromStr>(name: &str, default: T) -> T {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

pub static SETTINGS: LazyLock<Settings> = LazyLock::new(|| Settings {
    eager: number("EMULATOR_EAGER", 0) != 0,
    memory: number("EMULATOR_MEMORY", 4 << 30),
    devices: number("EMULATOR_DEVICES", 1),
    arch: number("EMULATOR_ARCH", 90),
    driver: number("EMULATOR_DRIVER", 13000),
});

static ORDER: LazyLock<AtomicU32> = LazyLock::new(|| {
    AtomicU32::new(match std::env::var("EMULATOR_ORDER").as_deref() {
        Ok("reverse") => 1,
        Ok("shuffle") => 2,
        _ => 0,
    })
});

pub fn order() -> Order {
    match ORDER.load(SeqCst) {
        1 => Order::Reverse,
        2 => Order::Shuffle,
        _ => Order::Forward,
    }
}

/// Sets the order of threads and blocks: 0 forward, 1 reversed, 2 shuffled.
#[unsafe(no_mangle)]
pub extern "C" fn emulator_set_order(order: u32) {
    ORDER.store(order, SeqCst);
}
