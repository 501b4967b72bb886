//! The names of a recording: each belongs to one thing.

use autodiff_core::device::Layout;
use std::collections::BTreeMap;

/// What bears a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bearer {
    Input,
    Variable,
    Output,
    /// A value in the middle.
    Value,
}

impl Bearer {
    fn article(self) -> &'static str {
        match self {
            Bearer::Input => "an input",
            Bearer::Variable => "a variable",
            Bearer::Output => "an output",
            Bearer::Value => "a value",
        }
    }
}

/// The names, with the number of the value of each, and how the tensor lies in it.
#[derive(Debug, Default)]
pub(crate) struct Names {
    all: BTreeMap<String, (Bearer, usize, Layout)>,
}

impl Names {
    /// Whether the name is free.
    ///
    /// # Panics
    /// If it is empty or belongs to something else.
    #[track_caller]
    pub fn check(&self, name: &str, bearer: Bearer) {
        let of = bearer.article();
        assert!(
            !name.is_empty(),
            "the name of {of} is empty, expected a text"
        );
        if let Some((other, ..)) = self.all.get(name) {
            let way_out = match bearer {
                Bearer::Variable => {
                    "; the variables of a second module get names of their own from `module_as`"
                }
                _ => "",
            };
            panic!(
                "`{name}` is the name of {} already, expected another one for {of}{way_out}",
                other.article()
            );
        }
    }

    /// Gives a free name.
    ///
    /// # Panics
    /// As [`check`](Names::check).
    #[track_caller]
    pub fn give(&mut self, name: &str, bearer: Bearer, value: usize, layout: Layout) {
        // An input that is an output too has one name for both.
        let again = matches!(bearer, Bearer::Output | Bearer::Value)
            && matches!(
                self.all.get(name),
                Some((Bearer::Input | Bearer::Variable, v, l)) if (*v, *l) == (value, layout)
            );
        if !again {
            self.check(name, bearer);
        }
        self.all.insert(name.to_owned(), (bearer, value, layout));
    }

    /// The value that bears a name.
    pub fn value(&self, name: &str) -> Option<(usize, Layout)> {
        self.all
            .get(name)
            .map(|(_, value, layout)| (*value, *layout))
    }

    /// All of them, for messages.
    pub fn known(&self) -> String {
        let names = self.all.keys().map(|name| format!("`{name}`"));
        let names: Vec<String> = names.collect();
        match names.is_empty() {
            true => "none, because nothing has a name".into(),
            false => names.join(", "),
        }
    }
}
