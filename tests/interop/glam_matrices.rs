//! Matrices and quaternions of glam.

use crate::check;
use differentiable::prelude::*;
use glam::{DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, Mat3, Mat4, Quat, Vec3, Vec4};

const A: DVec3 = DVec3::new(0.3, -0.8, 1.2);
const B: DVec3 = DVec3::new(1.1, 0.4, 0.2);
const C: DVec3 = DVec3::new(0.6, -0.2, 0.9);

fn three() -> (DMat3, DMat3) {
    (
        DMat3::from_cols(A, B, C),
        DMat3::from_cols(B, C + A, 2.0 * A),
    )
}

fn four() -> DMat4 {
    let (m, _) = three();
    DMat4::from_mat3_translation(m, C) + DMat4::from_cols_array(&[0.1; 16])
}

#[differentiable]
fn products(m: DMat3, n: DMat3, v: DVec3, k: f64) -> DVec3 {
    let mut p = m * n * k - n / k + 2.0 * m;
    p += m.transpose();
    p -= -n;
    p * v + m.mul_vec3(n.col(1)) + p.mul_mat3(&n).row(2) + n.diagonal()
}

#[differentiable]
fn inverses(m: DMat3, v: DVec3) -> f64 {
    let x = m.inverse() * v;
    m.determinant() * x.length() + m.x_axis.y * x.z
}

#[differentiable]
fn columns(a: DVec3, b: DVec3) -> DMat3 {
    let mut m = DMat3::from_cols(a, b, a.cross(b)) + DMat3::from_diagonal(a);
    m.y_axis = a * b.x;
    m.z_axis.x = b.y * a.z;
    m
}

#[test]
fn matrices_of_three() {
    let (m, n) = three();
    check::<products, _>(&(m, n, B, 0.7));
    check::<inverses, _>(&(m, C));
    check::<columns, _>(&(A, B));
}

#[differentiable]
fn small(m: DMat2, v: DVec2, angle: f64) -> f64 {
    let turned = DMat2::from_angle(angle) * m;
    (turned.inverse() * v).dot(turned.mul_vec2(v)) * turned.determinant()
        + turned.transpose().y_axis.x
}

#[differentiable]
fn large(m: DMat4, v: DVec4, p: DVec3) -> f64 {
    let q = (m * m.transpose()).inverse() * v;
    q.dot(v) + m.determinant() + m.transform_point3(p).length() + m.transform_vector3(p).y
}

#[test]
fn two_and_four() {
    let m = DMat2::from_cols(DVec2::new(0.4, 0.9), DVec2::new(-0.7, 0.5));
    check::<small, _>(&(m, DVec2::new(0.2, 1.1), 0.3));
    let m = four() + DMat4::IDENTITY;
    check::<large, _>(&(m, DVec4::new(0.3, 0.1, -0.4, 0.8), A));
}

#[differentiable]
fn volume(m: DMat4) -> f64 {
    m.determinant()
}

#[test]
fn the_determinant_of_a_singular_matrix() {
    let mut m = four();
    m.z_axis = m.x_axis;
    check::<volume, _>(&(m,));
    assert!(volume::grad(m).is_finite());
}

#[differentiable]
fn turned(q: DQuat, p: DQuat, v: DVec3) -> DVec3 {
    let r = (q * p.conjugate()).normalize() * 0.5 + q / q.length() - p;
    r * v + q.inverse().mul_vec3(v) + q.mul_quat(p).xyz() * p.dot(q)
}

#[differentiable]
fn arm(angles: &[f64], axis: DVec3, lengths: DVec3) -> DVec3 {
    let mut turn = DQuat::from_axis_angle(axis, angles[0]);
    let mut end = turn * DVec3::new(lengths.x, 0.0, 0.0);
    turn = turn * DQuat::from_rotation_x(angles[1]) * DQuat::from_rotation_y(angles[2]);
    end += turn * DVec3::new(lengths.y, lengths.z, 0.0);
    end + DQuat::from_rotation_z(angles[0]) * end
}

#[test]
fn quaternions() {
    let q = DQuat::from_xyzw(0.2, -0.4, 0.7, 0.5);
    let p = DQuat::from_xyzw(0.9, 0.1, 0.3, -0.6);
    check::<turned, _>(&(q, p, A));
    check::<arm, _>(&(vec![0.3, 1.1, -0.7], C, B));
    let by_q: DQuat = turned::vjp(q, p, A).1(DVec3::X).0;
    assert!(by_q.is_finite());
}

#[differentiable]
fn single(m: Mat3, q: Quat, v: Vec3, big: Mat4) -> f32 {
    let r = q * (m * v) + m.transpose() * v;
    r.dot(v) * m.determinant() + (big * Vec4::new(r.x, r.y, r.z, 1.0)).length()
}

#[test]
fn single_precision() {
    let (m, _) = three();
    let q = Quat::from_xyzw(0.2, -0.4, 0.7, 0.5);
    check::<single, _>(&(m.as_mat3(), q, B.as_vec3(), four().as_mat4()));
}
