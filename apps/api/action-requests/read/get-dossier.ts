import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ACTION_REQUEST_STATUSES, type ActionRequested } from '#domain/action-request/events.js';
import { flaggedSpans, isClearable } from '#domain/action-request/clearance.js';
import { isSameValue } from '#domain/action-request/risk.js';
import type { ActionRequestState } from '#domain/action-request/state.js';
import { requestsReadableBy } from '#domain/action-request/view.js';
import { isMadeFor, nameOfPerson } from '#domain/action-request/persons.js';
import { neighbourhoodOf } from '#domain/canonical-key/canonical-key.js';
import { Refusal } from '#domain/errors/refusal.js';
import { personOf } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { isClearedFact } from '#domain/sem/cleared-fact.js';
import { requestStream } from '#domain/stream-names.js';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import { type Fact, SemQueries } from '#projections/sem/queries.js';
import type { ActionRequestStore } from '../../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../../platform/tokens.js';
import { FactRequests } from '../../sem/fact-requests.js';
import { SealedValues } from '../../privacy/sealed-values.js';
import { CitedEvidence, type FoundEpisode } from '../evidence/cited-evidence.js';
import type { ActionRequestViewDto } from '../action-request-view.js';
import {
  DossierDto,
  type FlaggedSpanDto,
  type DossierEpisodeDto,
  type GroundsDto,
  type ProposerHistoryDto,
  type SimilarFactDto,
  type StandingFactDto,
} from './dossier-view.js';
import { ConsentReviews } from './consent-reviews.js';
import { EarlierRejections } from './earlier-rejections.js';
import { ErasureReviews } from './erasure-reviews.js';
import { RequestRecheck } from '../recheck/request-recheck.js';
import { ShownRequests } from './shown-requests.js';
import {
  SourceEvents,
  sourceEventOf,
  type StandingWrite,
  writesAround,
} from '../evidence/source-events.js';
import { OVERSIGHT, RequestId } from '../request-fields.js';
import { Describes, ReadRequest } from '../../platform/http/request.js';

const MAX_OTHERS = 20;
const MAX_SIMILAR = 10;

@Describes({
  summary:
    'Everything to decide on one request: the present fact, evidence, risk, and what has changed',
  roles: OVERSIGHT,
  answers: [200, DossierDto],
  fails: ['NOT_FOUND'],
  reads: ['action_requests', 'sem', 'episodes', 'sealed_values'],
})
export class GetDossier extends ReadRequest<DossierDto> {
  @RequestId() id!: string;
}

@QueryHandler(GetDossier)
export class GetDossierHandler implements IQueryHandler<GetDossier> {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly store: ActionRequestStore,
    private readonly requests: ActionRequestQueries,
    private readonly facts: SemQueries,
    private readonly events: SourceEvents,
    private readonly cited: CitedEvidence,
    private readonly checks: RequestRecheck,
    private readonly shown: ShownRequests,
    private readonly values: SealedValues,
    private readonly behind: FactRequests,
    private readonly erasures: ErasureReviews,
    private readonly consents: ConsentReviews,
    private readonly rejections: EarlierRejections,
  ) {}

  async execute({ actor, id }: GetDossier): Promise<DossierDto> {
    const { state } = await this.store.load(requestStream(id));
    const { request, status } = state;
    const made = await this.events.at(requestStream(id), 0);
    if (request === null || made === undefined)
      throw new Refusal('NOT_FOUND', { what: 'action request', id });
    const key = request.target_sem_key;
    const [writes, { episode, evidence }] = await Promise.all([
      key === null ? [] : this.events.writesBackTo(key, made.position),
      this.cited.of(request),
    ]);
    const { then, now } = writesAround(writes, made.position);
    const [view, risk, recheck, rejected_before, others] = await Promise.all([
      this.shown.of(actor, state),
      this.requests.riskOf(id),
      status === 'pending' ? this.checks.of(request, { then, now, episode, evidence }) : [],
      this.rejections.of(id),
      this.othersOf(actor, request),
    ]);
    const present = this.factView(actor, now);
    const [present_fact, fact_at_proposal, similar_facts, consent, erasure] = await Promise.all([
      present,
      then === now ? present : this.factView(actor, then),
      this.similarTo(request),
      this.consents.of(request),
      this.erasures.of(actor, state),
    ]);
    return {
      request: view as unknown as ActionRequestViewDto,
      risk,
      recheck,
      present_fact,
      fact_at_proposal,
      similar_facts,
      rejected_before,
      ...others,
      episode: episode === null ? null : episodeView(request, episode),
      consent,
      erasure,
      evidence,
      redactions: (request.redactions ?? []).map(({ field, type: rule, redaction_reason }) => ({
        ...{ field, rule, reason: redaction_reason },
      })),
      flagged_spans: spansView(state),
      source_event: sourceEventOf(made),
    };
  }

  private async factView(
    actor: Actor,
    standing: StandingWrite | null,
  ): Promise<StandingFactDto | null> {
    if (standing === null || standing.winner.deleted) return null;
    const { winner, event } = standing;
    const { source, timestamp, notes, meta } = winner.fact;
    const { fact } = winner;
    const value = await this.values.shown(fact, isClearedFact(fact.key, fact));
    const { approved_by } = await this.behind.behind(actor, { ...event, meta });
    const grounds = approved_by === null ? null : await this.groundsOf(approved_by.request_id);
    const about = { source, last_updated: timestamp, notes, meta, approved_by, grounds };
    return { value, ...about, version: event.number, source_event: event };
  }

  private async groundsOf(requestId: string): Promise<GroundsDto | null> {
    const { request } = (await this.store.load(requestStream(requestId))).state;
    return request && { justification: request.justification, evidence: request.evidence };
  }

  private async similarTo(request: ActionRequested): Promise<SimilarFactDto[]> {
    const { target_sem_key: key } = request;
    if (key === null) return [];
    const { entity } = neighbourhoodOf(key);
    const similar = await this.facts.similarTo(key, MAX_SIMILAR);
    return Promise.all(
      similar.map(async (fact: Fact) => ({
        key: fact.key,
        relation: fact.key.startsWith(entity)
          ? ('same_entity' as const)
          : ('same_attribute' as const),
        is_same_value: isSameValue(fact.held, request),
        value: await this.values.shown(fact.held, isClearedFact(fact.key, fact.held)),
        source: fact.source,
        last_updated: fact.timestamp,
        version: fact.revision,
      })),
    );
  }

  /** Returns other requests: of the proposer, and pending ones for the same target or about the same user. */
  private async othersOf(viewer: Actor, request: ActionRequested) {
    const { request_id, proposer, target_sem_key } = request;
    const person = personBehind(request);
    const shown = { voterSub: viewer.sub, snoozer: nameOfPerson(personOf(viewer)) };
    const page = { order: 'newest', limit: MAX_OTHERS + 1, ...shown } as const;
    const [own, counts, rivals, ofPerson] = await Promise.all([
      this.requests.list({ ...page, proposerSub: proposer.sub }),
      this.requests.counts({ proposerSub: proposer.sub }),
      target_sem_key === null
        ? []
        : this.requests.list({ ...page, status: 'pending', targetSemKey: target_sem_key }),
      person === undefined
        ? []
        : this.requests.list({ ...page, status: 'pending', readable: requestsReadableBy(person) }),
    ]);
    const rows = (listed: typeof own) =>
      this.shown.rows(
        viewer,
        listed.filter((row) => row.request_id !== request_id).slice(0, MAX_OTHERS),
      );
    const by_status = Object.fromEntries(
      ACTION_REQUEST_STATUSES.map((status) => [
        status,
        counts.reduce((sum, row) => sum + (row.status === status ? row.count : 0), 0),
      ]),
    ) as ProposerHistoryDto['by_status'];
    return {
      rival_requests: await rows(rivals),
      person_requests: await rows(ofPerson),
      proposer_history: { by_status, others: await rows(own) },
    };
  }
}

/** Returns the user whom a consent or an erasure is about, as a caller who reads the own requests; undefined for a fact. */
function personBehind(request: ActionRequested): Actor | undefined {
  const { kind, made_for, proposer } = request;
  if (kind === 'sem_put' || made_for === null) return undefined;
  const sub = isMadeFor(proposer, request) ? proposer.sub : made_for;
  return { sub, user_id: made_for, roles: [] };
}

const spansView = (state: ActionRequestState): FlaggedSpanDto[] => {
  const may_be_cleared = isClearable(state);
  return flaggedSpans(state).map(({ finding, clearances }) => {
    const { type, category, path, in_key, span } = finding;
    const cleared_by = clearances.map(({ cleared_by: by, reason, at }) => ({ by, reason, at }));
    return { type, category, path, in_key, span, may_be_cleared, cleared_by };
  });
};

const episodeView = (
  { episodic_id }: ActionRequested,
  { episode, state, source_event }: FoundEpisode,
): DossierEpisodeDto => ({
  episodic_id: episodic_id ?? '',
  state,
  summary: episode?.summary ?? null,
  source: episode?.source ?? null,
  job_seed: episode?.job_seed ?? null,
  source_event,
});
