//! Sets of inputs, in an arena of the thread.
//!
//! Small sets are sorted lists, made when the union is. A union that would be larger is only noted as a
//! node with two parts, and read out once at the end: so a sum of `n` terms costs `n` nodes, and not `n`
//! lists of up to `n` entries.

use super::Traced;
use crate::ad::Scalar;
use std::cell::RefCell;

/// The longest list that is made eagerly.
const SMALL: usize = 32;
/// How many unions are remembered.
const RECENT: usize = 1 << 12;

/// The number of a set in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Set(u32);

impl Set {
    pub const EMPTY: Set = Set(0);

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub fn union(self, other: Set) -> Set {
        if self == other || other.is_empty() {
            return self;
        }
        if self.is_empty() {
            return other;
        }
        ARENA.with_borrow_mut(|arena| arena.union(self, other))
    }
}

thread_local! {
    static ARENA: RefCell<Arena> = RefCell::new(Arena::default());
}

#[derive(Clone, Copy)]
enum Node {
    /// Sorted inputs, a part of `Arena::inputs`.
    List { start: usize, len: usize },
    /// The union of two sets.
    Union(Set, Set),
}

#[derive(Default)]
struct Arena {
    nodes: Vec<Node>,
    inputs: Vec<u32>,
    /// Unions of late, each in the place that the numbers of its parts give.
    recent: Vec<(Set, Set, Set)>,
    /// For each node and input, the readout that last came by.
    node_stamps: Vec<u32>,
    input_stamps: Vec<u32>,
    stamp: u32,
}

impl Arena {
    fn new() -> Self {
        Arena {
            nodes: vec![Node::List { start: 0, len: 0 }],
            recent: vec![(Set::EMPTY, Set::EMPTY, Set::EMPTY); RECENT],
            ..Arena::default()
        }
    }

    fn add(&mut self, node: Node) -> Set {
        let number = u32::try_from(self.nodes.len()).expect("fewer than 2³² sets of inputs");
        self.nodes.push(node);
        Set(number)
    }

    fn single(&mut self, input: u32) -> Set {
        let start = self.inputs.len();
        self.inputs.push(input);
        self.add(Node::List { start, len: 1 })
    }

    fn union(&mut self, a: Set, b: Set) -> Set {
        let (a, b) = if a.0 < b.0 { (a, b) } else { (b, a) };
        let hash = a.0.wrapping_mul(0x9e37_79b1) ^ b.0.wrapping_mul(0x85eb_ca6b);
        let place = (hash >> 16) as usize % RECENT;
        let (x, y, known) = self.recent[place];
        if (x, y) == (a, b) {
            return known;
        }
        let union = self.make(a, b);
        self.recent[place] = (a, b, union);
        union
    }

    fn make(&mut self, a: Set, b: Set) -> Set {
        let (x, y) = (self.nodes[a.0 as usize], self.nodes[b.0 as usize]);
        let (Node::List { start: i, len: n }, Node::List { start: j, len: m }) = (x, y) else {
            return self.add(Node::Union(a, b));
        };
        let start = self.inputs.len();
        let (mut i, mut j, to_i, to_j) = (i, j, i + n, j + m);
        while i < to_i || j < to_j {
            let x = if i < to_i { self.inputs[i] } else { u32::MAX };
            let y = if j < to_j { self.inputs[j] } else { u32::MAX };
            i += usize::from(x <= y);
            j += usize::from(y <= x);
            self.inputs.push(x.min(y));
        }
        let len = self.inputs.len() - start;
        if len > n && len > m && len <= SMALL {
            return self.add(Node::List { start, len });
        }
        self.inputs.truncate(start);
        match (len == n, len == m) {
            // One of them has all inputs of the other.
            (true, _) => a,
            (_, true) => b,
            _ => self.add(Node::Union(a, b)),
        }
    }

    /// The inputs of a set, sorted, for as long as the arena is not changed. It becomes a list.
    fn read(&mut self, set: Set) -> &[u32] {
        if let Node::Union(..) = self.nodes[set.0 as usize] {
            self.stamp += 1;
            self.node_stamps.resize(self.nodes.len(), 0);
            let start = self.inputs.len();
            let mut left = vec![set];
            while let Some(Set(number)) = left.pop() {
                let number = number as usize;
                if core::mem::replace(&mut self.node_stamps[number], self.stamp) == self.stamp {
                    continue;
                }
                match self.nodes[number] {
                    Node::Union(a, b) => left.extend([a, b]),
                    Node::List { start, len } => {
                        for k in start..start + len {
                            let input = self.inputs[k];
                            let seen = &mut self.input_stamps[input as usize];
                            if core::mem::replace(seen, self.stamp) != self.stamp {
                                self.inputs.push(input);
                            }
                        }
                    }
                }
            }
            self.inputs[start..].sort_unstable();
            let len = self.inputs.len() - start;
            self.nodes[set.0 as usize] = Node::List { start, len };
        }
        match self.nodes[set.0 as usize] {
            Node::List { start, len } => &self.inputs[start..start + len],
            Node::Union(..) => unreachable!("it became a list"),
        }
    }
}

/// An arena of its own for one run of a function. One that began before goes on after.
pub(crate) struct Tracing(Arena);

impl Tracing {
    pub(crate) fn start() -> Self {
        Tracing(ARENA.replace(Arena::new()))
    }

    /// Appends the inputs that a value depends on, sorted.
    pub(crate) fn read<T>(&self, value: Traced<T>, to: &mut Vec<usize>) {
        ARENA.with_borrow_mut(|arena| {
            to.extend(arena.read(value.set).iter().map(|input| *input as usize));
        });
    }
}

impl Drop for Tracing {
    fn drop(&mut self) {
        ARENA.set(core::mem::take(&mut self.0));
    }
}

/// Makes the scalars of the arguments inputs, in order.
#[derive(Debug, Default)]
pub struct Inputs {
    /// How many there are.
    pub count: usize,
}

impl Inputs {
    /// The next input.
    pub fn seed<T: Scalar>(&mut self, value: T) -> Traced<T> {
        let number = u32::try_from(self.count)
            .ok()
            .filter(|n| *n < u32::MAX)
            .expect("fewer than 2³² inputs");
        self.count += 1;
        let set = ARENA.with_borrow_mut(|arena| {
            arena.input_stamps.push(0);
            arena.single(number)
        });
        Traced { value, set }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(tracing: &Tracing, x: Traced<f64>) -> Vec<usize> {
        let mut all = Vec::new();
        tracing.read(x, &mut all);
        all
    }

    #[test]
    fn unions_of_few_and_of_many() {
        let tracing = Tracing::start();
        let mut seeds = Inputs::default();
        let x: Vec<_> = (0..100).map(|i| seeds.seed(f64::from(i))).collect();
        assert_eq!(inputs(&tracing, x[3] * x[1] + x[3]), [1, 3]);
        assert_eq!(inputs(&tracing, Traced::constant(2.0) * x[7]), [7]);
        let all: Traced<f64> = x.iter().rev().sum();
        assert_eq!(inputs(&tracing, all), (0..100).collect::<Vec<_>>());
        // Again, and a union with what became a list.
        assert_eq!(inputs(&tracing, all * x[50]).len(), 100);
        let half: Traced<f64> = x[..50].iter().sum();
        assert_eq!(inputs(&tracing, half + x[60]).len(), 51);
    }

    #[test]
    fn one_inside_of_another() {
        let outer = Tracing::start();
        let mut seeds = Inputs::default();
        let (x, y) = (seeds.seed(1.0), seeds.seed(2.0));
        {
            let inner = Tracing::start();
            let z = Inputs::default().seed(3.0);
            assert_eq!(inputs(&inner, z + z), [0]);
        }
        assert_eq!(inputs(&outer, x * y), [0, 1]);
    }
}
