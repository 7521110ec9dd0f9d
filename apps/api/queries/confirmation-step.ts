import { Inject, Injectable } from '@nestjs/common';
import { isEntityOf, parseKey } from '#domain/canonical-key/canonical-key.js';
import { eventId, seededUuid } from '#domain/determinism/ids.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import { startedJob, type JobState } from '#domain/job/state.js';
import type { Json } from '#domain/json.js';
import type { Confirmation, ConfirmationMet } from '#domain/query/events.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import type { PutFact } from '#domain/sem/decide.js';
import { commandStream, reflectiveStream, semStream } from '#domain/stream-names.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import type { KeyedHash } from '../platform/http/identity.js';
import type { CommandClaimStore, ReflectiveLogStore, SemStore } from '../platform/stores.js';
import {
  COMMAND_CLAIM_STORE,
  KEYED_HASH,
  REFLECTIVE_LOG_STORE,
  SEM_STORE,
} from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import type { StepContext, StepResult } from './step-context.js';

/**
 * The index of the event `query_asked` in the stream of its job. This event causes the confirmed put or
 * review.
 */
const ASKED_AT = 1;
const ALREADY_CONFIRMED = { what: 'the proposal', expected: 'open', actual: 'confirmed' };

/** Executes a confirmation: stores the confirmed fact, or requests a human review (SPEC S4, G4). */
@Injectable()
export class ConfirmationStep {
  constructor(
    @Inject(SEM_STORE) private readonly facts: SemStore,
    @Inject(REFLECTIVE_LOG_STORE) private readonly logs: ReflectiveLogStore,
    @Inject(COMMAND_CLAIM_STORE) private readonly claims: CommandClaimStore,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly gate: PrivacyGate,
  ) {}

  /**
   * Executes the confirmation. Its command's id follows from the proposal, or for a review from `query_asked`, so a
   * repeat after a crash adds nothing.
   */
  async run({ job, ids }: StepContext, confirmation: Confirmation): Promise<StepResult> {
    const began = performance.now();
    const outcome = await this.outcomeOf(job, confirmation, ids.trace_id);
    const input = { type: 'confirmation_met', data: { outcome } } as const;
    return {
      commands: [{ op: 'query', input }],
      time_ms: Math.round(performance.now() - began),
      mustRecordNow: true,
    };
  }

  private async outcomeOf(
    job: JobState,
    { log_id, confirms }: Confirmation,
    trace_id: string,
  ): Promise<ConfirmationMet['outcome']> {
    const { sub } = startedJob(job).owner;
    const caused_by = eventId(job.stream, ASKED_AT, 'query_asked');
    const body_hash = this.keyedHash([log_id, confirms]);
    const evidence = { caused_by };
    const identity = { command_id: caused_by, body_hash, actor: sub, trace_id, evidence };
    try {
      if (confirms.what === 'proposal') return await this.putFact(job, confirms, log_id, identity);
      return await this.requestReview(job, confirms.code, log_id, identity);
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      return { done: 'refused', code: cause.code, facts: { ...cause.facts } };
    }
  }

  private async putFact(
    job: JobState,
    { key, value }: { readonly key: string; readonly value: Json },
    log_id: string,
    identity: CommandIdentity,
  ): Promise<ConfirmationMet['outcome']> {
    const { user_id } = startedJob(job).owner;
    const { scope, entity_id } = parseKey(key);
    const isOwn = scope === 'user' && user_id !== null && isEntityOf(user_id, entity_id);
    permit(isOwn, `write ${key}`, 'S4');
    const meta = { provenance_id: log_id };
    await this.gate.requireClearFact(key, { value, meta });
    const now = new Date().toISOString();
    const put: PutFact = { type: 'put', value, source: 'user', notes: null, meta, now };
    // The command is the proposal's, so a second confirmation writes nothing.
    const command_id = seededUuid(['confirm', log_id]);
    const written = await this.facts.execute(semStream(key), [put], {
      ...identity,
      command_id,
      evidence: { ...identity.evidence, value_hash: this.keyedHash(value) },
    });
    const claim = { type: 'claim', target_stream: job.stream } as const;
    const claimed = await this.claims.execute(commandStream(command_id), [claim], identity);
    if (claimed.results[0] === null) throw new Refusal('VERSION_CONFLICT', ALREADY_CONFIRMED);
    const { superseded } = onlyAnswer(written);
    return { done: 'remembered', superseded, sem_event_number: written.version };
  }

  private async requestReview(
    job: JobState,
    reason: string,
    log_id: string,
    identity: CommandIdentity,
  ): Promise<ConfirmationMet['outcome']> {
    const { owner } = startedJob(job);
    const author = { ...owner, role: 'user' as const };
    const created_at = new Date().toISOString();
    const request = { type: 'request_review', reason, author, created_at, redactions: [] } as const;
    await this.logs.execute(reflectiveStream(log_id), [request], identity);
    return { done: 'review_requested' };
  }
}
