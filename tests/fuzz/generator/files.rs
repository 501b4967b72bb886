//! The files of a corpus.

use super::{Constructs, program};

/// The files with the programs of some seeds, so many in a file: their names and texts. The first is `mod.rs`.
pub fn files(
    seeds: impl Iterator<Item = u64>,
    in_a_file: usize,
    constructs: impl Fn(u64) -> Constructs,
) -> Vec<(String, String)> {
    let seeds: Vec<u64> = seeds.collect();
    let mut index = String::from(
        "//! Written by the generator: see `tests/fuzz_corpus.rs`.\n\nuse crate::Program;\n\n",
    );
    let (mut list, mut files) = (String::new(), Vec::new());
    for (part, seeds) in seeds.chunks(in_a_file).enumerate() {
        let module = format!("part{part:02}");
        let mut text =
            String::from("// Written by the generator.\n#![allow(warnings, clippy::all)]\n");
        for seed in seeds {
            let constructs = constructs(*seed);
            text.push('\n');
            text.push_str(&program(*seed, constructs));
            let order = match constructs.higher_order {
                true => " (second)",
                false => "",
            };
            list.push_str(&format!("        {module}::p{seed:03}{order}\n"));
        }
        index.push_str(&format!("mod {module};\n"));
        files.push((format!("{module}.rs"), text));
    }
    index.push_str(&format!(
        "\npub fn programs() -> &'static [Program] {{\n    crate::programs! {{\n{list}    }}\n}}\n"
    ));
    files.insert(0, ("mod.rs".into(), index));
    files
}
