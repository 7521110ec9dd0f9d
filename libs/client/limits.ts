/** The limits of the service that this package keeps to. A test compares them with the service's own. */

/** The most commands of one request. */
export const MAX_COMMANDS = 500;
/** The most bytes of one request's commands: the service accepts 900 KiB of events at once. */
export const MAX_BYTES = 700 * 1024;

/** The most bytes of JSON that a note, or an item of a conversation, may have. */
export const RECORD_BYTES = 64 * 1024;
/** The most bytes of one whose personal data the service seals: the sealed form is a third longer. */
export const SEALED_RECORD_BYTES = 47 * 1024;
/** The limits of one request: its items, the bytes of their JSON, and the names and values in it. */
export const REQUEST = { items: 500, bytes: 600_000, values: 90_000 };

/** The most characters of a text of a turn. */
export const TEXT_LENGTH = 16_384;
/** The most characters of a recall's query. */
export const QUERY_LENGTH = 16_000;
/** The most entries, and bytes of JSON, of what tools have done in a turn. */
export const TOOL_EVENTS = { count: 100, bytes: 64 * 1024 };
