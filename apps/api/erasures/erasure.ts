import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import type { ErasureManifest } from '#domain/action-request/erasure.js';
import { erasureProposalOf } from '#domain/action-request/erasure.js';
import type { ActionRequestState } from '#domain/action-request/state.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { runningSha256 } from '#domain/determinism/hash.js';
import { clearValueOf } from '#domain/held.js';
import type { Loaded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import { SealedValueQueries } from '#projections/sealed-values/queries.js';
import { KEY_FRESH_MS, SubjectKeys } from '#subject-keys/subject-keys.js';
import { firstEventOf, identityCausedBy } from '../action-requests/execute/identity-of-event.js';
import { LogEnd } from '../platform/log-end.js';
import type { ActionRequestStore } from '../platform/stores.js';
import { SubjectWrites } from '../storage-queue/subject-writes.js';
import { ACTION_REQUEST_STORE, EVENT_STORE } from '../platform/tokens.js';

/**
 * Carries out an erasure that an admin has ordered: removes the subject's refused writes, destroys the keys
 * that the order names, and records what they sealed (SPEC G6). A repeated call, at once or after a crash, adds nothing
 * and destroys no other key.
 */
@Injectable()
export class Erasure {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    private readonly keys: SubjectKeys,
    private readonly values: SealedValueQueries,
    private readonly logEnd: LogEnd,
    private readonly refusedWrites: SubjectWrites,
  ) {}

  /** Returns the request after its erasure. A request without an order is left unchanged. */
  async execute(stream: string): Promise<Loaded<ActionRequestState>> {
    const loaded = await this.requests.load(stream);
    const { request, erasure, deletion } = loaded.state;
    if (request === null || erasure === undefined || deletion !== undefined) return loaded;
    const { subject } = erasureProposalOf(clearValueOf(request));
    // A replay after the destruction would seal their data under a new key.
    await this.refusedWrites.remove(subject);
    const { request_id } = request;
    const kids = erasure.kids ?? (await this.keys.ofUnnamed(request_id, subject));
    await this.keys.destroy(kids, request_id);
    // Other processes may use a key from memory for so long. Afterwards nobody can seal or open with it.
    await wait(KEY_FRESH_MS);
    await this.logEnd.reach('sealed_values');
    const order = await firstEventOf(this.eventStore, stream, 'erasure_ordered');
    // An order that names no keys takes effect with its deletion_event (SealedWrites).
    const manifest = await this.manifestOf(kids, erasure.kids && order.position);
    const at = new Date().toISOString();
    await this.requests.execute(
      stream,
      [{ type: 'record_deletion', kids, manifest, at }],
      identityCausedBy(order),
    );
    return this.requests.load(stream);
  }

  /**
   * Lists the values that the keys have sealed. @param before the position of the erasure order. A write after it was
   * never acknowledged (SPEC P5) and may appear even after this list, so the list leaves it out
   */
  private async manifestOf(
    kids: readonly string[],
    before: bigint | undefined,
  ): Promise<ErasureManifest> {
    const streams = new Set<string>();
    const hash = runningSha256();
    let events = 0;
    let last = '';
    let first_recorded_at: string | null = null;
    let last_recorded_at: string | null = null;
    for await (const row of this.values.byKeys(kids)) {
      if (before !== undefined && BigInt(row.position) > before) break;
      // An event with values under two keys has two rows.
      if (row.position === last) continue;
      last = row.position;
      events += 1;
      streams.add(row.stream);
      hash.update(`${canonicalJson([row.stream, row.number, row.event_hash])}\n`);
      first_recorded_at ??= row.recorded_at;
      last_recorded_at = row.recorded_at;
    }
    return {
      events,
      streams: streams.size,
      first_recorded_at,
      last_recorded_at,
      hash: hash.digest('hex'),
    };
  }
}
