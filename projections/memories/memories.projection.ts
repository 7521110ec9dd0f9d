import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import type { ActionRequestEvent } from '#domain/action-request/events.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { MemoryWorded } from '#domain/memories/events.js';
import { memoriesDecider } from '#domain/memories/memories.decider.js';
import { keyIdOf } from '#domain/privacy/key-id.js';
import { bigint, int, orNull, type RowWith, text, texts } from '#read-model/columns.js';
import { foldedTable } from '#read-model/folded-table.js';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';

const COLUMNS = {
  memory_id: text(),
  version: int(),
  stream: text(),
  /** `user:<id>` or `sub:<sub>`. */
  owner: text(),
  /** The key under which it is sealed. */
  kid: text(),
  /** Canonical JSON of the sealed `{text, tags}`. */
  sealed: text(),
  /** The HMACs of the tags. */
  tags: texts(),
  /** Which rule kept it; null for a text that was given to be remembered. */
  because: orNull(text()),
  created_at: text(),
  updated_at: text(),
  expires_at: orNull(text()),
  /** The position in the log at which this version appeared. */
  appeared: bigint(),
  /** The position at which it was reworded, forgotten or lapsed; null if it is there. */
  died: orNull(bigint()),
};
export type MemoryRow = RowWith<typeof COLUMNS>;

/** One row for each version of a memory (SPEC W2). */
export const MEMORY = foldedTable('memories.memory', {
  reads: [memoriesDecider],
  key: ['memory_id', 'version'],
  columns: COLUMNS,
  indexes: {
    memory_newest: '(kid, updated_at, appeared)',
    memory_instructions: `(kid, updated_at, appeared) where because = 'instruction'`,
    memory_expiry: '(expires_at) where died is null and expires_at is not null',
  },
  at: ({ type, data: { memory_id, version } }) =>
    type === 'memory_reworded'
      ? [
          { memory_id, version: version - 1 },
          { memory_id, version },
        ]
      : [{ memory_id, version }],
  row: (before, { type, data, stream, position }, { version }) => {
    const isNew = type === 'memory_remembered' || type === 'memory_reworded';
    if (isNew && version === data.version) return worded(data, stream, position.toString());
    return before && { ...before, died: position.toString() };
  },
});

const ERASE = `
  update memory set died = $2 where kid = any($1::text[]) and died is null and appeared < $2`;

/** The memories of every person (SPEC W2). Those that an erasure has destroyed end with it. */
@Projector({
  name: 'memories',
  version: 1,
  tables: [MEMORY],
  reads: [actionRequestDecider],
  types: ['deletion_event'],
})
export class MemoriesProjection implements EventProjector<ActionRequestEvent> {
  async project(
    tx: ProjectionTransaction,
    events: readonly Logged<ActionRequestEvent>[],
  ): Promise<void> {
    for (const { type, data, position } of events)
      if (type === 'deletion_event') await tx.query(ERASE, [data.kids, String(position)]);
  }
}

function worded(
  { sealed, kept, at, ...memory }: MemoryWorded,
  stream: string,
  appeared: string,
): MemoryRow {
  const { memory_id, version, owner, tags, created_at, expires_at } = memory;
  return {
    ...{ memory_id, version, stream, owner, tags },
    ...{ kid: keyIdOf(sealed), sealed: canonicalJson(sealed), because: kept?.because ?? null },
    ...{ created_at, updated_at: at, expires_at, appeared, died: null },
  };
}
