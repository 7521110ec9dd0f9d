import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { canonicalSize } from '#domain/determinism/canonical-json.js';
import type { Json, JsonObject } from '#domain/json.js';
import { requireCarriable } from '#domain/sem/fact-limits.js';
import { checkpointIn } from '#domain/thread/entries.js';
import { partsOf } from '#domain/thread/state.js';
import { isPosition } from '#domain/position.js';
import { type CheckpointPlace, ThreadQueries } from '#projections/threads/queries.js';
import type { StoredCheckpoint } from '#projections/threads/tables.js';
import { cursorOf, isTexts, placeOf } from '../platform/http/cursor.js';
import type { ThreadStore } from '../platform/stores.js';
import { THREAD_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import { ReadBy, type ReadContext, Unredacted } from '../privacy/read-context.decorator.js';
import { UnredactedReads } from '../privacy/unredacted-reads.js';
import { CheckpointReads } from './checkpoint-reads.js';
import { type CheckpointDto, CheckpointsPageDto } from './thread-view.js';
import { ThreadAccess } from './thread-access.js';
import { readersOf } from '../platform/auth/roles.js';
import { AnyObject, Text, Whole } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { Id, Namespace, ThreadId, ThreadOwner } from './thread-fields.js';

const DEFAULT_PAGE = 20;
/** A page ends early once its checkpoints have so many bytes. */
const PAGE_BYTES = 4 * 1024 * 1024;
/** The number of checkpoints that are read at once. */
const READ_AT_ONCE = 20;

@Describes({
  summary: 'Checkpoints of one thread or of all, the newest first',
  roles: readersOf('thread'),
  example: { limit: 20 },
  answers: [200, CheckpointsPageDto],
  fails: ['PRIVACY_BLOCKED', 'INTEGRITY_FAILURE'],
  reads: ['threads'],
})
export class ListCheckpoints extends ReadRequest<CheckpointsPageDto> {
  @ThreadId({ optional: true }) thread_id?: string;
  @Namespace('Default: all namespaces.') namespace?: string;
  @Id({ optional: true }) checkpoint_id?: string;

  @Id({ optional: true, description: 'Only checkpoints whose ids were first put before this one.' })
  before?: string;

  @AnyObject({
    optional: true,
    description:
      'Only checkpoints whose metadata has these values. Metadata that contains personal data matches no filter.',
  })
  filter?: JsonObject;

  @Whole({
    optional: true,
    min: 1,
    max: 100,
    description: 'Default: 20. A page of large checkpoints has fewer.',
  })
  limit?: number;

  @Text({
    optional: true,
    min: 1,
    max: 512,
    pattern: /^[\w-]+$/,
    form: 'be the next_cursor of an answer',
  })
  cursor?: string;
  @ThreadOwner() owner?: string;
  @Unredacted() unredacted?: 'true';
  @ReadBy() context!: ReadContext;
}

@QueryHandler(ListCheckpoints)
export class ListCheckpointsHandler implements IQueryHandler<ListCheckpoints> {
  constructor(
    @Inject(THREAD_STORE) private readonly store: ThreadStore,
    private readonly access: ThreadAccess,
    private readonly threads: ThreadQueries,
    private readonly reads: CheckpointReads,
    private readonly unredacted: UnredactedReads,
    private readonly gate: PrivacyGate,
  ) {}

  async execute(asked: ListCheckpoints): Promise<CheckpointsPageDto> {
    const { actor, context, limit = DEFAULT_PAGE, cursor, unredacted } = asked;
    await this.gate.requireClearIds({ thread_id: asked.thread_id, namespace: asked.namespace });
    requireCarriable('filter', asked.filter ?? null);
    const { owner, isOwn } = this.access.readable(actor, asked.owner);
    const after = cursor === undefined ? undefined : placeOf(cursor, isPlace);
    const rows = await this.threads.list({ ...asked, owner, after }, limit + 1);
    const page = rows.slice(0, limit);
    for (const stream of new Set(page.map(({ thread_stream }) => thread_stream)))
      await this.unredacted.allow(actor, unredacted, { stream }, context);
    const checkpoints: CheckpointDto[] = [];
    let taken = 0;
    for (let bytes = 0; taken < page.length && bytes < PAGE_BYTES; taken += READ_AT_ONCE) {
      const views = await this.viewsOf(
        page.slice(taken, taken + READ_AT_ONCE),
        isOwn || unredacted !== undefined,
      );
      bytes += views.reduce((sum, view) => sum + canonicalSize(view), 0);
      checkpoints.push(...views);
    }
    const shown = page.slice(0, taken);
    const last = shown.at(-1);
    const hasMore = rows.length > shown.length && last !== undefined;
    const next = hasMore ? cursorOf([last.first_position, last.thread_stream]) : null;
    return { checkpoints, next_cursor: next };
  }

  /** Returns the checkpoints of some rows, in their order, without those that were deleted after the rows were read. */
  private async viewsOf(
    rows: readonly StoredCheckpoint[],
    mayOpen: boolean,
  ): Promise<CheckpointDto[]> {
    const streams = new Set(rows.map(({ thread_stream }) => thread_stream));
    const views = new Map<string, CheckpointDto>();
    for (const stream of streams) {
      const { thread, last, latest } = (await this.store.load(stream)).state;
      if (thread === undefined) continue;
      const parts = rows.flatMap(({ thread_stream, checkpoint_id: id }) => {
        const found = thread_stream === stream ? checkpointIn(last, id) : undefined;
        if (found === undefined) return [];
        return latest?.checkpoint_id === id ? [latest] : [partsOf(last, found)];
      });
      for (const view of await this.reads.views({ stream, thread }, parts, mayOpen))
        views.set(`${stream} ${view.checkpoint_id}`, view);
    }
    return rows.flatMap(
      ({ thread_stream, checkpoint_id }) => views.get(`${thread_stream} ${checkpoint_id}`) ?? [],
    );
  }
}

const isPlace = (value: Json): value is CheckpointPlace =>
  isTexts(value) && value.length === 2 && isPosition(value[0] ?? '');
