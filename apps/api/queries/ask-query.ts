import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { v7 as uuidv7 } from 'uuid';
import { resolveConstants } from '#domain/job/constants.js';
import { checkStart } from '#domain/job/decide-start.js';
import type { JobCommand } from '#domain/job/commands.js';
import type { JobConstants, JobOwner } from '#domain/job/events.js';
import { type JobState } from '#domain/job/state.js';
import { userFor } from '#domain/ownership/access.js';
import type { Clear } from '#domain/privacy/finding.js';
import { asksFor } from '#domain/personal-fact/asks-for.js';
import { requireClear } from '#domain/privacy/require-clear.js';
import type { QueryAsked } from '#domain/query/events.js';
import { checkQuery, MAX_QUERY_CHARACTERS } from '#domain/query/limits.js';
import { foldQuery } from '#domain/router/route.js';
import { jobStream, seedOfJobStream } from '#domain/stream-names.js';
import { OwnerClaims } from '../ownership/owner-claims.js';
import { RequestClaims } from '../platform/request-claims.js';
import { PinnedSnapshots, type ReadSnapshots } from '../jobs/pinned-snapshots.js';
import type { KeyedHash } from '../platform/http/identity.js';
import { KEYED_HASH } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import { Confirmable } from './confirmable.js';
import { QueryAnswer } from './query-answer.js';
import { QueryDriver } from './query-driver.js';
import { RouterMisses } from './router-misses.js';
import { RouterToggles } from './router-toggles.js';
import type { JsonObject } from '#domain/json.js';
import { ROLES } from '#platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { AnyObject, IdText, SeedText, Text, UserIdText } from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { QueryAnswerDto } from './query-view.js';

interface AskContext {
  readonly owner: JobOwner;
  readonly constants: JobConstants;
  readonly asked: AskQuery;
  /** The gate's verdict on the text. */
  readonly verdict: Clear;
  /**
   * The snapshots that the query pins. They include everything that the log held when the request came
   * (SPEC J1).
   */
  readonly pinned: Promise<ReadSnapshots>;
}

@Describes({
  summary: 'Answer a person’s question, through the whole pipeline',
  roles: { own: ROLES, of: 'user' },
  example: { query_text: 'How high is the tower?' },
  answers: [200, QueryAnswerDto],
  fails: [
    'SEM_NOT_FOUND',
    'ROUTER_NO_MATCH',
    'AGENT_TIMEOUT',
    'AGENT_ERROR',
    'LLM_SERVICE_DOWN',
    'COUNCIL_DEADLOCK',
    'REPAIR_LIMIT_EXCEEDED',
    'PRIVACY_BLOCKED',
    'JOB_EXISTS',
    'NOT_FOUND',
  ],
})
export class AskQuery extends WriteRequest<QueryAnswerDto> {
  @Text({
    min: 1,
    max: MAX_QUERY_CHARACTERS,
    description: 'A text that the privacy gate flags is refused with PRIVACY_BLOCKED.',
  })
  query_text!: string;

  @UserIdText({
    optional: true,
    description: 'The user who asks; only an agent whose token names no user may set it.',
  })
  user_id?: string;

  @SeedText({
    optional: true,
    description:
      'The seed of the query’s job; a used seed is refused with JOB_EXISTS. Default: a new UUIDv7.',
  })
  job_seed?: string;

  @IdText({
    optional: true,
    description:
      'The `log_id` of an earlier answer: stores the fact that it proposed, if the token is the user’s own, or requests a review.',
  })
  confirm?: string;

  @AnyObject({ optional: true, description: 'At most 4 KB; no routing rule reads them.' })
  context_tags?: JsonObject;

  @AnyObject({
    optional: true,
    description: 'Overrides for the constants, such as `agent_timeout_ms` in milliseconds.',
  })
  constants?: JsonObject;
}

/**
 * Answers a person's question with one job, which routes the question, calls agents and the council, and ends
 * with a log (SPEC A4).
 */
@CommandHandler(AskQuery)
export class AskQueryHandler {
  constructor(
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly claims: RequestClaims,
    private readonly owners: OwnerClaims,
    private readonly snapshots: PinnedSnapshots,
    private readonly toggles: RouterToggles,
    private readonly confirmable: Confirmable,
    private readonly driver: QueryDriver,
    private readonly answers: QueryAnswer,
    private readonly misses: RouterMisses,
    private readonly gate: PrivacyGate,
  ) {}

  async execute(asked: AskQuery): Promise<Answer<object>> {
    const { actor, identity, query_text, context_tags = {} } = asked;
    checkQuery(query_text, context_tags);
    const constants = resolveConstants(asked.constants, this.gate.rules.version);
    const owner: JobOwner = { sub: actor.sub, user_id: userFor(actor, asked.user_id) };
    await this.gate.requireClearIds({ job_seed: asked.job_seed, user_id: owner.user_id });
    const verdict = await this.gate.verdictOn(query_text);
    requireClear(verdict, 'query_text');
    await this.gate.requireClear({ context_tags });
    const stream = await this.claims.streamFor(identity, jobStream(asked.job_seed ?? uuidv7()));
    const { query_id = identity.command_id } = identity;
    const pinned = this.snapshots.atLogEnd();
    // A repeated request does not await the snapshots, so their rejection is ignored here. For a first
    // request, `firstCommands` handles the rejection.
    pinned.catch(() => undefined);
    const context = { asked, owner, constants, verdict, pinned };
    const { job, isFirst } = await this.driver.ask(
      stream,
      { ...identity, query_id, evidence: { query_id } },
      (state) => this.firstCommands(state, context),
      // A newly generated seed is known only to this request, so the append requires that the seed's
      // stream does not exist yet.
      !identity.keyed && asked.job_seed === undefined ? { expectedVersion: -1 } : {},
    );
    const { state, position } = job;
    if (isFirst) this.misses.ofQuery(state, { ...identity, query_id });
    return Answer.written(await this.answers.of(state, isFirst), position);
  }

  /**
   * Returns the first commands of a query's job. The user's slug is claimed only after the start of the
   * job is checked.
   */
  private async firstCommands(
    state: JobState,
    { asked, owner, constants, verdict, pinned }: AskContext,
  ): Promise<readonly JobCommand[]> {
    const { actor, identity, confirm } = asked;
    const job_seed = seedOfJobStream(state.stream);
    const request = { job_seed, session_id: null, seeded_epoch: null, goal: null };
    checkStart(state, request);
    const confirmation =
      confirm === undefined ? null : await this.confirmable.find(confirm, actor, owner);
    if (owner.user_id !== null) await this.owners.claim(owner.user_id, identity);
    const snapshots = await pinned;
    const facts = await this.toggles.at(snapshots.sem_event_count);
    const router_toggles = mergedToggles(constants.router_toggles, facts);
    const start: JobCommand = {
      op: 'start',
      ...request,
      owner,
      constants: { ...constants, router_toggles },
      snapshots,
      carried_cwm: null,
    };
    const data = this.queryAsked(asked, verdict, confirmation);
    return [start, { op: 'query', input: { type: 'query_asked', data } }];
  }

  private queryAsked(
    { query_text, context_tags = {} }: AskQuery,
    verdict: Clear,
    confirmation: QueryAsked['confirmation'],
  ): QueryAsked {
    const asks_for = confirmation === null ? asksFor(query_text) : null;
    return {
      query_text,
      query_hash: this.keyedHash(query_text),
      normalized_hash: this.keyedHash(foldQuery(query_text)),
      context_tags,
      verdict,
      confirmation,
      urgency: 'normal',
      ...(asks_for === null ? {} : { asks_for }),
    };
  }
}

/** Merges the toggles. A rule is off if a fact or the caller switches it off (SPEC R1, J1). */
const mergedToggles = (
  chosen: JobConstants['router_toggles'],
  facts: Readonly<Record<string, boolean>>,
): Record<string, boolean> =>
  Object.fromEntries(
    Object.entries(facts).map(([reason, on]) => [reason, on && chosen[reason] !== false]),
  );
