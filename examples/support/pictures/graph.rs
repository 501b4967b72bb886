//! Graphs: nodes and the edges between them.

use super::{COLOURS, GRID, INK, write};
use anyhow::Result;
use differentiable::nn::Seeds;
use plotters::prelude::*;
use std::path::Path;

/// The side of a graph's part of the picture, and the space around it, in pixels.
const SIDE: f64 = 360.0;
const MARGIN: f64 = 24.0;

/// A graph whose nodes have classes.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Pairs of nodes.
    pub edges: Vec<(usize, usize)>,
    /// The class of each node, which decides its colour.
    pub classes: Vec<usize>,
    /// Nodes that are drawn with a ring, such as those whose class was given.
    pub ringed: Vec<usize>,
    /// Nodes that are drawn with a cross, such as those whose class is wrong.
    pub crossed: Vec<usize>,
}

/// Draws graphs side by side.
///
/// # Errors
/// If the file cannot be written.
pub fn graphs(path: &Path, graphs: &[Graph]) -> Result<()> {
    let size = ((SIDE * graphs.len() as f64) as u32, SIDE as u32);
    write(path, size, |area| {
        for (i, graph) in graphs.iter().enumerate() {
            let places = layout(graph.classes.len(), &graph.edges);
            let at = |node: usize| {
                let (x, y) = places[node];
                (
                    (SIDE * i as f64 + MARGIN + x * (SIDE - 2.0 * MARGIN)) as i32,
                    (MARGIN + y * (SIDE - 2.0 * MARGIN)) as i32,
                )
            };
            for (a, b) in &graph.edges {
                area.draw(&PathElement::new([at(*a), at(*b)], GRID))?;
            }
            for (node, class) in graph.classes.iter().enumerate() {
                let color = COLOURS[class % COLOURS.len()];
                area.draw(&Circle::new(at(node), 5, color.filled()))?;
            }
            for node in &graph.ringed {
                area.draw(&Circle::new(at(*node), 9, INK.stroke_width(2)))?;
            }
            for node in &graph.crossed {
                area.draw(&Cross::new(at(*node), 7, BLACK.stroke_width(2)))?;
            }
        }
        Ok(())
    })
}

/// Places in the unit square: nodes push one another away and edges pull (Fruchterman & Reingold 1991).
fn layout(nodes: usize, edges: &[(usize, usize)]) -> Vec<(f64, f64)> {
    let seeds = &mut Seeds::new(1);
    let mut random = || seeds.next_seed() as f64 / u64::MAX as f64;
    let mut places: Vec<(f64, f64)> = (0..nodes).map(|_| (random(), random())).collect();
    let length = 1.0 / (nodes as f64).sqrt();
    let rounds = 300;
    for round in 0..rounds {
        let mut moves = vec![(0.0, 0.0); nodes];
        let mut push = |a: usize, b: usize, force: &dyn Fn(f64) -> f64| {
            let (dx, dy) = (places[a].0 - places[b].0, places[a].1 - places[b].1);
            let apart = dx.hypot(dy).max(1e-6);
            let size = force(apart) / apart;
            moves[a] = (moves[a].0 + size * dx, moves[a].1 + size * dy);
            moves[b] = (moves[b].0 - size * dx, moves[b].1 - size * dy);
        };
        for a in 0..nodes {
            for b in a + 1..nodes {
                push(a, b, &|apart| length * length / apart);
            }
        }
        for (a, b) in edges {
            push(*a, *b, &|apart| -apart * apart / length);
        }
        // No node moves further than this, which cools down.
        let most = 0.1 * (1.0 - f64::from(round) / f64::from(rounds));
        for (place, by) in places.iter_mut().zip(&moves) {
            let size = by.0.hypot(by.1).max(1e-9);
            let part = size.min(most) / size;
            *place = (place.0 + part * by.0, place.1 + part * by.1);
        }
    }
    let span = |values: Vec<f64>| {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (low, (high - low).max(1e-9))
    };
    let (left, across) = span(places.iter().map(|p| p.0).collect());
    let (top, down) = span(places.iter().map(|p| p.1).collect());
    let scaled = places.iter();
    scaled
        .map(|(x, y)| ((x - left) / across, (y - top) / down))
        .collect()
}
