use robots_dialects::platform;

use super::Str;

table! {
    /// One row per part of a file that a platform wrote: software or a service that writes
    /// robots.txt files for its users. `files.platform` is the platform of the first part; the rest
    /// of the file has the policy `files.owner_policy_id`.
    "platforms", PlatformRow, PlatformsBuilder, key: File(file_id) {
        /// The file.
        file_id: i64 [LookedUp],
        /// Position of the part in the file, from 0.
        part_index: i32,
        /// The platform.
        platform: Str = platform::names(),
        /// Version of the platform's text, if versions can be distinguished: the release that wrote
        /// it first, or a distinguishing word.
        platform_version: Option<Str>,
        /// First line: the comment at the beginning of a block, or the first group; from 1.
        line_start: i32 [Rising],
        /// Last line.
        line_end: i32 [Rising],
        /// First unchanged group of the platform (`groups.group_index`); null without one.
        group_first: Option<i32>,
        /// Last such group.
        group_last: Option<i32>,
    }
}
