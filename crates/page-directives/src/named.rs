//! Enums whose values have words.

/// Defines an enum with `ALL`, `name` and `of_name`: each variant is followed by its word.
macro_rules! named {
    (
        $(#[$attribute:meta])*
        pub enum $enum:ident {
            $( $(#[$of_variant:meta])* $variant:ident = $name:literal, )+
        }
    ) => {
        $(#[$attribute])*
        pub enum $enum { $( $(#[$of_variant])* $variant, )+ }

        impl $enum {
            /// Every value.
            pub const ALL: [Self; [ $( $name, )+ ].len()] = [ $( Self::$variant, )+ ];

            /// The word for this value.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// The value with this word, in any case.
            #[must_use]
            pub fn of_name(name: &[u8]) -> Option<Self> {
                let mut all = Self::ALL.into_iter();
                all.find(|value| name.eq_ignore_ascii_case(value.name().as_bytes()))
            }
        }
    };
}

pub(crate) use named;
