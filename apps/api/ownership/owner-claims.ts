import { Inject, Injectable } from '@nestjs/common';
import { jsonBytes, LruMap } from '#bounded/lru-map.js';
import { mayUseSlug, type OwnerState } from '#domain/ownership/owner.decider.js';
import { permit } from '#domain/errors/permit.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import {
  caseClaimStream,
  ownerStream,
  ownerStreamOf,
  slugOfOwnerStream,
} from '#domain/stream-names.js';
import { EventStoreUnavailable } from '#event-store/event-store.js';
import { SemQueries } from '#projections/sem/queries.js';
import type { OwnerStore } from '../platform/stores.js';
import { OWNER_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';

const MAX_CLAIMED_BYTES = 4 * 1024 * 1024;

/** Records which raw id owns which slug (SPEC I9). Claims are permanent, so they are cached. */
@Injectable()
export class OwnerClaims {
  private readonly claimed = new LruMap<string, true>({
    maxBytes: MAX_CLAIMED_BYTES,
    bytesOf: jsonBytes,
  });

  constructor(
    @Inject(OWNER_STORE) private readonly owners: OwnerStore,
    private readonly facts: SemQueries,
    private readonly gate: PrivacyGate,
  ) {}

  /**
   * Claims the slug of a raw user id for this id, unless the id already owns it.
   * @throws Refusal PERMISSION_DENIED if another raw id owns the slug, PRIVACY_BLOCKED for an id that the
   * gate flags (SPEC I4).
   */
  async claim(rawId: string, identity: CommandIdentity): Promise<void> {
    if (this.claimed.has(rawId)) return;
    await this.gate.requireClearIds({ user_id: rawId });
    await this.owners.execute(ownerStream(rawId), [{ type: 'claim', raw_id: rawId }], identity);
    this.claimed.set(rawId, true);
  }

  /** Refuses as `claim` does, and claims nothing. */
  async requireClaimable(rawId: string): Promise<void> {
    if (this.claimed.has(rawId)) return;
    await this.gate.requireClearIds({ user_id: rawId });
    await this.check(rawId);
  }

  /**
   * Claims the form under which names hold a user (`foldUserId`), if another user could have the same. Without the log,
   * reads go on. @throws Refusal PERMISSION_DENIED if another user has claimed it, and PRIVACY_BLOCKED for an id that
   * the gate flags.
   */
  async claimCases(rawId: string, identity: CommandIdentity): Promise<void> {
    const stream = caseClaimStream(rawId);
    const known = `${stream} ${rawId}`;
    if (this.claimed.has(known)) return;
    await this.gate.requireClearIds({ user_id: rawId });
    try {
      const { state } = await this.owners.load(stream);
      permit(mayUseSlug(state, rawId), 'use the id of another user', 'I9');
      if (state.raw_id === null)
        await this.owners.execute(stream, [{ type: 'claim', raw_id: rawId }], identity);
    } catch (cause) {
      if (cause instanceof EventStoreUnavailable) return;
      throw cause;
    }
    this.claimed.set(known, true);
  }

  /** @throws Refusal PERMISSION_DENIED if another raw id owns the slug. */
  async check(rawId: string): Promise<void> {
    if (this.claimed.has(rawId)) return;
    const state = await this.stateOf(ownerStream(rawId));
    permit(mayUseSlug(state, rawId), `use the owner slug ${state.slug}`, 'I9');
    if (state.raw_id !== null) this.claimed.set(rawId, true);
  }

  /** Returns the raw id that owns the slug of an entity id in scope user; null if the slug has no owner. */
  async ownerOf(entityId: string): Promise<string | null> {
    return (await this.owners.load(ownerStreamOf(entityId))).state.raw_id;
  }

  /** Reads the read model if the log cannot be reached, so that reads still work (SPEC S6). */
  private async stateOf(stream: string): Promise<OwnerState> {
    try {
      return (await this.owners.load(stream)).state;
    } catch (cause) {
      if (!(cause instanceof EventStoreUnavailable)) throw cause;
      const slug = slugOfOwnerStream(stream);
      return { slug, raw_id: await this.facts.ownerOf(slug) };
    }
  }
}
