import { Inject, Injectable } from '@nestjs/common';
import { isCleared } from '#domain/action-request/clearance.js';
import { targetOf } from '#domain/action-request/proposal.js';
import {
  type CheckedRequest,
  consentStanding,
  type ConsentStanding,
  recheck,
  type RecheckFinding,
} from '#domain/action-request/recheck.js';
import { inSlices } from '#bounded/slices.js';
import { clearValueOf, isSealed } from '#domain/held.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import { factScan } from '#domain/privacy/scan-fact.js';
import type { Winner } from '#domain/sem/state.js';
import { requestStream } from '#domain/stream-names.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import type { ActionRequestStore } from '../../platform/stores.js';
import { ACTION_REQUEST_STORE, PRIVACY_RULES } from '../../platform/tokens.js';
import { Consents } from '../../privacy/consents.js';
import type { FoundCitations } from '../evidence/cited-evidence.js';
import type { WritesAround } from '../evidence/source-events.js';

/** The facts and episodes on which the check of a request is based. */
export type ReadAround = WritesAround & FoundCitations;

/** Checks a waiting request again: what has changed, and what would refuse its approval now. */
@Injectable()
export class RequestRecheck {
  constructor(
    @Inject(PRIVACY_RULES) private readonly rules: RuleSet,
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    private readonly consents: Consents,
    private readonly keys: SubjectKeys,
  ) {}

  /** Fails with `EventStoreUnavailable` and `KeysUnavailable`. */
  async of(request: CheckedRequest, around: ReadAround): Promise<readonly RecheckFinding[]> {
    return recheck(request, {
      now: new Date().toISOString(),
      winnerThen: around.then?.winner ?? null,
      winnerNow: around.now?.winner ?? null,
      episode: around.episode?.state ?? 'none',
      evidence: around.evidence.map(({ state }) => state),
      isValueErased: isSealed(request) && (await this.keys.isErased(request.sealed)),
      consent: await this.consentOf(request),
      isFlaggedNow: await this.isFlagged(request),
    });
  }

  /** Checks a request that is not made: nothing has changed since, and what it cites is not looked up. */
  async beforehand(
    request: CheckedRequest,
    winner: Winner | null,
    consent: ConsentStanding,
  ): Promise<readonly RecheckFinding[]> {
    return recheck(request, {
      now: new Date().toISOString(),
      ...{ winnerThen: winner, winnerNow: winner, episode: 'none', evidence: [] },
      ...{ isValueErased: false, consent, isFlaggedNow: await this.isFlagged(request) },
    });
  }

  /** Says whether a consent covers what a request needs. Fails with `EventStoreUnavailable`. */
  async consentOf(request: CheckedRequest): Promise<ConsentStanding> {
    const { kind, made_for, job_seed = null, finding_category: category = 'high' } = request;
    if (kind === 'sensitive_consent') {
      const { consent_id } = clearValueOf(request) as { readonly consent_id: string };
      const consent = await this.consents.find(consent_id);
      if (consent === undefined) return 'missing';
      return consent.revoked_at === null ? 'covered' : 'revoked';
    }
    if (!isSealed(request) || (await this.isCleared(request))) return 'not_needed';
    const state = made_for === null ? null : await this.consents.of(made_for);
    return consentStanding(state, { category, job_seed });
  }

  /** True if the council has cleared every finding of the value, so that no consent is needed (SPEC W8). */
  private async isCleared({ request_id }: CheckedRequest): Promise<boolean> {
    return isCleared((await this.requests.load(requestStream(request_id))).state);
  }

  /** True if the rules, which may be stricter than at the proposal, flag a value in clear (SPEC S7). */
  private async isFlagged(request: CheckedRequest): Promise<boolean> {
    if (request.kind !== 'sem_put' || isSealed(request)) return false;
    const { outcome } = await inSlices(factScan(targetOf(request), request, this.rules));
    return outcome !== 'clear';
  }
}
