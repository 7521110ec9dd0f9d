import type { LogCheckpointEvent } from '#domain/log-checkpoint/events.js';
import {
  type KeptAt,
  logCheckpointDecider,
  placesAfter,
  placesOf,
} from '#domain/log-checkpoint/log-checkpoint.decider.js';
import { idOfCheckpointStream } from '#domain/stream-names.js';
import { bigint, bool, int, json, type RowWith, text } from '#read-model/columns.js';
import { foldedTable } from '#read-model/folded-table.js';
import type { Logged } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';

const COLUMNS = {
  checkpoint_id: text(),
  /** Commit position of checkpoint_made: the order of lists, and their cursor. */
  position: bigint(),
  made_by: text(),
  created_at: text(),
  made_at: text(),
  /** The commit position of the last event that the checkpoint covers. */
  log_position: bigint(),
  events: bigint(),
  streams: int(),
  found: bigint(),
  key_id: text(),
  sha256: text(),
  bytes: bigint(),
  places: json<readonly KeptAt[]>(),
  /** True until each place keeps the file. */
  is_waiting: bool(),
};
export type StoredCheckpoint = RowWith<typeof COLUMNS>;

/** One row per signed checkpoint of the log that the service has made (SPEC I6). */
export const CHECKPOINT = foldedTable('checkpoints.log_checkpoint', {
  reads: [logCheckpointDecider],
  key: ['checkpoint_id'],
  columns: COLUMNS,
  unique: [['position']],
  indexes: { log_checkpoint_waiting: '(position) where is_waiting' },
  at: ({ stream }) => [{ checkpoint_id: idOfCheckpointStream(stream) }],
  row: (before, event) => withWaiting(rowAfter(before, event)),
});

/** The checkpoints of the log, and the places that keep their files. */
@Projector({ name: 'checkpoints', version: 1, tables: [CHECKPOINT] })
export class CheckpointsProjection {}

type Row = Omit<StoredCheckpoint, 'is_waiting'>;

const withWaiting = (row: Row): StoredCheckpoint => ({
  ...row,
  is_waiting: row.places.some(({ kept_at }) => kept_at === null),
});

function rowAfter(before: StoredCheckpoint | undefined, event: Logged<LogCheckpointEvent>): Row {
  if (event.type === 'checkpoint_made') {
    const { places: _, position, events, found, bytes, ...made } = event.data;
    return {
      ...made,
      position: event.position.toString(),
      made_by: event.metadata.actor,
      log_position: position,
      events: String(events),
      found: String(found),
      bytes: String(bytes),
      places: placesOf(event.data),
    };
  }
  if (before === undefined) throw new Error('a checkpoint is kept before it is made');
  return { ...before, places: placesAfter(before.places, event) };
}
