import type { LogFinding } from '#checkpoints/compare-log.js';
import { coloursFor } from '../terminal/colour.js';

const SAYS: Readonly<Record<LogFinding['problem'], string>> = {
  missing: 'is missing',
  repeated: 'stands a second time, or in the wrong place',
  wrong_hash: 'has a hash that does not follow from its content and its predecessor',
  wrong_event_id: 'has an id that does not follow from its stream, number and type',
  wrong_appended_id: 'has an id in the event store that does not follow from its command',
  unknown_category: 'belongs to a stream of a category that this release does not know',
  unknown_type: 'has a type that this release does not know',
  unreadable: 'has a version or a form that this release cannot read',
  diverged: 'is not what the rules make of the recorded inputs',
  stream_missing: 'and all later ones are missing: the log has no event of this stream any more',
  stream_cut: 'and later ones were there at the checkpoint, and cannot be read any more',
  stream_changed: 'is not the one at which the stream ended: it, or one before it, was changed',
  stream_inserted: 'stands before the checkpoint, which does not have it',
};

export function findingLine({ stream, number, problem }: LogFinding): string {
  const { red, dim } = coloursFor(process.stdout);
  return `${red(problem)}  ${stream}  event ${number} ${dim(SAYS[problem])}`;
}
