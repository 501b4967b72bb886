//! The tangents of operands and places.

use super::*;

impl Jvp<'_> {
    pub(super) fn is_active(&self, p: &Place) -> bool {
        self.f.vars[p.root].active
    }

    pub(super) fn tangent_place(&self, p: &Place) -> TokenStream {
        let t = self.tangent_name(p.root);
        if p.is_var() && self.f.vars[p.root].hold == Hold::Mut {
            return quote!((*#t));
        }
        // What a struct has for a constant field has no parts.
        let (mut value, mut tangent) = (self.name(p.root).to_token_stream(), t.to_token_stream());
        let mut in_field = false;
        for projection in &p.projections {
            // An operator of the user's gives what is there, also where that is nothing.
            tangent = match in_field && !matches!(projection, Projection::Spot(_)) {
                true => {
                    let whole = ident("__whole".into());
                    let part = project_one(Side::TangentMut, quote!(#whole), projection);
                    quote!((*ad::Inside(&#value, &mut #tangent).part(|#whole| &mut #part)))
                }
                false => project_one(Side::TangentMut, tangent, projection),
            };
            value = project_one(Side::Value, value, projection);
            in_field |= matches!(projection, Projection::Field(_) | Projection::Variant(..));
        }
        tangent
    }

    /// The tangent of a place that is lent to a call, whose other arguments may be other fields.
    pub(super) fn tangent_lent(&self, p: &Place) -> TokenStream {
        let fields = p
            .projections
            .iter()
            .all(|p| matches!(p, Projection::Field(_)));
        if !fields || p.is_var() {
            return self.tangent_place(p);
        }
        let t = self.tangent_name(p.root);
        project(Side::TangentMut, quote!(#t), p)
    }

    /// The tangent of a place that is read. A constant field of a struct has none in the tangent of
    /// the struct: it reads as zero.
    pub(super) fn tangent_read(&self, p: &Place) -> TokenStream {
        let (name, t) = (self.name(p.root), self.tangent_name(p.root));
        let (mut value, mut tangent) = (quote!(#name), quote!(#t));
        let mut in_field = false;
        for projection in &p.projections {
            let part = matches!(projection, Projection::Field(_) | Projection::Index(_));
            tangent = match in_field {
                // What a struct has for a constant field has no parts.
                true if part => {
                    let whole = ident("__whole".into());
                    let part = project_one(Side::Tangent, quote!(#whole), projection);
                    quote!((*ad::Within(&#value, &#tangent).part(|#whole| &#part)))
                }
                true => {
                    let of_field = self.of_field(&value, &tangent);
                    in_field = false;
                    project_one(Side::Tangent, of_field, projection)
                }
                false => project_one(Side::Tangent, tangent, projection),
            };
            value = project_one(Side::Value, value, projection);
            in_field |= matches!(projection, Projection::Field(_) | Projection::Variant(..));
        }
        match in_field {
            true => self.of_field(&value, &tangent),
            false => tangent,
        }
    }

    /// The tangent of a field: zero, where it is constant.
    fn of_field(&self, value: &TokenStream, tangent: &TokenStream) -> TokenStream {
        quote!((*ad::FieldTangent(&#value, &#tangent).get(&mut ::core::option::Option::None)))
    }

    /// The tangent of a variable, or what the tangent of a struct has for a field, which may be constant.
    pub(super) fn unconverted(&self, o: &Operand) -> Option<TokenStream> {
        let mut place = o.place()?.clone();
        Some(match place.projections.pop() {
            Some(last @ Projection::Field(_)) => {
                project_one(Side::Tangent, self.tangent_read(&place), &last)
            }
            Some(_) => return None,
            None => self.tangent_read(&place),
        })
    }

    /// `&tangent` of an active operand.
    pub(super) fn tangent_ref(&self, o: &Operand) -> Option<TokenStream> {
        let p = o.place().filter(|p| self.is_active(p))?;
        let t = self.tangent_read(p);
        // The companion of a method takes `self` and its tangent by reference.
        let own = self.f.vars[p.root].param;
        let own = own.is_some_and(|i| self.f.params[i].is_self);
        Some(match self.f.vars[p.root].hold {
            Hold::Value if p.is_var() && own => t,
            Hold::Ref if p.is_var() => t,
            Hold::Mut if p.is_var() => quote!((&*#t)),
            _ => quote!(&#t),
        })
    }

    /// The tangent of an operand, owned.
    pub(super) fn tangent(&self, o: &Operand) -> Option<TokenStream> {
        let r = self.tangent_ref(o)?;
        let p = o.place()?;
        let by_reference = p.is_var() && self.f.vars[p.root].hold.is_reference();
        Some(match (p.ty.is_float(), by_reference) {
            (true, true) => quote!(*#r),
            (true, false) => self.tangent_read(p),
            (false, _) => quote!(::std::borrow::ToOwned::to_owned(#r)),
        })
    }

    /// That of an argument, which may be a constant of any type.
    pub(super) fn argument_tangent(&self, o: &Operand) -> TokenStream {
        match (self.tangent(o), o.ty()) {
            (None, Ty::Unknown) => {
                let lent = self.code(|c| c.passed(o));
                quote!((&&&#lent).no_tangent())
            }
            _ => self.tangent_or_zero(o),
        }
    }

    /// The tangent of an operand, or the zero of its type.
    pub(super) fn tangent_or_zero(&self, o: &Operand) -> TokenStream {
        self.tangent(o).unwrap_or_else(|| {
            if matches!(o, Operand::Native(n) if n.ty == Ty::OpenFloat) {
                // Of the type that is asked for, as the value itself.
                return quote!(0.0);
            }
            let r = self.code(|c| c.value_ref(o));
            quote!(ad::zero_tangent(#r))
        })
    }
}
