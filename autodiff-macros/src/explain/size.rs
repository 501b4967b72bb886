//! Bytes of what is kept, as far as the syntax tells them, on a machine with 64 bits.

use crate::emit::sides::groups;

/// A size that may be known in part.
#[derive(Clone, Debug, PartialEq)]
pub struct Size {
    bytes: u64,
    align: u64,
    /// Bit patterns that no value has: an enum around it may need no tag.
    niches: u64,
    /// They are those of a byte at the start.
    niche_first: bool,
    /// `bytes` is exact; if not, it is an upper bound.
    exact: bool,
    /// What has to be added, in words.
    unknown: Vec<String>,
}

impl Size {
    pub fn of(bytes: u64, align: u64, niches: u64) -> Self {
        Size {
            bytes,
            align,
            niches,
            niche_first: true,
            exact: true,
            unknown: Vec::new(),
        }
    }

    pub fn nothing() -> Self {
        Size::of(0, 1, 0)
    }

    pub fn unknown(what: impl Into<String>) -> Self {
        Size {
            unknown: vec![what.into()],
            ..Size::nothing()
        }
    }

    /// A type that is written, if it is a primitive or a tuple or array of them.
    pub fn of_type(ty: &syn::Type) -> Option<Self> {
        match ty {
            syn::Type::Paren(p) => Size::of_type(&p.elem),
            syn::Type::Group(g) => Size::of_type(&g.elem),
            syn::Type::Tuple(t) => {
                let parts = t.elems.iter().map(Size::of_type);
                Some(Size::tuple(parts.collect::<Option<Vec<_>>>()?))
            }
            syn::Type::Array(a) => {
                let syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Int(n),
                    ..
                }) = &a.len
                else {
                    return None;
                };
                let n: u64 = n.base10_parse().ok()?;
                let elem = Size::of_type(&a.elem)?;
                Some(Size {
                    bytes: elem.bytes * n,
                    ..elem
                })
            }
            syn::Type::Path(p) if p.qself.is_none() => {
                let last = p.path.segments.last()?;
                let syn::PathArguments::None = last.arguments else {
                    return None;
                };
                let n = match last.ident.to_string().as_str() {
                    "f64" | "usize" | "isize" | "u64" | "i64" => 8,
                    "f32" | "u32" | "i32" => 4,
                    "u16" | "i16" => 2,
                    "u8" | "i8" => 1,
                    "u128" | "i128" => 16,
                    "bool" => return Some(Size::of(1, 1, 254)),
                    "char" => return Some(Size::of(4, 4, u64::MAX)),
                    _ => return None,
                };
                Some(Size::of(n, n, 0))
            }
            _ => None,
        }
    }

    /// Values side by side. The compiler orders them so that nothing but the end is padded.
    pub fn tuple(parts: Vec<Size>) -> Self {
        let mut all = Size::nothing();
        all.niche_first = parts.len() == 1 && parts[0].niche_first;
        for p in parts {
            all.bytes += p.bytes;
            all.align = all.align.max(p.align);
            all.niches = all.niches.max(p.niches);
            all.exact &= p.exact;
            all.unknown.extend(p.unknown);
        }
        if all.unknown.is_empty() {
            all.bytes = all.bytes.next_multiple_of(all.align);
        }
        all
    }

    /// One of several, with a tag where the largest has not bit patterns enough to spare.
    pub fn one_of(sides: Vec<Size>) -> Self {
        let align = sides.iter().map(|s| s.align).max().unwrap_or(1);
        let exact = sides.iter().all(|s| s.exact);
        if sides.iter().any(|s| !s.unknown.is_empty()) {
            // The largest one counts, and which it is nobody can say here.
            return Size {
                bytes: sides.iter().map(|s| s.bytes).max().unwrap_or(0),
                align,
                niches: 0,
                niche_first: false,
                exact: false,
                unknown: sides.into_iter().flat_map(|s| s.unknown).collect(),
            };
        }
        let most = sides.iter().map(|s| s.bytes).max().unwrap_or(0);
        let at = sides.iter().position(|s| s.bytes == most).unwrap_or(0);
        let (large, tags) = (sides[at].clone(), sides.len() as u64 - 1);
        let fits = |s: &Size| s.bytes == 0 || large.niche_first && s.align + s.bytes <= large.bytes;
        let beside = (0..sides.len()).all(|k| k == at || fits(&sides[k]));
        if large.niches >= tags && beside {
            return Size {
                align,
                niches: large.niches - tags,
                exact,
                ..large
            };
        }
        let tagged = |s: &Size| match s.bytes {
            0 => 1,
            n => s.align + n,
        };
        let bytes = sides.iter().map(tagged).max().unwrap_or(0);
        Size {
            bytes: bytes.next_multiple_of(align),
            align,
            niches: 255 - tags,
            niche_first: true,
            // Small ones may fit beside the spare bit patterns of the large one.
            exact: exact && (large.niches == 0 || large.niche_first),
            unknown: Vec::new(),
        }
    }

    /// One of two.
    /// The size of the enum that says which side of a branch was taken, from those of the sides.
    pub fn of_sides(sides: Vec<Size>) -> Size {
        if sides.len() <= 1 {
            return sides.into_iter().next().unwrap_or_else(Size::nothing);
        }
        let groups = groups(sides.len()).into_iter();
        Size::one_of(
            groups
                .map(|(start, len)| Size::of_sides(sides[start..start + len].to_vec()))
                .collect(),
        )
    }

    #[cfg(test)]
    fn either(a: Size, b: Size) -> Self {
        Size::one_of(vec![a, b])
    }

    /// In a list that names the thing.
    pub fn listed(&self) -> String {
        match self.unknown.len() {
            1 if self.bytes == 0 => "of unknown size".into(),
            _ => self.to_string(),
        }
    }

    fn is_nothing(&self) -> bool {
        self.bytes == 0 && self.unknown.is_empty()
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_nothing() {
            return f.write_str("no bytes");
        }
        let unit = if self.bytes == 1 { "byte" } else { "bytes" };
        let bound = if self.exact { "" } else { "at most " };
        let known = format!("{bound}{} {unit}", self.bytes);
        match (self.unknown.as_slice(), self.bytes) {
            ([], _) => f.write_str(&known),
            ([one], 0) => f.write_str(one),
            ([one], _) => write!(f, "{} {unit} + {one}", self.bytes),
            (_, 0) => f.write_str("parts of unknown size"),
            _ => write!(f, "{} {unit} + parts of unknown size", self.bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Size;

    /// A tag, or a bit pattern that says which.
    #[allow(dead_code)]
    enum Either<L, R> {
        L(L),
        R(R),
    }
    #[allow(dead_code)]
    #[derive(Clone, Copy)]
    enum Pick {
        Left,
        Right,
        Tie,
    }

    fn bytes<T>(size: &Size) {
        assert!(size.exact);
        assert_eq!(size.bytes as usize, size_of::<T>(), "{size}");
    }

    #[test]
    fn sizes_are_the_compilers() {
        let f64_ = || Size::of(8, 8, 0);
        let f32_ = || Size::of(4, 4, 0);
        let pick = || Size::of(1, 1, 253);
        bytes::<(f64, Pick, f32)>(&Size::tuple(vec![f64_(), pick(), f32_()]));
        bytes::<(f32, Pick)>(&Size::tuple(vec![f32_(), pick()]));
        bytes::<Either<(), ()>>(&Size::either(Size::nothing(), Size::nothing()));
        bytes::<Either<(f64,), ()>>(&Size::either(f64_(), Size::nothing()));
        bytes::<Either<(f64, f32), (f32,)>>(&Size::either(
            Size::tuple(vec![f64_(), f32_()]),
            f32_(),
        ));
        let with_pick = || Size::tuple(vec![f64_(), pick()]);
        bytes::<Either<(f64, Pick), ()>>(&Size::either(with_pick(), Size::nothing()));
        bytes::<Either<(f64,), Either<(), (f64,)>>>(&Size::either(
            f64_(),
            Size::either(Size::nothing(), f64_()),
        ));
        bytes::<(Either<(), Either<(), ()>>, f64)>(&Size::tuple(vec![
            Size::either(
                Size::nothing(),
                Size::either(Size::nothing(), Size::nothing()),
            ),
            f64_(),
        ]));
        bytes::<Either<(Either<(f64,), ()>,), (f64,)>>(&Size::either(
            Size::tuple(vec![Size::either(f64_(), Size::nothing())]),
            f64_(),
        ));
        let ty: syn::Type = syn::parse_quote!((bool, [f32; 3], usize));
        bytes::<(bool, [f32; 3], usize)>(&Size::of_type(&ty).expect("primitives"));
        let mixed = Size::tuple(vec![f64_(), Size::unknown("`a`")]);
        assert_eq!(mixed.to_string(), "8 bytes + `a`");
        let unsure = Size::either(f64_(), with_pick());
        assert!(!unsure.exact && unsure.bytes as usize >= size_of::<Either<f64, (f64, Pick)>>());
    }
}
