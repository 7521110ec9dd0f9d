import { idOfRequestStream } from '#domain/stream-names.js';
import { threadDecider } from '#domain/thread/thread.decider.js';
import { conversationDecider } from '#domain/conversation/conversation.decider.js';
import { memoriesDecider } from '#domain/memories/memories.decider.js';
import { noteDecider } from '#domain/note/note.decider.js';
import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import { semDecider } from '#domain/sem/sem.decider.js';
import { jobDecider } from '#domain/job/decider.js';
import { keyIdOf, partsOfKeyId } from '#domain/privacy/key-id.js';
import { sealedIn } from '#domain/privacy/sealed-in.js';
import { hashOf } from '#read-model/checkpoint.js';
import { bigint, int, type RowWith, text } from '#read-model/columns.js';
import { foldedTable } from '#read-model/folded-table.js';
import { Projector } from '#read-model/projector.decorator.js';

const SEALED_VALUE_COLUMNS = {
  /** The id of the key: `<subject>#<version>`. */
  kid: text(),
  position: bigint(),
  subject: text(),
  /** How many values of the event this key seals. */
  count: int(),
  recorded_at: text(),
  stream: text(),
  number: int(),
  event_hash: text(),
};
export type StoredSealedValue = RowWith<typeof SEALED_VALUE_COLUMNS>;

/** One row per event and key for the events that contain sealed values (SPEC P5). An erasure takes its manifest from here, so that it need not read the whole log. */
export const SEALED_VALUE = foldedTable('sealed_values.sealed_value', {
  reads: [
    jobDecider,
    semDecider,
    actionRequestDecider,
    noteDecider,
    memoriesDecider,
    conversationDecider,
    threadDecider,
  ],
  types: [
    'job_started',
    'wm_inserted',
    'episode_written',
    'episode_consolidated',
    'episodic_summary',
    'fact_put',
    'action_requested',
    'proposal_revised',
    'note_put',
    'memory_remembered',
    'memory_reworded',
    'conversation_items_appended',
    'conversation_items_replaced',
    'checkpoint_put',
    'writes_put',
  ],
  key: ['kid', 'position'],
  columns: SEALED_VALUE_COLUMNS,
  indexes: {
    sealed_value_subject: '(subject, position)',
  },
  adds: (event) => {
    const counts = new Map<string, number>();
    for (const sealed of sealedIn(event)) {
      const kid = keyIdOf(sealed);
      counts.set(kid, (counts.get(kid) ?? 0) + 1);
    }
    const { stream, number } = event;
    const position = event.position.toString();
    const { recorded_at } = event.metadata;
    const event_hash = hashOf(event);
    return [...counts].map(([kid, count]) => {
      const { subject } = partsOfKeyId(kid);
      return { kid, position, subject, count, recorded_at, stream, number, event_hash };
    });
  },
});

const ERASED_KEY_COLUMNS = {
  kid: text(),
  subject: text(),
  version: int(),
  /** The request of the erasure. */
  destroyed_by: text(),
};
export type StoredErasedKey = RowWith<typeof ERASED_KEY_COLUMNS>;

/** The keys that erasures have destroyed, as the log names them (SPEC G6). A service whose table of keys is a copy from before an erasure destroys them again. */
export const ERASED_KEY = foldedTable('sealed_values.erased_key', {
  reads: [actionRequestDecider],
  types: ['deletion_event'],
  key: ['kid'],
  columns: ERASED_KEY_COLUMNS,
  adds: ({ stream, data: { kids } }) => {
    const destroyed_by = idOfRequestStream(stream);
    return kids.map((kid) => ({ kid, ...partsOfKeyId(kid), destroyed_by }));
  },
  keepsFirst: true,
});

/** The events whose values are sealed, by key, and the keys that are erased (SPEC P5, G6). */
@Projector({ name: 'sealed_values', version: 5, tables: [SEALED_VALUE, ERASED_KEY] })
export class SealedValuesProjection {}
