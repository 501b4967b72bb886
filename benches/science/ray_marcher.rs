//! A ray marcher over signed distance fields; light and shape are fitted to a picture.
use crate::Report;
use differentiable::prelude::*;
use std::ops::{Add, Mul, Sub};

#[derive(Clone, Copy, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

#[differentiable(higher_order)]
impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, o: Vec3) -> Vec3 {
        Vec3 {
            x: self.x + o.x,
            y: self.y + o.y,
            z: self.z + o.z,
        }
    }
}

#[differentiable(higher_order)]
impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, o: Vec3) -> Vec3 {
        Vec3 {
            x: self.x - o.x,
            y: self.y - o.y,
            z: self.z - o.z,
        }
    }
}

#[differentiable(higher_order)]
impl Mul<f64> for Vec3 {
    type Output = Vec3;
    fn mul(self, k: f64) -> Vec3 {
        Vec3 {
            x: self.x * k,
            y: self.y * k,
            z: self.z * k,
        }
    }
}

#[differentiable(higher_order)]
impl Vec3 {
    fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }
    fn dot(self, o: Vec3) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }
    fn length(self) -> f64 {
        self.dot(self).sqrt()
    }
    fn normalize(self) -> Vec3 {
        self * (1.0 / self.length())
    }
    fn abs_each(self) -> Vec3 {
        Vec3::new(self.x.abs(), self.y.abs(), self.z.abs())
    }
    fn at_least(self, k: f64) -> Vec3 {
        Vec3::new(self.x.max(k), self.y.max(k), self.z.max(k))
    }
}

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
enum Shape {
    Sphere {
        centre: Vec3,
        radius: f64,
    },
    Cuboid {
        centre: Vec3,
        half: Vec3,
        round: f64,
    },
    Plane {
        height: f64,
    },
    SmoothUnion {
        a: Box<Shape>,
        b: Box<Shape>,
        k: f64,
    },
}

#[differentiable(higher_order)]
impl Shape {
    fn distance(&self, p: Vec3) -> f64 {
        match self {
            Shape::Sphere { centre, radius } => (p - *centre).length() - radius,
            Shape::Cuboid {
                centre,
                half,
                round,
            } => {
                let q = (p - *centre).abs_each() - *half;
                q.at_least(0.0).length() + q.x.max(q.y.max(q.z)).min(0.0) - round
            }
            Shape::Plane { height } => p.y - height,
            Shape::SmoothUnion { a, b, k } => {
                let (a, b) = (a.distance(p), b.distance(p));
                let h = (0.5 + 0.5 * (b - a) / k).clamp(0.0, 1.0);
                b * (1.0 - h) + a * h - k * h * (1.0 - h)
            }
        }
    }

    fn normal(&self, p: Vec3) -> Vec3 {
        let g = distance::grad(self, p).1;
        Vec3::new(g.x, g.y, g.z).normalize()
    }
}

#[differentiable(higher_order)]
fn distance(shape: &Shape, p: Vec3) -> f64 {
    shape.distance(p)
}

#[derive(Clone, Debug, Differentiable)]
#[differentiable(higher_order)]
struct Scene {
    shape: Shape,
    light: Vec3,
    ambient: f64,
}

#[differentiable]
impl Scene {
    /// Where a ray meets the surface, if it does.
    fn march(&self, origin: Vec3, direction: Vec3) -> Option<f64> {
        let mut t = 0.0;
        for _ in 0..64 {
            let d = self.shape.distance(origin + direction * t);
            if d < 1e-4 {
                return Some(t);
            }
            t += d;
            if t > 20.0 {
                return None;
            }
        }
        None
    }

    fn shade(&self, origin: Vec3, direction: Vec3) -> f64 {
        let Some(t) = self.march(origin, direction) else {
            return 0.0;
        };
        let p = origin + direction * t;
        let n = self.shape.normal(p);
        let l = (self.light - p).normalize();
        self.ambient + n.dot(l).max(0.0)
    }

    fn render(&self, width: usize, height: usize) -> Vec<f64> {
        let origin = Vec3::new(0.0, 0.5, -4.0);
        (0..width * height)
            .map(|k| {
                let (i, j) = (k % width, k / width);
                let direction = Vec3::new(
                    (i as f64 + 0.5) / width as f64 - 0.5,
                    0.5 - (j as f64 + 0.5) / height as f64,
                    1.0,
                );
                self.shade(origin, direction.normalize())
            })
            .collect()
    }

    fn loss(&self, #[constant] image: &[f64], width: usize, height: usize) -> f64 {
        self.render(width, height)
            .iter()
            .zip(image)
            .map(|(a, b)| (a - b).powi(2))
            .sum::<f64>()
            / image.len() as f64
    }
}

pub fn measure(report: &mut Report) {
    let sphere = |radius| Shape::Sphere {
        centre: Vec3::new(-0.3, 0.2, 0.0),
        radius,
    };
    let cuboid = || Shape::Cuboid {
        centre: Vec3::new(0.8, 0.0, 0.4),
        half: Vec3::new(0.3, 0.5, 0.3),
        round: 0.05,
    };
    let union = |a, b, k| Shape::SmoothUnion {
        a: Box::new(a),
        b: Box::new(b),
        k,
    };
    let scene = |radius: f64, light: f64| Scene {
        shape: union(
            union(sphere(radius), cuboid(), 0.2),
            Shape::Plane { height: -0.6 },
            0.1,
        ),
        light: Vec3::new(light, 3.0, -2.0),
        ambient: 0.1,
    };
    let (w, h) = (32, 24);
    let image = scene(0.7, 2.0).render(w, h);
    let start = scene(0.6, 1.0);
    report.case(
        "ray marcher, 32 by 24 rays",
        start.loss(&image, w, h),
        || start.loss(&image, w, h),
        || start.loss_value_and_grad(&image, w, h),
    );
}
