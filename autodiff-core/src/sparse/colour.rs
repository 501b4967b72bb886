//! Greedy colourings: which columns share a direction.
//!
//! Each vertex in turn gets the smallest colour that is allowed by those before it. Both are done in the order
//! of the columns, which is the best for bands, and with the fullest columns first; the one with fewer colours counts.

use super::Pattern;

/// The colour of a column without entries, which needs no direction.
pub(super) const NONE: u32 = u32::MAX;

/// A colour for each column, and how many colours there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Colouring {
    pub colours: Vec<u32>,
    pub count: u32,
}

impl Colouring {
    fn new(colours: Vec<u32>) -> Self {
        let used = colours.iter().filter(|c| **c != NONE);
        let count = used.max().map_or(0, |c| c + 1);
        Colouring { colours, count }
    }

    /// No colouring has fewer colours than `least`.
    fn best(colour: impl Fn(&[usize]) -> Vec<u32>, degrees: &[usize], least: usize) -> Self {
        let mut order: Vec<usize> = (0..degrees.len()).collect();
        order.retain(|j| degrees[*j] > 0);
        let natural = Colouring::new(colour(&order));
        if natural.count as usize <= least {
            return natural;
        }
        order.sort_by_key(|j| core::cmp::Reverse(degrees[*j]));
        let fullest = Colouring::new(colour(&order));
        if fullest.count < natural.count {
            fullest
        } else {
            natural
        }
    }
}

/// Colours that the vertex in turn cannot have.
#[derive(Default)]
struct Forbidden(Vec<usize>);

impl Forbidden {
    /// For the vertex `turn`, the numbers of which do not come twice and begin with 1.
    fn add(&mut self, turn: usize, colour: u32) {
        let colour = colour as usize;
        if colour >= self.0.len() {
            self.0.resize(colour + 1, 0);
        }
        self.0[colour] = turn;
    }

    fn smallest_other(&self, turn: usize) -> u32 {
        let free = self.0.iter().position(|t| *t != turn);
        free.unwrap_or(self.0.len()) as u32
    }
}

fn degrees(columns: &Pattern) -> Vec<usize> {
    (0..columns.rows()).map(|j| columns.row(j).len()).collect()
}

/// Columns of one colour have no row in common.
///
/// The work is the sum of the squares of the lengths of the rows.
pub(super) fn columns(pattern: &Pattern) -> Colouring {
    let rows_of = pattern.transposed();
    let degrees = degrees(&rows_of);
    let filled = degrees.iter().filter(|d| **d > 0).count();
    let longest = (0..pattern.rows()).map(|i| pattern.row(i).len()).max();
    if longest == Some(filled) {
        // A row with everything: no two columns share a colour.
        let mut next = 0;
        let colours = degrees.iter().map(|d| match d {
            0 => NONE,
            _ => {
                next += 1;
                next - 1
            }
        });
        return Colouring::new(colours.collect());
    }
    let greedy = |order: &[usize]| {
        let mut colours = vec![NONE; degrees.len()];
        let mut forbidden = Forbidden::default();
        for (turn, &j) in order.iter().enumerate() {
            for &i in rows_of.row(j) {
                for &k in pattern.row(i) {
                    if colours[k] != NONE {
                        forbidden.add(turn + 1, colours[k]);
                    }
                }
            }
            colours[j] = forbidden.smallest_other(turn + 1);
        }
        colours
    };
    Colouring::best(greedy, &degrees, longest.unwrap_or(0))
}

/// A star colouring of the graph of a symmetric matrix: neighbours differ, and every path of four vertices
/// has three colours. So the neighbours of a vertex that have a colour are one, or this vertex is the only
/// neighbour of its colour that each of them has.
pub(super) fn star(pattern: &Pattern) -> Colouring {
    let greedy = |order: &[usize]| Stars::new(pattern).run(order);
    Colouring::best(greedy, &degrees(pattern), 0)
}

/// The neighbours of a vertex that have a colour.
#[derive(Clone, Copy)]
struct Class {
    colour: u32,
    first: usize,
    more: bool,
}

struct Stars<'a> {
    pattern: &'a Pattern,
    colours: Vec<u32>,
    /// For each vertex, the colours of its neighbours.
    classes: Vec<Vec<Class>>,
    /// For each vertex `x`, the colours of neighbours `w` that it has two of: `x` is the centre of a star
    /// whose points have that colour. The list is kept with the points.
    centres: Vec<Vec<u32>>,
    forbidden: Forbidden,
}

impl<'a> Stars<'a> {
    fn new(pattern: &'a Pattern) -> Self {
        let n = pattern.rows();
        Stars {
            pattern,
            colours: vec![NONE; n],
            classes: vec![Vec::new(); n],
            centres: vec![Vec::new(); n],
            forbidden: Forbidden::default(),
        }
    }

    fn run(mut self, order: &[usize]) -> Vec<u32> {
        for (turn, &v) in order.iter().enumerate() {
            self.forbid(turn + 1, v);
            self.give(v, self.forbidden.smallest_other(turn + 1));
        }
        self.colours
    }

    fn neighbours(&self, v: usize) -> impl Iterator<Item = usize> + use<'a> {
        let all: &'a [usize] = self.pattern.row(v);
        all.iter().copied().filter(move |w| *w != v)
    }

    fn forbid(&mut self, turn: usize, v: usize) {
        for w in self.neighbours(v) {
            let colour = self.colours[w];
            if colour == NONE {
                continue;
            }
            self.forbidden.add(turn, colour);
            let class = self.classes[v].iter().find(|c| c.colour == colour);
            if class.is_some_and(|c| c.more) {
                // Two neighbours of one colour: x - w - v - w' would have two.
                for c in &self.classes[w] {
                    self.forbidden.add(turn, c.colour);
                }
            } else {
                // v - w - x - y, where x has the points w and y.
                for c in &self.centres[w] {
                    self.forbidden.add(turn, *c);
                }
            }
        }
    }

    fn give(&mut self, v: usize, colour: u32) {
        self.colours[v] = colour;
        for w in self.neighbours(v) {
            let own = self.colours[w];
            let known = self.classes[w].iter_mut().find(|c| c.colour == colour);
            match known {
                None => self.classes[w].push(Class {
                    colour,
                    first: v,
                    more: false,
                }),
                Some(class) => {
                    let (first, had_more) = (class.first, class.more);
                    class.more = true;
                    if own != NONE {
                        // `w` is the centre of a star with the points `v` and `first`.
                        insert(&mut self.centres[v], own);
                        if !had_more {
                            insert(&mut self.centres[first], own);
                        }
                    }
                }
            }
        }
        // The stars whose centre `v` is from now on.
        for w in self.neighbours(v) {
            let of_w = self.colours[w];
            let more = self.classes[v].iter().any(|c| c.colour == of_w && c.more);
            if more {
                insert(&mut self.centres[w], colour);
            }
        }
    }
}

fn insert(colours: &mut Vec<u32>, colour: u32) {
    if !colours.contains(&colour) {
        colours.push(colour);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn band(n: usize, left: usize, right: usize) -> Pattern {
        let entries = (0..n)
            .flat_map(|i| (i.saturating_sub(left)..(i + right + 1).min(n)).map(move |j| (i, j)));
        Pattern::from_entries((n, n), entries).unwrap()
    }

    fn arrow(n: usize, centre: usize) -> Pattern {
        let entries = (0..n).flat_map(|i| [(i, i), (i, centre), (centre, i)]);
        Pattern::from_entries((n, n), entries).unwrap()
    }

    #[test]
    fn bands_have_as_many_colours_as_diagonals() {
        for (left, right) in [(0, 0), (1, 1), (0, 3), (2, 2), (4, 1)] {
            assert_eq!(
                columns(&band(50, left, right)).count as usize,
                left + right + 1
            );
        }
        assert_eq!(star(&band(50, 1, 1)).count, 3);
        assert!(star(&band(50, 2, 2)).count <= 5);
        assert_eq!(columns(&band(0, 1, 1)).count, 0);
    }

    #[test]
    fn arrows_have_two() {
        for centre in [0, 3, 99_999] {
            assert_eq!(star(&arrow(100_000, centre)).count, 2);
        }
        assert_eq!(columns(&arrow(1000, 0)).count, 1000);
    }

    /// By the definition, over all paths.
    fn is_star(pattern: &Pattern, colours: &[u32]) -> bool {
        let near = |v: usize| pattern.row(v).iter().copied().filter(move |w| *w != v);
        (0..pattern.rows()).all(|a| {
            near(a).all(|b| {
                colours[a] != colours[b]
                    && near(b)
                        .filter(|c| *c != a && colours[*c] == colours[a])
                        .all(|c| near(c).all(|d| d == b || colours[d] != colours[b]))
            })
        })
    }

    proptest! {
        #[test]
        fn star_colourings_are_valid(
            n in 1..24usize,
            entries in proptest::collection::vec((0..24usize, 0..24usize), 0..80),
        ) {
            let entries = entries.into_iter().filter(|(i, j)| i < &n && j < &n);
            let pattern = Pattern::from_entries((n, n), entries).unwrap().symmetrized();
            let found = star(&pattern);
            prop_assert!(is_star(&pattern, &found.colours));
            let columns = columns(&pattern);
            for i in 0..n {
                let mut row: Vec<u32> = pattern.row(i).iter().map(|j| columns.colours[*j]).collect();
                row.sort_unstable();
                prop_assert!(row.windows(2).all(|w| w[0] != w[1]) && !row.contains(&NONE));
            }
        }
    }
}
