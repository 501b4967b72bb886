//! Numbers in few characters.

/// Up to four numbers, or the smallest and the largest.
pub(super) fn few(numbers: &[f64]) -> String {
    match numbers {
        [] => "nothing".into(),
        [x] => digits(*x),
        _ if numbers.len() <= 4 => {
            let all: Vec<String> = numbers.iter().map(|x| digits(*x)).collect();
            format!("[{}]", all.join(", "))
        }
        _ => {
            let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let broken = numbers.iter().filter(|x| x.is_nan()).count();
            let nan = if broken > 0 {
                format!(", {broken} NaN")
            } else {
                String::new()
            };
            format!("{} .. {}{nan}", digits(low), digits(high))
        }
    }
}

/// Six digits that count, without zeros at the end.
fn digits(x: f64) -> String {
    if !x.is_finite() {
        return format!("{x}").replace('-', "−");
    }
    let size = x.abs();
    let text = if size != 0.0 && !(1e-4..1e7).contains(&size) {
        format!("{x:.4e}")
    } else {
        let whole = if size < 1.0 {
            1
        } else {
            size.log10() as usize + 1
        };
        let text = format!("{x:.*}", 7_usize.saturating_sub(whole).min(6));
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => text,
        }
    };
    text.replace('-', "−")
}
