import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { canonicalSize } from '#domain/determinism/canonical-json.js';
import { Refusal } from '#domain/errors/refusal.js';
import { requireClearIds } from '#domain/privacy/require-clear-ids.js';
import type { Actor } from '#domain/recorded-event.js';
import { checkpointIn } from '#domain/thread/entries.js';
import { partsOf } from '#domain/thread/state.js';
import { type CheckpointPlace, ThreadQueries } from '#projections/threads/queries.js';
import type { StoredCheckpoint } from '#projections/threads/tables.js';
import type { ThreadStore } from '../platform/stores.js';
import { THREAD_STORE } from '../platform/tokens.js';
import { UnredactedReads } from '../privacy/unredacted-reads.js';
import { CheckpointReads } from './checkpoint-reads.js';
import type { CheckpointDto, CheckpointsPageDto } from './dto/thread-view.dto.js';
import type { ListCheckpointsDto } from './dto/thread.dto.js';
import { ThreadAccess } from './thread-access.js';

const DEFAULT_PAGE = 20;
/** A page ends early once its checkpoints have so many bytes. */
const PAGE_BYTES = 4 * 1024 * 1024;

export class ListCheckpoints extends Query<CheckpointsPageDto> {
  constructor(
    readonly actor: Actor,
    readonly asked: ListCheckpointsDto,
    readonly traceId: string,
  ) {
    super();
  }
}

/** Lists checkpoints of one owner, in one thread and namespace or in all, by id, the greatest first. */
@QueryHandler(ListCheckpoints)
export class ListCheckpointsHandler implements IQueryHandler<ListCheckpoints> {
  constructor(
    @Inject(THREAD_STORE) private readonly store: ThreadStore,
    private readonly access: ThreadAccess,
    private readonly threads: ThreadQueries,
    private readonly reads: CheckpointReads,
    private readonly unredacted: UnredactedReads,
  ) {}

  async execute({ actor, asked, traceId }: ListCheckpoints): Promise<CheckpointsPageDto> {
    const { limit = DEFAULT_PAGE, cursor, unredacted } = asked;
    requireClearIds(asked.thread_id, asked.namespace);
    const { owner, isOwn } = this.access.readable(actor, asked.owner);
    const after = cursor === undefined ? undefined : placeOf(cursor);
    const rows = await this.threads.list({ ...asked, owner, after }, limit + 1);
    const checkpoints: CheckpointDto[] = [];
    const opened = new Set<string>();
    let bytes = 0;
    let taken = 0;
    for (const row of rows.slice(0, limit)) {
      if (bytes > PAGE_BYTES) break;
      const { thread_stream: stream } = row;
      if (!opened.has(stream)) await this.unredacted.allow(actor, unredacted, { stream }, traceId);
      opened.add(stream);
      taken += 1;
      const view = await this.viewOf(row, isOwn || unredacted !== undefined);
      if (view === undefined) continue;
      bytes += canonicalSize(view);
      checkpoints.push(view);
    }
    const last = rows[taken - 1];
    return {
      checkpoints,
      next_cursor: rows.length > taken && last !== undefined ? cursorOf(last) : null,
    };
  }

  /** Returns the checkpoint of a row; undefined if it was deleted after the row was read. */
  private async viewOf(
    { thread_stream: stream, checkpoint_id }: StoredCheckpoint,
    mayOpen: boolean,
  ): Promise<CheckpointDto | undefined> {
    const { thread, last, latest } = (await this.store.load(stream)).state;
    const checkpoint = checkpointIn(last, checkpoint_id);
    if (thread === undefined || checkpoint === undefined) return undefined;
    const isLatest = latest?.data.checkpoint_id === checkpoint_id;
    const parts = isLatest ? latest : partsOf(last, checkpoint);
    const [view] = await this.reads.views({ stream, thread }, [parts], mayOpen);
    return view;
  }
}

const cursorOf = ({ checkpoint_id, thread_stream }: StoredCheckpoint): string =>
  Buffer.from(JSON.stringify([checkpoint_id, thread_stream])).toString('base64url');

/** @throws Refusal INVALID_INPUT for a text that no page has returned */
function placeOf(cursor: string): CheckpointPlace {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (
      Array.isArray(place) &&
      place.length === 2 &&
      place.every((part) => typeof part === 'string')
    )
      return place as unknown as CheckpointPlace;
  } catch {
    // A text that is not JSON is refused below.
  }
  throw new Refusal('INVALID_INPUT', { reason: 'cursor: is not one that a page has returned' });
}
