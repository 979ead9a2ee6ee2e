//! Enums of the words that a column may hold.

macro_rules! word_enum {
    ($(#[$doc:meta])* $visibility:vis $type:ident {
        $( $(#[$variant_doc:meta])* $variant:ident = $name:literal, )+
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        $visibility enum $type {
            $( $(#[$variant_doc])* $variant, )+
        }

        impl $type {
            #[allow(dead_code, reason = "not every enum is listed")]
            $visibility const ALL: [Self; [ $( $name, )+ ].len()] = [ $( Self::$variant, )+ ];

            $visibility fn name(self) -> &'static str {
                match self {
                    $( Self::$variant => $name, )+
                }
            }
        }
    };
}

pub(crate) use word_enum;
