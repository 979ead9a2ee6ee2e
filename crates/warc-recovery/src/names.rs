//! Enums of names, which are compared regardless of case (RFC 9110 §5.1; ISO 28500:2017 §4).

/// Declares an enum of names: the variants, their lower-case names, their number and a look-up.
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
            /// Number of names in the list.
            pub const COUNT: usize = Self::ALL.len();

            /// The name in lower case.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// The one of this name, letters compared without case.
            #[must_use]
            #[inline]
            pub fn from_name(name: &[u8]) -> Option<Self> {
                // The compiler makes a switch on the length of this.
                $(
                    if name.len() == $name.len()
                        && name.eq_ignore_ascii_case($name.as_bytes())
                    {
                        return Some(Self::$variant);
                    }
                )+
                None
            }
        }
    };
}

/// Declares an enum as [`names!`] does, with what each name means as a text too: its documentation.
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
