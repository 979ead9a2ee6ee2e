//! Enums whose values have names.

/// Declares an enum of names, which are in lower case.
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
            /// Every name of the list, in its order.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// The name in lower case.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }
        }
    };
}

/// Declares an enum as [`names!`] does, and offers the documentation of each name as a text.
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
            /// What the name means, in the words of this documentation.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $( Self::$variant => concat!($($doc),+).trim_ascii_start(), )+ }
            }
        }
    };
}
pub(crate) use {described_names, names};
