// Written by `tests/regions/generator.rs`: `BLESS=1 cargo test -p differentiable --test regions`.

use differentiable::__rt::RegionVisitor;
use differentiable::prelude::*;

#[differentiable]
fn r0(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b.tanh() / 0.5) - b.powi(-2)) / ((a / 2.0) * 0.5).gelu()).sin() * 0.5 + a * b
}
#[differentiable]
fn r1(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b.square().hardswish() * a) * 0.5 + a * b
}
#[differentiable]
fn r2(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b / b).gelu_tanh().silu().cbrt() * 0.5 + a * b
}
#[differentiable]
fn r3(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a / -1.5) * a).exp_m1() * 0.5 + a * b
}
#[differentiable]
fn r4(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b.powi(-2) * 3.0) - 3.0) + (a / b)) * 0.5 + a * b
}
#[differentiable]
fn r5(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a.leaky_relu(0.1) + b.hardsigmoid()) / b) / (b.cosh() / a.powf(1.5))) * 0.5 + a * b
}
#[differentiable]
fn r6(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a.silu() + a) * 0.5 + a * b
}
#[differentiable]
fn r7(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a.rsqrt() * b.tan()) / a.sigmoid()).abs() - b) * 0.5 + a * b
}
#[differentiable]
fn r8(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a / 3.0) - b.cosh()).tanh() * 0.5) * 0.5 + a * b
}
#[differentiable]
fn r9(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a + a).tan() * 0.5 + a * b
}
#[differentiable]
fn r10(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.selu().gelu() + a.softsign()) * (a / 0.1).relu()) * 0.5 + a * b
}
#[differentiable]
fn r11(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a.elu(0.7) * a).powi(-2) * 0.5 + a * b
}
#[differentiable]
fn r12(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((b.erf() + a) + 0.1) * ((a.sinh() / -1.5) / (a - a))) + 2.0) * 0.5 + a * b
}
#[differentiable]
fn r13(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b / b) - 3.0) * 3.0).gelu_tanh().exp_m1() * 0.5 + a * b
}
#[differentiable]
fn r14(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a / a) * a.softplus()).powf(1.5) * (((b + a) * (a / a)) - a)) * 0.5 + a * b
}
#[differentiable]
fn r15(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    a.mish().powi(3).square() * 0.5 + a * b
}
#[differentiable]
fn r16(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b - b).square().log_sigmoid() + a) - b.elu(0.7).square().ln_1p()) * 0.5 + a * b
}
#[differentiable]
fn r17(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a + a).gelu_tanh().ln_1p().atan() - ((b - a) / 2.0)) * 0.5 + a * b
}
#[differentiable]
fn r18(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b.hardsigmoid().silu().cbrt() - (a * -1.5)) * 0.5 + a * b
}
#[differentiable]
fn r19(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b - b).rsqrt() * 0.5 + a * b
}
#[differentiable]
fn r20(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a.cosh() * 2.0) * 0.5 + a * b
}
#[differentiable]
fn r21(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.atan().ln_1p() + 0.1).sin() - b) * 0.5 + a * b
}
#[differentiable]
fn r22(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.asinh() + -1.5) - b).sin() * 0.5 + a * b
}
#[differentiable]
fn r23(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.log_sigmoid() - -1.5).powi(-2) / (b * 0.1).log_sigmoid()) * 0.5 + a * b
}
#[differentiable]
fn r24(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b * a).ln_1p() * 0.5 + a * b
}
#[differentiable]
fn r25(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b * b).powi(3).tanh() * 0.5 + a * b
}
#[differentiable]
fn r26(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a.sinh() * 2.0) + 2.0) + -1.5) * 0.5 + a * b
}
#[differentiable]
fn r27(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((a - a) * 0.1) / a) + (b / a)) * 0.5 + a * b
}
#[differentiable]
fn r28(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b / -1.5).elu(0.7) * 0.5 + a * b
}
#[differentiable]
fn r29(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    a.hardsigmoid().sigmoid() * 0.5 + a * b
}
#[differentiable]
fn r30(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.hardsigmoid() / (a * a)).tanh() - ((b / b).log_sigmoid() - (a.tan() - 0.1))) * 0.5 + a * b
}
#[differentiable]
fn r31(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b * b) - (b / 2.0)) - b).tan() * 0.5 + a * b
}
#[differentiable]
fn r32(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b.square() * b) / 0.1) * 0.5 + a * b
}
#[differentiable]
fn r33(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b / a) + a.leaky_relu(0.1)) * 0.5 + a * b
}
#[differentiable]
fn r34(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a * b) + 0.1) - b) * 0.5 + a * b
}
#[differentiable]
fn r35(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b.recip().cosh() / b) * 0.5) + ((a.elu(0.7).sigmoid() + b) * 2.0)) * 0.5 + a * b
}
#[differentiable]
fn r36(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a - 0.5) / b).ln_1p().powi(3) + (a + a).sin()) * 0.5 + a * b
}
#[differentiable]
fn r37(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a - 3.0) + 2.0).silu().erf() + 2.0) * 0.5 + a * b
}
#[differentiable]
fn r38(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b * 0.1).atan() * 0.5 + a * b
}
#[differentiable]
fn r39(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    b.abs().selu() * 0.5 + a * b
}
#[differentiable]
fn r40(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b + a) * b).gelu().elu(0.7) * 0.5 + a * b
}
#[differentiable]
fn r41(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b * -1.5) / b).powi(-2) * 0.5 + a * b
}
#[differentiable]
fn r42(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a + b) + (b / a)).ln_1p() * 0.5 + a * b
}
#[differentiable]
fn r43(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b / 2.0) * a) * 0.5 + a * b
}
#[differentiable]
fn r44(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((a + b) / a) / 2.0) / 0.1).powi(-2) * 0.5 + a * b
}
#[differentiable]
fn r45(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b * 2.0) / b).erf() / a) * 0.5 + a * b
}
#[differentiable]
fn r46(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b.softplus() / (a / 0.1)) + ((b + b) / b.tan())).log_sigmoid() - a) * 0.5 + a * b
}
#[differentiable]
fn r47(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a.asinh() - b.relu()).sin() * 0.5 + a * b
}
#[differentiable]
fn r48(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((a + a).cbrt() * (a * 0.1)) / ((a / 3.0).gelu() + 0.5)) + (((a - b) - (b / b)) * (b * b).cos())) * 0.5 + a * b
}
#[differentiable]
fn r49(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a - b).sin() * 0.5 + a * b
}
#[differentiable]
fn r50(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((((a / 0.5) * 2.0) - (b.tanh() + a.relu())) * b) / 0.5) * 0.5 + a * b
}
#[differentiable]
fn r51(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a * b).sinh() * 0.5 + a * b
}
#[differentiable]
fn r52(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.rsqrt().rsqrt() + ((a / b) / (a + 2.0))) + b) * 0.5 + a * b
}
#[differentiable]
fn r53(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b.exp_m1().elu(0.7).softplus() + 3.0) * 0.5 + a * b
}
#[differentiable]
fn r54(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a.tan() + b).powi(3) * 0.5 + a * b
}
#[differentiable]
fn r55(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a / 3.0).clamp(-1.0, 1.5) * 0.5 + a * b
}
#[differentiable]
fn r56(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((b - b) + (b * b)) + (a * a)).powi(3) / 3.0) * 0.5 + a * b
}
#[differentiable]
fn r57(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a * b) / b.gelu_tanh()) + a) * 0.5 + a * b
}
#[differentiable]
fn r58(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b * 2.0) + 0.5) * 3.0).recip() * 0.5 + a * b
}
#[differentiable]
fn r59(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b + a) * b) * 0.5 + a * b
}
#[differentiable]
fn r60(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b - 2.0).exp() / 3.0) / b).sinh() * 0.5 + a * b
}
#[differentiable]
fn r61(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    a.ln_1p().mish().sigmoid() * 0.5 + a * b
}
#[differentiable]
fn r62(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a - b) - 3.0).elu(0.7) + a) * 0.5 + a * b
}
#[differentiable]
fn r63(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a / -1.5).gelu() / a) * 0.5 + a * b
}
#[differentiable]
fn r64(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((b / a).softsign() * (a - a)) / a) + (a * 2.0)) * 0.5 + a * b
}
#[differentiable]
fn r65(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.ln_1p() + b) * 0.1) * 0.5 + a * b
}
#[differentiable]
fn r66(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.exp() / 3.0) - (a.erf() / (a / -1.5))) * 0.5 + a * b
}
#[differentiable]
fn r67(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a * a).tan() * 0.5 + a * b
}
#[differentiable]
fn r68(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((b - b) - (a - b)) * -1.5) / a) * 0.5 + a * b
}
#[differentiable]
fn r69(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((a * 3.0) + 0.1).hardswish() / 0.1) * 0.1) * 0.5 + a * b
}
#[differentiable]
fn r70(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.cbrt() / (b / b)).cosh() * a).exp() * 0.5 + a * b
}
#[differentiable]
fn r71(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((a - b) + a).log_sigmoid() + -1.5) + b) * 0.5 + a * b
}
#[differentiable]
fn r72(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b.ln() * a).clamp(-1.0, 1.5) - 0.1) * 0.5 + a * b
}
#[differentiable]
fn r73(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((b * a) / 0.5) + 0.5) - (((b - a) + (a - a)) + a)).cbrt() * 0.5 + a * b
}
#[differentiable]
fn r74(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a * a) * (a - b)) * 3.0).softsign().powi(3) * 0.5 + a * b
}
#[differentiable]
fn r75(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    a.sqrt().log_sigmoid() * 0.5 + a * b
}
#[differentiable]
fn r76(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.powf(1.5) - a).powi(3) * a.exp_m1().cbrt().gelu_tanh()) * 0.5 + a * b
}
#[differentiable]
fn r77(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    b.cosh().clamp(-1.0, 1.5).erf() * 0.5 + a * b
}
#[differentiable]
fn r78(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b / b) - a) * 0.5 + a * b
}
#[differentiable]
fn r79(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((a - a) - (b + 2.0)) - -1.5) + ((b / 0.5).sigmoid() / b)).ln() * 0.5 + a * b
}
#[differentiable]
fn r80(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((a.cbrt() + b.square()) - -1.5) * b) * a) * 0.5 + a * b
}
#[differentiable]
fn r81(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b.tan() / a.clamp(-1.0, 1.5)) * (a.clamp(-1.0, 1.5) * (b - 0.5))) * 0.5 + a * b
}
#[differentiable]
fn r82(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a - a).sin() * 0.5 + a * b
}
#[differentiable]
fn r83(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b * a) - b).gelu_tanh() * 0.5 + a * b
}
#[differentiable]
fn r84(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((b * b) * (b - a)) * (b + a).erf()) - ((a * a).mish() + 2.0)) * 0.5 + a * b
}
#[differentiable]
fn r85(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b * a).gelu() * 0.5 + a * b
}
#[differentiable]
fn r86(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b + b) + -1.5).clamp(-1.0, 1.5) * 0.5 + a * b
}
#[differentiable]
fn r87(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a + b).powf(1.5).tanh() + -1.5) * 0.5 + a * b
}
#[differentiable]
fn r88(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((b * b) / a) / 0.5).tan() * ((b / -1.5) / (b + a))) * 0.5 + a * b
}
#[differentiable]
fn r89(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b + 2.0).gelu_tanh() - 2.0) / 3.0) * 0.5 + a * b
}
#[differentiable]
fn r90(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((a + a) * b.rsqrt()) / b) / 0.5) * 0.5 + a * b
}
#[differentiable]
fn r91(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((b / a) * 3.0) / a.abs().log_sigmoid()) - (a.powi(3) / 0.1)) * 0.5 + a * b
}
#[differentiable]
fn r92(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((b / a) + 0.5) - 0.1).hardswish() / (b / 0.5)) * 0.5 + a * b
}
#[differentiable]
fn r93(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((a / -1.5) + -1.5) + (b + 0.5)) / (b / a).abs().clamp(-1.0, 1.5)).tan() * 0.5 + a * b
}
#[differentiable]
fn r94(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((((a - a) / -1.5) - ((a * a) / 0.1)) + ((b.erf() + a) - a.ln_1p())) * 0.5) * 0.5 + a * b
}
#[differentiable]
fn r95(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a.leaky_relu(0.1) / 0.5) * 0.5 + a * b
}
#[differentiable]
fn r96(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b * b).gelu_tanh() * a) * 0.5 + a * b
}
#[differentiable]
fn r97(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b * a) - (a + b)) / 0.5) * 0.5 + a * b
}
#[differentiable]
fn r98(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    a.ln().leaky_relu(0.1).square() * 0.5 + a * b
}
#[differentiable]
fn r99(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((b + a).clamp(-1.0, 1.5) * 2.0) * 2.0) - ((a * b) + a)) * 0.5 + a * b
}
#[differentiable]
fn r100(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a / 2.0).abs() * 0.5 + a * b
}
#[differentiable]
fn r101(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b + a) * (b - 3.0)).log_sigmoid() * 2.0).powf(1.5) * 0.5 + a * b
}
#[differentiable]
fn r102(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b.silu() / b.hardsigmoid()) * 0.5 + a * b
}
#[differentiable]
fn r103(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b.selu() + b) * 0.5 + a * b
}
#[differentiable]
fn r104(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a / a) / 0.5).powi(3) * a.log_sigmoid()) * 0.5 + a * b
}
#[differentiable]
fn r105(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((b / 0.1) * b) + 2.0).asinh() + 3.0) * 0.5 + a * b
}
#[differentiable]
fn r106(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b.rsqrt() / b.sqrt()) + 0.1).atan() * 0.5 + a * b
}
#[differentiable]
fn r107(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b + a).abs() * 0.5 + a * b
}
#[differentiable]
fn r108(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    b.powf(1.5).softplus() * 0.5 + a * b
}
#[differentiable]
fn r109(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a.sqrt() + a).abs().ln() * 0.5 + a * b
}
#[differentiable]
fn r110(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.cosh() - (b + a)).powi(-2) / a).relu() * 0.5 + a * b
}
#[differentiable]
fn r111(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.recip() / (b * b)) / b) * 0.5 + a * b
}
#[differentiable]
fn r112(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((b - -1.5) / (a + 2.0)) + b.powi(-2)) * (b.exp() * a)) * 0.5 + a * b
}
#[differentiable]
fn r113(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a.tan() + (a - a)) * 0.5 + a * b
}
#[differentiable]
fn r114(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.rsqrt() + b) * b) * 0.5 + a * b
}
#[differentiable]
fn r115(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a + 0.1).tan() * 0.5 + a * b
}
#[differentiable]
fn r116(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a.cbrt() * a).tanh() * 0.5 + a * b
}
#[differentiable]
fn r117(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b / a).gelu().powf(1.5) - a) * 0.5 + a * b
}
#[differentiable]
fn r118(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b.hardsigmoid() * 0.1) * a) * 0.5 + a * b
}
#[differentiable]
fn r119(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((b.elu(0.7) + b) - a) / b) + (b * a).softsign()) * 0.5 + a * b
}
#[differentiable]
fn r120(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a - -1.5).sin() / 2.0).clamp(-1.0, 1.5) * 0.5 + a * b
}
#[differentiable]
fn r121(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.softplus() * a.sqrt()) - a).ln() * 0.5 + a * b
}
#[differentiable]
fn r122(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b.hardsigmoid() * a.relu()) * 0.5 + a * b
}
#[differentiable]
fn r123(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.cbrt() - 3.0).relu().cosh() * (a.ln_1p() + b)) * 0.5 + a * b
}
#[differentiable]
fn r124(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.abs() * b) + -1.5) * 0.5 + a * b
}
#[differentiable]
fn r125(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    b.sinh().clamp(-1.0, 1.5).clamp(-1.0, 1.5).ln() * 0.5 + a * b
}
#[differentiable]
fn r126(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b * 0.1).hardsigmoid() - b.atan()).recip() * a.cos()) * 0.5 + a * b
}
#[differentiable]
fn r127(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b - 3.0).exp() * 0.5 + a * b
}
#[differentiable]
fn r128(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b * a).cos() - 0.1) + b.abs().cosh()) * 0.5 + a * b
}
#[differentiable]
fn r129(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a - b) / -1.5) / (a / 3.0)) * 0.5 + a * b
}
#[differentiable]
fn r130(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b / -1.5) * a) * b).gelu().log_sigmoid() * 0.5 + a * b
}
#[differentiable]
fn r131(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    a.gelu_tanh().selu() * 0.5 + a * b
}
#[differentiable]
fn r132(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b * a) * (a - 3.0)).sigmoid() * ((b.gelu_tanh() + b) + a.powf(1.5).powi(-2))).asinh() * 0.5 + a * b
}
#[differentiable]
fn r133(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a - a) + b) * 0.5 + a * b
}
#[differentiable]
fn r134(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a - b).powi(-2) - ((b - a) - (a + a))) * ((b * 0.5) - 0.1)) * 0.5 + a * b
}
#[differentiable]
fn r135(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b.softsign() + (a / 3.0)).powf(1.5).hardswish() * 0.5 + a * b
}
#[differentiable]
fn r136(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    b.recip().hardswish().cosh() * 0.5 + a * b
}
#[differentiable]
fn r137(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b.softsign() / (b / a)) * ((a + b) + b)).hardswish().powi(3) * 0.5 + a * b
}
#[differentiable]
fn r138(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a.powf(1.5) - 0.1) + 0.1) + (a.log_sigmoid() / 3.0)) * 0.5 + a * b
}
#[differentiable]
fn r139(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b - b).erf().relu().atan().clamp(-1.0, 1.5) * 0.5 + a * b
}
#[differentiable]
fn r140(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.square() + a) - a.leaky_relu(0.1)) * 0.5 + a * b
}
#[differentiable]
fn r141(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b.mish() - 0.5) * 0.5 + a * b
}
#[differentiable]
fn r142(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b.silu() / b).hardswish() * 0.5 + a * b
}
#[differentiable]
fn r143(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a.powi(-2) - a).powi(-2) / a) * 2.0) * 0.5 + a * b
}
#[differentiable]
fn r144(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b / a).clamp(-1.0, 1.5) * 0.5 + a * b
}
#[differentiable]
fn r145(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a * -1.5).hardswish().square() - -1.5) + 3.0) * 0.5 + a * b
}
#[differentiable]
fn r146(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a.sqrt().atan() * b) * 0.5 + a * b
}
#[differentiable]
fn r147(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b + a).ln_1p() * 0.5 + a * b
}
#[differentiable]
fn r148(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a / a).tan() / (a / 0.1)).powf(1.5) + b) * 0.5 + a * b
}
#[differentiable]
fn r149(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a / a) - (b + a)) * 0.5 + a * b
}
#[differentiable]
fn r150(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a + b).exp() * 0.5 + a * b
}
#[differentiable]
fn r151(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a.leaky_relu(0.1).sinh() * b) * 0.5 + a * b
}
#[differentiable]
fn r152(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b.elu(0.7) * 2.0) * (b.softsign() / a)).selu() * 0.5 + a * b
}
#[differentiable]
fn r153(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b.softsign() / 3.0) * 0.5 + a * b
}
#[differentiable]
fn r154(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a + a) - 0.5).sinh().powi(-2) - (((b + b) - b).asinh() + (b + b))) * 0.5 + a * b
}
#[differentiable]
fn r155(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    a.cbrt().selu() * 0.5 + a * b
}
#[differentiable]
fn r156(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a + -1.5) - b.hardswish()) / b) * 0.5 + a * b
}
#[differentiable]
fn r157(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((b + a) / (b + 0.1)) * (b - a)) * ((a.sqrt() + b) / 0.1)) * 0.5 + a * b
}
#[differentiable]
fn r158(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b * 0.1) / 0.1) * 0.5 + a * b
}
#[differentiable]
fn r159(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b.silu() + -1.5).clamp(-1.0, 1.5).sqrt() * -1.5) * 0.5 + a * b
}
#[differentiable]
fn r160(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a.gelu() / 3.0) * 0.5 + a * b
}
#[differentiable]
fn r161(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a * 3.0) * b.ln_1p()) + 2.0).elu(0.7) * 0.5 + a * b
}
#[differentiable]
fn r162(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a / 0.5).powi(-2).rsqrt() * 0.5 + a * b
}
#[differentiable]
fn r163(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a / b).cosh() * 0.5 + a * b
}
#[differentiable]
fn r164(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a.relu() * b) * 0.5 + a * b
}
#[differentiable]
fn r165(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b.recip().selu() + (b / b)) * 3.0) / (b * 0.5).softsign().silu()) * 0.5 + a * b
}
#[differentiable]
fn r166(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a - -1.5) - b).powi(3) / ((b / b) - 3.0)).asinh() * 0.5 + a * b
}
#[differentiable]
fn r167(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.selu() + a) / b) * 0.5 + a * b
}
#[differentiable]
fn r168(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b / 0.1).ln_1p() / (a + a)) * 0.5 + a * b
}
#[differentiable]
fn r169(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a.cos().sqrt() - -1.5) * 0.5 + a * b
}
#[differentiable]
fn r170(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a.tan() + 2.0).abs().sqrt() * 0.5 + a * b
}
#[differentiable]
fn r171(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.powi(3) / b.sinh()) / 0.5).powi(3) * 0.5 + a * b
}
#[differentiable]
fn r172(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a + a).softplus() * 0.5 + a * b
}
#[differentiable]
fn r173(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a + a) / b).asinh() + (b + a)) * 0.5 + a * b
}
#[differentiable]
fn r174(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    b.atan().selu().sinh() * 0.5 + a * b
}
#[differentiable]
fn r175(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a * 2.0).ln_1p() * 0.5 + a * b
}
#[differentiable]
fn r176(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a - 0.5).silu() + b) * b).sigmoid() * 0.5 + a * b
}
#[differentiable]
fn r177(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a / b) - 0.5) * a) * 0.5 + a * b
}
#[differentiable]
fn r178(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b.asinh() * b.rsqrt()) * 0.5 + a * b
}
#[differentiable]
fn r179(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((a * b) / a).exp() + -1.5) + b) * 0.5 + a * b
}
#[differentiable]
fn r180(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b.ln() * (a * 2.0)) * 0.5 + a * b
}
#[differentiable]
fn r181(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b.exp_m1() / 0.5).powi(-2) * 0.5 + a * b
}
#[differentiable]
fn r182(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a + 2.0) / b).softplus() * 0.5 + a * b
}
#[differentiable]
fn r183(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a.rsqrt() * a.sin()) * 2.0).rsqrt() - ((((a - 0.1) * b.asinh()) - ((b * a) + a.selu())) * ((a - b).cos() * 0.1))) * 0.5 + a * b
}
#[differentiable]
fn r184(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (a.exp().leaky_relu(0.1) - b.cbrt()).gelu_tanh() * 0.5 + a * b
}
#[differentiable]
fn r185(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((a / b) * 0.1) / b) * 2.0) * 0.5 + a * b
}
#[differentiable]
fn r186(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    a.exp_m1().ln() * 0.5 + a * b
}
#[differentiable]
fn r187(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((((a / b) - a) + 3.0) + (b.selu() - 0.5)).tanh() * 0.5 + a * b
}
#[differentiable]
fn r188(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((a.exp_m1().abs() / b.sigmoid().ln_1p()) - (a - 2.0)) * 0.5 + a * b
}
#[differentiable]
fn r189(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b.mish() / -1.5).silu() * 0.5 + a * b
}
#[differentiable]
fn r190(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b * b).sin() * 0.1) * 0.5 + a * b
}
#[differentiable]
fn r191(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b.asinh() / a).leaky_relu(0.1) * 0.5 + a * b
}
#[differentiable]
fn r192(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (b + b).recip() * 0.5 + a * b
}
#[differentiable]
fn r193(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b / 2.0).clamp(-1.0, 1.5) - (b * a)) * 0.5 + a * b
}
#[differentiable]
fn r194(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    a.hardsigmoid().abs() * 0.5 + a * b
}
#[differentiable]
fn r195(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((a - a) + a) - 0.5) * 0.5 + a * b
}
#[differentiable]
fn r196(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b / 2.0).relu() + ((a - a) / b)).sqrt() - (a + 3.0).sqrt()) * 0.5 + a * b
}
#[differentiable]
fn r197(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b + b).rsqrt() * (b * a)) * 0.5 + a * b
}
#[differentiable]
fn r198(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    (((b + b).softsign() / (b * a).silu()) + a) * 0.5 + a * b
}
#[differentiable]
fn r199(a: &Tensor![f64; 16], b: &Tensor![f64; 16]) -> Tensor![f64; 16] {
    ((b - 0.1).sqrt() * -1.5) * 0.5 + a * b
}

pub fn visit(visitor: &mut impl RegionVisitor) {
    r0::__regions(visitor);
    r1::__regions(visitor);
    r2::__regions(visitor);
    r3::__regions(visitor);
    r4::__regions(visitor);
    r5::__regions(visitor);
    r6::__regions(visitor);
    r7::__regions(visitor);
    r8::__regions(visitor);
    r9::__regions(visitor);
    r10::__regions(visitor);
    r11::__regions(visitor);
    r12::__regions(visitor);
    r13::__regions(visitor);
    r14::__regions(visitor);
    r15::__regions(visitor);
    r16::__regions(visitor);
    r17::__regions(visitor);
    r18::__regions(visitor);
    r19::__regions(visitor);
    r20::__regions(visitor);
    r21::__regions(visitor);
    r22::__regions(visitor);
    r23::__regions(visitor);
    r24::__regions(visitor);
    r25::__regions(visitor);
    r26::__regions(visitor);
    r27::__regions(visitor);
    r28::__regions(visitor);
    r29::__regions(visitor);
    r30::__regions(visitor);
    r31::__regions(visitor);
    r32::__regions(visitor);
    r33::__regions(visitor);
    r34::__regions(visitor);
    r35::__regions(visitor);
    r36::__regions(visitor);
    r37::__regions(visitor);
    r38::__regions(visitor);
    r39::__regions(visitor);
    r40::__regions(visitor);
    r41::__regions(visitor);
    r42::__regions(visitor);
    r43::__regions(visitor);
    r44::__regions(visitor);
    r45::__regions(visitor);
    r46::__regions(visitor);
    r47::__regions(visitor);
    r48::__regions(visitor);
    r49::__regions(visitor);
    r50::__regions(visitor);
    r51::__regions(visitor);
    r52::__regions(visitor);
    r53::__regions(visitor);
    r54::__regions(visitor);
    r55::__regions(visitor);
    r56::__regions(visitor);
    r57::__regions(visitor);
    r58::__regions(visitor);
    r59::__regions(visitor);
    r60::__regions(visitor);
    r61::__regions(visitor);
    r62::__regions(visitor);
    r63::__regions(visitor);
    r64::__regions(visitor);
    r65::__regions(visitor);
    r66::__regions(visitor);
    r67::__regions(visitor);
    r68::__regions(visitor);
    r69::__regions(visitor);
    r70::__regions(visitor);
    r71::__regions(visitor);
    r72::__regions(visitor);
    r73::__regions(visitor);
    r74::__regions(visitor);
    r75::__regions(visitor);
    r76::__regions(visitor);
    r77::__regions(visitor);
    r78::__regions(visitor);
    r79::__regions(visitor);
    r80::__regions(visitor);
    r81::__regions(visitor);
    r82::__regions(visitor);
    r83::__regions(visitor);
    r84::__regions(visitor);
    r85::__regions(visitor);
    r86::__regions(visitor);
    r87::__regions(visitor);
    r88::__regions(visitor);
    r89::__regions(visitor);
    r90::__regions(visitor);
    r91::__regions(visitor);
    r92::__regions(visitor);
    r93::__regions(visitor);
    r94::__regions(visitor);
    r95::__regions(visitor);
    r96::__regions(visitor);
    r97::__regions(visitor);
    r98::__regions(visitor);
    r99::__regions(visitor);
    r100::__regions(visitor);
    r101::__regions(visitor);
    r102::__regions(visitor);
    r103::__regions(visitor);
    r104::__regions(visitor);
    r105::__regions(visitor);
    r106::__regions(visitor);
    r107::__regions(visitor);
    r108::__regions(visitor);
    r109::__regions(visitor);
    r110::__regions(visitor);
    r111::__regions(visitor);
    r112::__regions(visitor);
    r113::__regions(visitor);
    r114::__regions(visitor);
    r115::__regions(visitor);
    r116::__regions(visitor);
    r117::__regions(visitor);
    r118::__regions(visitor);
    r119::__regions(visitor);
    r120::__regions(visitor);
    r121::__regions(visitor);
    r122::__regions(visitor);
    r123::__regions(visitor);
    r124::__regions(visitor);
    r125::__regions(visitor);
    r126::__regions(visitor);
    r127::__regions(visitor);
    r128::__regions(visitor);
    r129::__regions(visitor);
    r130::__regions(visitor);
    r131::__regions(visitor);
    r132::__regions(visitor);
    r133::__regions(visitor);
    r134::__regions(visitor);
    r135::__regions(visitor);
    r136::__regions(visitor);
    r137::__regions(visitor);
    r138::__regions(visitor);
    r139::__regions(visitor);
    r140::__regions(visitor);
    r141::__regions(visitor);
    r142::__regions(visitor);
    r143::__regions(visitor);
    r144::__regions(visitor);
    r145::__regions(visitor);
    r146::__regions(visitor);
    r147::__regions(visitor);
    r148::__regions(visitor);
    r149::__regions(visitor);
    r150::__regions(visitor);
    r151::__regions(visitor);
    r152::__regions(visitor);
    r153::__regions(visitor);
    r154::__regions(visitor);
    r155::__regions(visitor);
    r156::__regions(visitor);
    r157::__regions(visitor);
    r158::__regions(visitor);
    r159::__regions(visitor);
    r160::__regions(visitor);
    r161::__regions(visitor);
    r162::__regions(visitor);
    r163::__regions(visitor);
    r164::__regions(visitor);
    r165::__regions(visitor);
    r166::__regions(visitor);
    r167::__regions(visitor);
    r168::__regions(visitor);
    r169::__regions(visitor);
    r170::__regions(visitor);
    r171::__regions(visitor);
    r172::__regions(visitor);
    r173::__regions(visitor);
    r174::__regions(visitor);
    r175::__regions(visitor);
    r176::__regions(visitor);
    r177::__regions(visitor);
    r178::__regions(visitor);
    r179::__regions(visitor);
    r180::__regions(visitor);
    r181::__regions(visitor);
    r182::__regions(visitor);
    r183::__regions(visitor);
    r184::__regions(visitor);
    r185::__regions(visitor);
    r186::__regions(visitor);
    r187::__regions(visitor);
    r188::__regions(visitor);
    r189::__regions(visitor);
    r190::__regions(visitor);
    r191::__regions(visitor);
    r192::__regions(visitor);
    r193::__regions(visitor);
    r194::__regions(visitor);
    r195::__regions(visitor);
    r196::__regions(visitor);
    r197::__regions(visitor);
    r198::__regions(visitor);
    r199::__regions(visitor);
}
