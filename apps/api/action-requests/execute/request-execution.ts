import { Inject, Injectable } from '@nestjs/common';
import type { ActionRequestCommand } from '#domain/action-request/commands.js';
import type { ActionRequested } from '#domain/action-request/events.js';
import { targetOf } from '#domain/action-request/proposal.js';
import type { ActionRequestState } from '#domain/action-request/state.js';
import { approvedPut } from '#domain/action-request/view.js';
import { hashJson } from '#domain/determinism/hash.js';
import { heldContent, isSealed } from '#domain/held.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import type { PutFact } from '#domain/sem/decide.js';
import { semStream } from '#domain/stream-names.js';
import type { EventStore } from '#event-store/event-store.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import type { KeyedHash } from '../../platform/http/identity.js';
import type { ActionRequestStore } from '../../platform/stores.js';
import { ConsentedFacts } from '../../privacy/consented-facts.js';
import { Consents } from '../../privacy/consents.js';
import { PrivacyGate } from '../../privacy/privacy-gate.js';
import { ACTION_REQUEST_STORE, EVENT_STORE, KEYED_HASH } from '../../platform/tokens.js';
import { ClearedValues, erasedValue } from '../clear/cleared-values.js';
import { identityOfEvent } from './identity-of-event.js';

/**
 * The codes of temporary failures. After them, the request stays approved, and the write is tried again.
 */
const PASSING: readonly string[] = ['SEM_WRITE_FAIL', 'MEMORY_WRITE_FAIL', 'STORAGE_FULL'];

/**
 * Executes an approval: writes exactly one sem_put, and links it in the request (SPEC G3). The command
 * id of each step is the id of the approving event, so repeating a step, at once or after a crash, adds
 * nothing.
 */
@Injectable()
export class RequestExecution {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    private readonly facts: ConsentedFacts,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly consents: Consents,
    private readonly keys: SubjectKeys,
    private readonly gate: PrivacyGate,
    private readonly cleared: ClearedValues,
  ) {}

  /**
   * Does what the council approved, and records the outcome. A request that is not approved is left unchanged, as is
   * an erasure, which waits for an admin (SPEC G6).
   */
  async execute(stream: string): Promise<void> {
    const { state } = await this.requests.load(stream);
    const { request } = state;
    if (state.status !== 'approved' || request === null || request.kind === 'erasure') return;
    const identity = await identityOfEvent(this.eventStore, stream, 'request_approved');
    const outcome = await outcomeOf(() =>
      request.kind === 'sem_put'
        ? this.put(request, state, identity)
        : this.consents.approve(request, identity),
    );
    await this.requests.execute(stream, [outcome], identity);
  }

  /** Records that the request expired without a decision (SPEC G2). */
  async expire(stream: string): Promise<void> {
    const at = new Date().toISOString();
    await this.requests.execute(stream, [{ type: 'expire', at }], {
      command_id: hashJson([stream, 'expire']),
      body_hash: hashJson([stream, 'expire']),
      actor: 'system',
      trace_id: 'obligation',
    });
  }

  private async put(
    request: ActionRequested,
    state: ActionRequestState,
    identity: CommandIdentity,
  ): Promise<ActionRequestCommand> {
    const sem_stream = semStream(targetOf(request));
    const put = await this.permitted(request, state);
    const value_hash = this.keyedHash(heldContent(put));
    const evidence = { ...identity.evidence, value_hash };
    const written = await this.facts.put(sem_stream, put, { ...identity, evidence });
    const { superseded } = onlyAnswer(written);
    return { type: 'link_execution', sem_stream, sem_event_number: written.version, superseded };
  }

  /**
   * Returns the put, with the consent under which a sealed value is kept, or as the council has cleared it. @throws Refusal PRIVACY_BLOCKED for
   * personal data without consent (SPEC S7, P3), and VERSION_CONFLICT for an erased value
   */
  private async permitted(request: ActionRequested, state: ActionRequestState): Promise<PutFact> {
    const put = approvedPut(state);
    const { made_for, job_seed, finding_category } = request;
    if (!isSealed(put)) {
      // The privacy rules may be stricter now than when the request was proposed.
      await this.gate.requireClearFact(targetOf(request), put);
      return put;
    }
    if (await this.keys.isErased(put.sealed)) throw erasedValue();
    const cleared = await this.cleared.of(state, put);
    if (cleared !== undefined) return { ...put, ...cleared };
    const need = { category: finding_category ?? 'high', job_seed: job_seed ?? null };
    const consent = await this.consents.covering(made_for, need);
    if (consent === undefined)
      throw new Refusal('PRIVACY_BLOCKED', {
        finding_types: put.sealed.type.replaceAll(',', ', '),
      });
    return { ...put, consent_id: consent.consent_id };
  }
}

/** Returns the command that records the outcome of a write. A write that a rule refuses has one, too. */
async function outcomeOf(
  write: () => Promise<ActionRequestCommand>,
): Promise<ActionRequestCommand> {
  try {
    return await write();
  } catch (cause) {
    if (!(cause instanceof Refusal) || PASSING.includes(cause.code)) throw cause;
    return { type: 'refuse_execution', code: cause.code };
  }
}
