//! Enums whose values have words.

/// Defines an enum with the constant `ALL` and the method `name`: a variant is followed by its
/// word.
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

            /// The word for it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }
        }
    };
}

pub(crate) use named;
