//! Enums whose values have names.

/// Declares an enum whose variants have lower-case names.
macro_rules! names {
    (
        $(#[$enum_doc:meta])*
        pub enum $enum_name:ident {
            $( $(#[doc = $doc:literal])* $variant:ident = $name:literal, )+
        }
    ) => {
        $(#[$enum_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $enum_name {
            $(
                #[doc = concat!("`", $name, "`.")]
                ///
                $(#[doc = $doc])*
                $variant,
            )+
        }

        impl $enum_name {
            /// All variants, in the order of the list.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// The name in lower case.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }
        }
    };
}

/// Declares an enum like [`names!`], with the documentation of each name as text.
macro_rules! described_names {
    (
        $(#[$enum_doc:meta])*
        pub enum $enum_name:ident {
            $( $(#[doc = $doc:literal])+ $variant:ident = $name:literal, )+
        }
    ) => {
        $crate::names::names! {
            $(#[$enum_doc])*
            pub enum $enum_name {
                $( $(#[doc = $doc])+ $variant = $name, )+
            }
        }

        impl $enum_name {
            /// The meaning of the name: the text of its documentation.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $( Self::$variant => concat!($($doc),+).trim_ascii_start(), )+ }
            }
        }
    };
}
pub(crate) use {described_names, names};
