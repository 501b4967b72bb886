/// The letters to add, to remove and to replace before one text is the other (Levenshtein 1966). A letter of the pattern
/// for which `is_free` holds stands for any text, which costs nothing.
pub fn edit_distance(pattern: &str, name: &str, is_free: impl Fn(char) -> bool) -> usize {
    let name: Vec<char> = name.chars().collect();
    // For each beginning of the name: what the part of the pattern so far costs.
    let mut costs: Vec<usize> = (0..=name.len()).collect();
    for p in pattern.chars() {
        let free = is_free(p);
        let mut diagonal = costs[0];
        costs[0] += usize::from(!free);
        for (i, &c) in name.iter().enumerate() {
            let above = costs[i + 1];
            costs[i + 1] = match free {
                true => above.min(costs[i]),
                false => (diagonal + usize::from(p != c)).min(above.min(costs[i]) + 1),
            };
            diagonal = above;
        }
    }
    costs[name.len()]
}
