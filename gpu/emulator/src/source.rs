//! CUDA C++ as g++ takes it: the shim, the kernels inside a namespace of their own, and an entry for each.

use std::fmt::Write;

pub const SHIM: &str = include_str!("../shim/shim.h");

/// The whole text that g++ compiles.
pub fn unit(source: &str, options: &[String]) -> String {
    let mut unit = String::new();
    for option in options {
        if let Some(defined) = option.strip_prefix("-D") {
            let _ = writeln!(unit, "#define {}", defined.trim().replacen('=', " ", 1));
        }
    }
    let _ = writeln!(
        unit,
        "{SHIM}\nnamespace {{\n#line 1 \"kernel\"\n{}\n}}",
        dynamic_shared(source)
    );
    for name in kernels(source) {
        let _ = writeln!(
            unit,
            "extern \"C\" void emulator_enter_{name}(void** p) {{ shim::enter(&{name}, p); }}"
        );
        let _ = writeln!(
            unit,
            "extern \"C\" unsigned emulator_sizes_{name}(unsigned* o) {{ return shim::sizes(&{name}, o); }}"
        );
    }
    unit
}

/// The names of the kernels: what follows `__global__ void`, launch bounds left out. A template has no entry.
pub fn kernels(source: &str) -> Vec<String> {
    let source = without_comments(source);
    let mut names = Vec::new();
    for part in source.split("__global__").skip(1) {
        let mut head = part.split('{').next().unwrap_or_default().to_owned();
        if let Some(at) = head.find("__launch_bounds__") {
            let end = head[at..].find(')').map_or(head.len(), |end| at + end + 1);
            head.replace_range(at..end, " ");
        }
        let name = head
            .split('(')
            .next()
            .unwrap_or_default()
            .replace("void", " ")
            .trim()
            .to_owned();
        if !name.is_empty()
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

fn without_comments(source: &str) -> String {
    let mut text = String::new();
    let mut rest = source;
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        text.push_str(&rest[..at]);
        let end = if rest[at..].starts_with("//") {
            rest[at..].find('\n')
        } else {
            rest[at..].find("*/").map(|end| end + 2)
        };
        rest = end.map_or("", |end| &rest[at + end..]);
    }
    text + rest
}

/// `extern __shared__ T name[];` is a pointer to what the machine has for the block.
fn dynamic_shared(source: &str) -> String {
    let mut parts = source.split("extern __shared__");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let declared = part.split_once("[]").and_then(|(declared, rest)| {
            let (element, name) = declared.trim().rsplit_once(char::is_whitespace)?;
            Some((element, name, rest))
        });
        match declared {
            Some((element, name, rest)) => {
                // An alignment stands before the type, and every block begins at one.
                let element = element
                    .rsplit_once(')')
                    .map_or(element, |(_, element)| element)
                    .trim();
                let _ = write!(
                    text,
                    "{element}* {name} = ({element}*)shim::machine->dynamic{rest}"
                );
            }
            None => text.push_str(part),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_kernels() {
        let source = "extern \"C\" __global__ void __launch_bounds__(256) a(int n) {}\n// __global__ void not()\n\
            /* __global__ void nor() */ template <int N> __global__ void t() {}\n__global__ void b() {}";
        assert_eq!(kernels(source), ["a", "t", "b"]);
    }

    #[test]
    fn shared_memory_of_a_launch() {
        let text = dynamic_shared("extern __shared__ __align__(16) float tile[];\nx");
        assert_eq!(text, "float* tile = (float*)shim::machine->dynamic;\nx");
    }
}
