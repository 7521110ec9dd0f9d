import type { ThreadEvent } from '#domain/thread/events.js';
import type { ConversationEvent } from '#domain/conversation/events.js';
import type { NoteEvent } from '#domain/note/events.js';
import type { ActionRequestEvent } from '#domain/action-request/events.js';
import type { SemEvent } from '#domain/sem/events.js';
import type { JobEvent } from '#domain/job/events.js';
import { threadDecider } from '#domain/thread/thread.decider.js';
import { conversationDecider } from '#domain/conversation/conversation.decider.js';
import { noteDecider } from '#domain/note/note.decider.js';
import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import { semDecider } from '#domain/sem/sem.decider.js';
import { jobDecider } from '#domain/job/decider.js';
import { idOfRequestStream } from '#domain/action-request/state.js';
import { keyIdOf, partsOfKeyId } from '#domain/privacy/key-id.js';
import { sealedIn } from '#domain/privacy/sealed-in.js';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { RowSeals } from '#read-model/row-seals.js';
import type { Shown } from '#read-model/read-table.js';
import {
  ERASED_KEY,
  SEALED_VALUE,
  type StoredErasedKey,
  type StoredSealedValue,
} from './tables.js';

const SEALING = [
  'job_started',
  'wm_inserted',
  'episode_written',
  'episode_consolidated',
  'episodic_summary',
  'fact_put',
  'action_requested',
  'proposal_revised',
  'note_put',
  'conversation_items_appended',
  'conversation_items_replaced',
  'checkpoint_put',
  'writes_put',
  'deletion_event',
] as const;
type SealingEvent = Extract<
  JobEvent | SemEvent | ActionRequestEvent | NoteEvent | ConversationEvent | ThreadEvent,
  { readonly type: (typeof SEALING)[number] }
>;

/** The events whose values are sealed, by key, and the keys that are erased (SPEC P5, G6). */
@Projector({
  name: 'sealed_values',
  version: 3,
  tables: [SEALED_VALUE, ERASED_KEY],
  reads: [
    jobDecider,
    semDecider,
    actionRequestDecider,
    noteDecider,
    conversationDecider,
    threadDecider,
  ],
  types: SEALING,
})
export class SealedValuesProjection implements EventProjector<SealingEvent> {
  constructor(private readonly seals: RowSeals) {}

  async project(tx: ProjectionTransaction, events: readonly Logged<SealingEvent>[]): Promise<void> {
    await SEALED_VALUE.insert(tx, this.seals, events.flatMap(rowsOf));
    await ERASED_KEY.keepFirst(tx, this.seals, events.flatMap(erasedBy));
  }
}

function rowsOf(event: Logged<SealingEvent>): Shown<StoredSealedValue>[] {
  const counts = new Map<string, number>();
  for (const sealed of sealedIn(event)) {
    const kid = keyIdOf(sealed);
    counts.set(kid, (counts.get(kid) ?? 0) + 1);
  }
  return [...counts].map(([kid, count]) => ({
    row: {
      kid,
      position: event.position.toString(),
      subject: partsOfKeyId(kid).subject,
      count,
      recorded_at: event.metadata.recorded_at,
    },
    event,
  }));
}

function erasedBy(event: Logged<SealingEvent>): Shown<StoredErasedKey>[] {
  if (event.type !== 'deletion_event') return [];
  const { kids } = event.data;
  const destroyed_by = idOfRequestStream(event.stream);
  return kids.map((kid) => ({ row: { kid, ...partsOfKeyId(kid), destroyed_by }, event }));
}
