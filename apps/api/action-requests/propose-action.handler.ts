import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { v7 as uuidv7 } from 'uuid';
import { requestStream } from '#domain/action-request/state.js';
import { parseKey } from '#domain/canonical-key/canonical-key.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import { ownUserId } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { mayRead, sourceOf } from '#domain/sem/access.js';
import type { Executed } from '#event-store/aggregate-store.js';
import { RequestClaims } from '../claims/request-claims.js';
import { EpisodeAccess } from '../episodes/episode-access.js';
import type { ServiceConfig } from '../platform/config/service-config.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { ActionRequestStore } from '../platform/stores.js';
import { ACTION_REQUEST_STORE, CONFIG } from '../platform/tokens.js';
import type { ActionRequestDto } from './dto/action-request.dto.js';

const HOUR_MS = 3_600_000;

export class ProposeAction extends Command<Executed> {
  constructor(
    readonly actor: Actor,
    readonly body: ActionRequestDto,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/** memory_promote_request: proposes a fact to the council, and touches no fact (SPEC G1). */
@CommandHandler(ProposeAction)
export class ProposeActionHandler implements ICommandHandler<ProposeAction> {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    @Inject(CONFIG) private readonly config: ServiceConfig,
    private readonly claims: RequestClaims,
    private readonly episodes: EpisodeAccess,
  ) {}

  async execute({ actor, body, identity }: ProposeAction): Promise<Executed> {
    parseKey(body.target_sem_key);
    permit(mayRead(actor, body.target_sem_key), `propose a write to ${body.target_sem_key}`, 'I9');
    const stream = await this.claims.streamFor(identity, requestStream(uuidv7()));
    const first = await this.requests.answered(stream, identity);
    if (first !== undefined) return first;
    await this.requireEpisode(actor, body.episodic_id);
    const now = Date.now();
    return this.requests.execute(
      stream,
      [
        {
          type: 'request',
          request_id: stream.slice('request-'.length),
          kind: body.kind ?? 'sem_put',
          episodic_id: body.episodic_id,
          target_sem_key: body.target_sem_key,
          value: body.value,
          justification: body.justification,
          evidence: body.evidence ?? [],
          proposer: { sub: actor.sub, user_id: ownUserId(actor) ?? null },
          made_for: null,
          source: sourceOf(actor),
          requested_at: new Date(now).toISOString(),
          expires_at: new Date(now + this.config.requestExpiryHours * HOUR_MS).toISOString(),
          quorum: this.config.councilQuorum,
        },
      ],
      identity,
    );
  }

  private async requireEpisode(actor: Actor, episodicId: string): Promise<void> {
    const episode = await this.episodes.find(actor, episodicId);
    if (episode === undefined) throw new Refusal('NOT_FOUND', { what: 'episode', id: episodicId });
  }
}
