//! Writes the programs of a long run: `write FIRST COUNT FOLDER`. See `scripts/random_programs.sh`.

mod generator;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |i: usize| args[i].parse::<u64>().expect("a number");
    let (first, count, folder) = (number(1), number(2), std::path::Path::new(&args[3]));
    std::fs::create_dir_all(folder).expect("a writable folder");
    for (name, text) in generator::files(first..first + count, 10, generator::Constructs::all) {
        std::fs::write(folder.join(name), text).expect("a writable folder");
    }
}
