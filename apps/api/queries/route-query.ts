import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import { userFor } from '#domain/ownership/access.js';
import { requireClear } from '#domain/privacy/require-clear.js';
import { type RecordDecision } from '#domain/router/router.decider.js';
import { findRoute } from '#domain/router/route.js';
import { routerStream } from '#domain/stream-names.js';
import { SemSnapshots } from '#projections/sem/sem-snapshots.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import type { KeyedHash } from '../platform/http/identity.js';
import { LogEnd } from '../platform/log-end.js';
import type { RouterStore } from '../platform/stores.js';
import { KEYED_HASH, ROUTER_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import { RouterMisses } from './router-misses.js';
import { RouterToggles } from './router-toggles.js';
import type { JsonObject } from '#domain/json.js';
import { ROLES } from '#platform/auth/roles.js';
import { checkQuery, MAX_QUERY_CHARACTERS } from '#domain/query/limits.js';
import { Answer } from '../platform/http/answer.js';
import { AnyObject, Text, UserIdText } from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { RoutedDto } from './query-view.js';

@Describes({
  summary: 'The agent that would answer a query, and the routing rule',
  roles: { own: ROLES, of: 'user' },
  answers: [200, RoutedDto],
  fails: ['ROUTER_NO_MATCH', 'PRIVACY_BLOCKED'],
})
export class RouteQuery extends WriteRequest<RoutedDto> {
  @Text({ min: 1, max: MAX_QUERY_CHARACTERS }) query_text!: string;
  @UserIdText({ optional: true }) user_id?: string;

  @AnyObject({ optional: true, description: 'At most 4 KB; no routing rule reads them.' })
  context_tags?: JsonObject;
}

@CommandHandler(RouteQuery)
export class RouteQueryHandler {
  constructor(
    @Inject(ROUTER_STORE) private readonly decisions: RouterStore,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly logEnd: LogEnd,
    private readonly snapshots: SemSnapshots,
    private readonly toggles: RouterToggles,
    private readonly misses: RouterMisses,
    private readonly gate: PrivacyGate,
  ) {}

  async execute(asked: RouteQuery): Promise<Answer<object>> {
    const { actor, identity, query_text, context_tags = {} } = asked;
    checkQuery(query_text, context_tags);
    const user_id = userFor(actor, asked.user_id);
    const verdict = await this.gate.verdictOn(query_text);
    requireClear(verdict, 'query_text');
    await this.gate.requireClear({ context_tags });
    let decided: RecordDecision | undefined;
    const decide = async (): Promise<readonly RecordDecision[]> => {
      await this.logEnd.reach('sem');
      const { hash: sem_snapshot_hash, count } = await this.snapshots.current();
      const toggles = await this.toggles.at(count);
      const user = user_id === null ? {} : { user_id };
      const found = findRoute({ query_text, ...user, context_tags, toggles, verdict });
      decided = {
        type: 'record_decision',
        query_hash: this.keyedHash(query_text),
        user_id,
        agent_id: found?.agent_id ?? null,
        route_reason: found?.route_reason ?? null,
        sem_snapshot_hash,
      };
      return [decided];
    };
    const executed = await this.decisions.execute(routerStream(actor.sub), decide, identity);
    const { query_id = identity.command_id, trace_id } = identity;
    if (decided !== undefined)
      this.misses.note({ query_text, context_tags, ...decided }, { query_id, trace_id });
    const routed = onlyAnswer(executed);
    if (routed.agent_id === null) throw new Refusal('ROUTER_NO_MATCH');
    return Answer.written(routed, executed.position);
  }
}
