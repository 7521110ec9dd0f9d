import { Inject, Injectable } from '@nestjs/common';
import { decideActionRequest } from '#domain/action-request/decide.js';
import type { ActionRequested } from '#domain/action-request/events.js';
import type { ProposeAction } from '#domain/action-request/proposal.js';
import { wouldBeRefused } from '#domain/action-request/recheck.js';
import { initialActionRequest } from '#domain/action-request/state.js';
import { requestsReadableBy } from '#domain/action-request/view.js';
import { isUserOrEntity } from '#domain/canonical-key/canonical-key.js';
import { isSealed } from '#domain/held.js';
import { ownUserId, readsEveryOwner } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { requestStream, semStream } from '#domain/stream-names.js';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import { LogEnd } from '../../platform/log-end.js';
import type { SemStore } from '../../platform/stores.js';
import { SEM_STORE } from '../../platform/tokens.js';
import { RequestRecheck } from '../recheck/request-recheck.js';
import type { DryRunDto } from './dry-run-view.js';

/** The read models that the statement of the risk reads. */
const READ = ['action_requests', 'sem', 'episodes'];

/** Says what would become of a proposal that is not made. Nothing is written, and no key is made. */
@Injectable()
export class ProposalDryRun {
  constructor(
    @Inject(SEM_STORE) private readonly facts: SemStore,
    private readonly requests: ActionRequestQueries,
    private readonly checks: RequestRecheck,
    private readonly logEnd: LogEnd,
  ) {}

  /** @throws Refusal as the proposal itself would be refused */
  async of(actor: Actor, proposal: ProposeAction): Promise<DryRunDto> {
    const request = requestFrom(proposal);
    await this.logEnd.reach(...READ);
    const { executable_from } = request;
    const consent = this.knowsConsent(actor, request)
      ? await this.checks.consentOf(request)
      : 'unknown';
    const [risk, winner] = await Promise.all([
      this.requests.riskIfMade(
        asReadBy(actor, request),
        // Requests of others must not show through the risk.
        readsEveryOwner(actor) ? undefined : requestsReadableBy(actor),
      ),
      this.winnerOf(request),
    ]);
    const known = consent === 'unknown' ? 'not_needed' : consent;
    const recheck = await this.checks.beforehand(request, winner, known);
    const isRefused = wouldBeRefused(recheck);
    return {
      dry_run: true,
      risk,
      would_be_refused: !isRefused && consent === 'unknown' ? null : isRefused,
      recheck,
      consent,
      ...(executable_from === undefined ? {} : { executable_from }),
    };
  }

  private async winnerOf({ target_sem_key: key }: ActionRequested) {
    return key === null ? null : (await this.facts.load(semStream(key))).state.winner;
  }

  /** A token of another user, or of none, must not find out which consents a user has given. */
  private knowsConsent(actor: Actor, { made_for, ...held }: ActionRequested): boolean {
    if (made_for === null || !isSealed(held)) return true;
    const own = ownUserId(actor);
    return own !== undefined && isUserOrEntity(own, made_for);
  }
}

/** Leaves what the risk must not say to a caller out of the evidence: the episodes and the events of others. */
function asReadBy(actor: Actor, request: ActionRequested): ActionRequested {
  if (readsEveryOwner(actor)) return request;
  const { unfound_evidence: unfound = [], ...rest } = request;
  const isUnfound = new Set(unfound);
  // The answer must not say whether an event of somebody else exists, so such an event counts as found.
  const evidence = request.evidence.map((entry, at) =>
    isUnfound.has(at) && typeof entry['episodic_id'] === 'string'
      ? { ...entry, episodic_id: null }
      : entry,
  );
  return { ...rest, evidence };
}

/** Returns the request that a proposal would make. */
function requestFrom(proposal: ProposeAction): ActionRequested {
  const state = initialActionRequest(requestStream(proposal.request_id));
  const [made] = decideActionRequest({ type: 'request', ...proposal }, state);
  if (made?.type !== 'action_requested') throw new TypeError('A proposal makes a request');
  return made.data;
}
