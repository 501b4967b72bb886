use super::common::*;
use autodiff_core::device::{AdamStep, Cpu, Decay, Random, SgdStep};
use autodiff_core::tensor::raw::Raw;

#[test]
fn sgd_follows_its_formula() {
    for (momentum, dampening, weight_decay, nesterov) in [
        (0.0, 0.0, 0.0, false),
        (0.0, 0.0, 0.1, false),
        (0.9, 0.0, 0.1, false),
        (0.9, 0.0, 0.0, true),
        (0.9, 0.5, 0.1, false),
    ] {
        let step = SgdStep {
            lr: 0.1,
            momentum,
            dampening,
            weight_decay,
            nesterov,
        };
        let mut p = make_f64(&[7, 5], Lie::Dense, 1, -1.0, 1.0);
        let mut v = Raw::zeros(&Cpu, [7, 5]);
        let (mut pe, mut ve) = (p.to_vec(), vec![0.0; 35]);
        for i in 0..4 {
            let g = make_f64(&[7, 5], Lie::Transposed, 10 + i, -1.0, 1.0);
            for ((p, v), g) in pe.iter_mut().zip(&mut ve).zip(g.to_vec()) {
                let g = g + weight_decay * *p;
                *v = momentum * *v + (1.0 - dampening) * g;
                *p -= 0.1
                    * if momentum == 0.0 {
                        g
                    } else if nesterov {
                        g + momentum * *v
                    } else {
                        *v
                    };
            }
            p.sgd(&step, &g, (momentum != 0.0).then_some(&mut v));
        }
        assert_close(&p.to_vec(), &pe, 1e-14);
    }
}

#[test]
fn adam_follows_its_formula() {
    for (weight_decay, decay) in [
        (0.0, Decay::Coupled),
        (0.1, Decay::Coupled),
        (0.1, Decay::Decoupled),
    ] {
        let mut p = make_f64(&[33], Lie::Dense, 1, -1.0, 1.0);
        let (mut m, mut v) = (Raw::zeros(&Cpu, [33]), Raw::zeros(&Cpu, [33]));
        let (mut pe, mut me, mut ve) = (p.to_vec(), vec![0.0; 33], vec![0.0; 33]);
        for t in 1..=5u64 {
            let g = make_f64(&[33], Lie::Dense, 10 + t, -1.0, 1.0);
            for (((p, m), v), g) in pe.iter_mut().zip(&mut me).zip(&mut ve).zip(g.to_vec()) {
                let g: f64 = if decay == Decay::Coupled {
                    g + weight_decay * *p
                } else {
                    g
                };
                if decay == Decay::Decoupled {
                    *p -= 0.01 * weight_decay * *p;
                }
                *m = 0.9 * *m + 0.1 * g;
                *v = 0.999 * *v + 0.001 * g * g;
                let (mh, vh) = (
                    *m / (1.0 - 0.9f64.powi(t as i32)),
                    *v / (1.0 - 0.999f64.powi(t as i32)),
                );
                *p -= 0.01 * mh / (vh.sqrt() + 1e-8);
            }
            let step = AdamStep {
                lr: 0.01,
                beta1: 0.9,
                beta2: 0.999,
                eps: 1e-8,
                weight_decay,
                decay,
                step: t,
            };
            p.adam(&step, &g, &mut m, &mut v);
        }
        assert_close(&p.to_vec(), &pe, 1e-12);
    }
}

#[test]
fn random_numbers_have_the_right_moments_and_depend_on_their_position_only() {
    let n = 200_001;
    let draw = |law, stream, n: usize| Raw::<f32, Cpu>::random(&Cpu, [n], law, 7, stream).to_vec();
    let normal = Random::Normal {
        mean: 2.0,
        std: 3.0,
    };
    let x = wide(&draw(normal, 0, n));
    let mean = exact_sum(x.iter().copied()) / n as f64;
    let var = exact_sum(x.iter().map(|x| (x - mean).powi(2))) / n as f64;
    let fourth = exact_sum(x.iter().map(|x| ((x - mean) / var.sqrt()).powi(4))) / n as f64;
    assert!(
        (mean - 2.0).abs() < 0.03 && (var - 9.0).abs() < 0.1 && (fourth - 3.0).abs() < 0.1,
        "{mean} {var} {fourth}"
    );
    assert_eq!(draw(normal, 0, 100), draw(normal, 0, n)[..100]);
    assert_ne!(draw(normal, 1, 100), draw(normal, 0, 100));

    let u = wide(&draw(
        Random::Uniform {
            low: -1.0,
            high: 3.0,
        },
        0,
        n,
    ));
    assert!(u.iter().all(|&u| (-1.0..3.0).contains(&u)));
    let mean = exact_sum(u.iter().copied()) / n as f64;
    let var = exact_sum(u.iter().map(|x| (x - mean).powi(2))) / n as f64;
    assert!(
        (mean - 1.0).abs() < 0.02 && (var - 16.0 / 12.0).abs() < 0.02,
        "{mean} {var}"
    );
}
