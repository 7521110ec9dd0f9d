import type { IntegrityFinding } from '#client/index.js';

/** The description of each problem of the log. */
export const PROBLEMS: Readonly<Record<IntegrityFinding['problem'], string>> = {
  missing: 'An event is missing before this one',
  repeated: 'The number of the event occurs twice',
  wrong_hash: 'The event does not fit the hash chain: its content or its place was changed',
  wrong_event_id: 'The id of the event is not the one that its place gives',
  wrong_appended_id: 'The id under which the event was appended is not its own',
  unknown_category: 'No rule of this release knows the stream',
  unknown_type: 'No rule of this release knows the type of the event',
  unreadable: 'The event cannot be read',
  diverged: 'A replay of the decisions gives another event',
};
