//! Enums whose values have names.

/// Defines an enum with `ALL` and `name`: each variant is followed by its name.
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
            /// Every value, in the order of the definition.
            pub const ALL: [Self; [ $( $name, )+ ].len()] = [ $( Self::$variant, )+ ];

            /// The stable name in commands and tables, in lower case.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $enum {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    };
}

pub(crate) use named;
