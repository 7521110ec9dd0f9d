import { Inject, Injectable } from '@nestjs/common';
import { sameUser } from '#domain/canonical-key/canonical-key.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { JobOwner } from '#domain/job/events.js';
import { hasEnded, startedJob } from '#domain/job/state.js';
import { hasRole, ownUserId, sameOwner } from '#domain/ownership/access.js';
import type { Conclusion, Confirmation, ReviewableCode } from '#domain/query/events.js';
import { isLogId } from '#domain/reflective-log/schema.js';
import type { Actor } from '#domain/recorded-event.js';
import { sourceOf } from '#domain/sem/access.js';
import { jobStream, reflectiveStream } from '#domain/stream-names.js';
import type { JobStore, ReflectiveLogStore } from '../platform/stores.js';
import { JOB_STORE, REFLECTIVE_LOG_STORE } from '../platform/tokens.js';

const REVIEWABLE: readonly string[] = [
  'LOW_CONFIDENCE',
  'COUNCIL_DEADLOCK',
  'REPAIR_LIMIT_EXCEEDED',
] satisfies ReviewableCode[];

/** Finds the proposal or review that a caller may confirm after an earlier answer (SPEC A1, §10). */
@Injectable()
export class Confirmable {
  constructor(
    @Inject(REFLECTIVE_LOG_STORE) private readonly logs: ReflectiveLogStore,
    @Inject(JOB_STORE) private readonly jobs: JobStore,
  ) {}

  /**
   * Finds what the caller may confirm. @param owner the caller, and the user for whom it acts. @throws Refusal
   * NOT_FOUND if no query has that log, PERMISSION_DENIED if another caller asked the query, or for a proposal if the
   * token is not its user's own, INVALID_INPUT if the answer has nothing to confirm.
   */
  async find(log_id: string, actor: Actor, owner: JobOwner): Promise<Confirmation> {
    const { written } = isLogId(log_id)
      ? (await this.logs.load(reflectiveStream(log_id))).state
      : { written: null };
    if (written === null || written.origin !== 'job')
      throw new Refusal('NOT_FOUND', { what: 'answer', id: log_id });
    const isPersons = isPersonOf(actor, written.owner);
    const mayConfirm = isPersons || sameOwner(written.owner, owner);
    permit(mayConfirm, `confirm the answer of log ${log_id}`, 'A1');
    const state = await this.jobs.loadEnded(jobStream(written.log.job_seed), hasEnded);
    const conclusion = state.query?.conclusion ?? null;
    const confirms = conclusion === null ? undefined : confirmedBy(conclusion);
    if (conclusion === null || confirms === undefined)
      throw new Refusal('INVALID_INPUT', { reason: 'confirm: that answer asks for nothing' });
    // The confirmed fact has the source `user`, so an agent does not confirm what it proposed.
    permit(confirms.what !== 'proposal' || isPersons, 'confirm a fact for its user', 'S4');
    const { job_seed } = startedJob(state);
    const { agent_id, route_reason } = conclusion;
    return {
      log_id,
      job_seed,
      agent_id: agent_id ?? 'generic_agent',
      route_reason: route_reason ?? 'fallback',
      confirms,
    };
  }
}

/** True if a token is the own token of the person for whom a question was asked: what it writes is the user's word. */
const isPersonOf = (actor: Actor, { user_id }: JobOwner): boolean =>
  user_id !== null &&
  hasRole(actor, 'user') &&
  sourceOf(actor) === 'user' &&
  sameUser(ownUserId(actor) ?? actor.sub, user_id);

function confirmedBy({
  proposal,
  notices,
  failure,
}: Conclusion): Confirmation['confirms'] | undefined {
  if (proposal !== null) return { what: 'proposal', ...proposal };
  const codes = [...notices, ...(failure === null ? [] : [failure])].map(({ code }) => code);
  const code = codes.find((candidate): candidate is ReviewableCode =>
    REVIEWABLE.includes(candidate),
  );
  return code === undefined ? undefined : { what: 'review', code };
}
