import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import { userFor } from '#domain/ownership/access.js';
import { requireClear } from '#domain/privacy/require-clear.js';
import { checkQuery } from '#domain/query/limits.js';
import type { Actor } from '#domain/recorded-event.js';
import { type RecordDecision, routerStream } from '#domain/router/router.decider.js';
import { findRoute } from '#domain/router/route.js';
import type { Executed } from '#event-store/aggregate-store.js';
import { SemSnapshots } from '#projections/sem/sem-snapshots.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import type { KeyedHash, RequestIdentity } from '../platform/http/identity.decorator.js';
import { LogEnd } from '../platform/log-end.js';
import type { RouterStore } from '../platform/stores.js';
import { KEYED_HASH, ROUTER_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import type { RouteDto } from './dto/route.dto.js';
import { RouterMisses } from './router-misses.js';
import { RouterToggles } from './router-toggles.js';

export class RouteQuery extends Command<Executed> {
  constructor(
    readonly actor: Actor,
    readonly body: RouteDto,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/** Records one decision of the router, without the text (SPEC R1, R2). */
@CommandHandler(RouteQuery)
export class RouteQueryHandler implements ICommandHandler<RouteQuery> {
  constructor(
    @Inject(ROUTER_STORE) private readonly decisions: RouterStore,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly logEnd: LogEnd,
    private readonly snapshots: SemSnapshots,
    private readonly toggles: RouterToggles,
    private readonly misses: RouterMisses,
    private readonly gate: PrivacyGate,
  ) {}

  async execute({ actor, body, identity }: RouteQuery): Promise<Executed> {
    const { query_text, context_tags = {} } = body;
    checkQuery(query_text, context_tags);
    const user_id = userFor(actor, body.user_id);
    const verdict = await this.gate.verdictOn(query_text);
    requireClear(verdict);
    await this.gate.requireClear(context_tags);
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
    if (onlyAnswer(executed).agent_id === null) throw new Refusal('ROUTER_NO_MATCH');
    return executed;
  }
}
