import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { v7 as uuidv7 } from 'uuid';
import type { ActionRequestCommand } from '#domain/action-request/decide.js';
import { subjectOfRequest } from '#domain/action-request/subject.js';
import { idOfRequestStream, requestStream } from '#domain/action-request/state.js';
import { isEntityOf, parseKey } from '#domain/canonical-key/canonical-key.js';
import { permit } from '#domain/errors/permit.js';
import { jobStream } from '#domain/job/state.js';
import { ownUserId } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { mayRead, sourceOf } from '#domain/sem/access.js';
import type { Executed } from '#event-store/aggregate-store.js';
import { OwnerClaims } from '../claims/owner-claims.js';
import { RequestClaims } from '../claims/request-claims.js';
import { EpisodeAccess } from '../episodes/episode-access.js';
import type { Episode } from '#projections/episodes/queries.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { ActionRequestStore } from '../platform/stores.js';
import { ACTION_REQUEST_STORE, CONFIG } from '../platform/tokens.js';
import type { ActionRequestDto } from './dto/action-request.dto.js';
import { RequestGate } from './request-gate.js';
import { RequestReport } from './request-report.js';

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

/** Handles memory_promote_request: proposes a fact to the council without writing the fact (SPEC G1). */
@CommandHandler(ProposeAction)
export class ProposeActionHandler implements ICommandHandler<ProposeAction> {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    @Inject(CONFIG) private readonly config: ServiceConfig,
    private readonly claims: RequestClaims,
    private readonly owners: OwnerClaims,
    private readonly episodes: EpisodeAccess,
    private readonly report: RequestReport,
    private readonly gate: RequestGate,
  ) {}

  async execute({ actor, body, identity }: ProposeAction): Promise<Executed> {
    const { target_sem_key } = body;
    permit(mayRead(actor, target_sem_key), `propose a write to ${target_sem_key}`, 'I9');
    const own = ownTarget(actor, target_sem_key);
    if (own !== undefined) await this.owners.check(own);
    const stream = await this.claims.streamFor(identity, requestStream(uuidv7()));
    const propose = async (): Promise<readonly ActionRequestCommand[]> => {
      const episode = await this.episodes.find(actor, body.episodic_id);
      if (own !== undefined) await this.owners.claim(own, identity);
      const { received_at } = identity;
      const about = {
        request_id: idOfRequestStream(stream),
        made_for: own ?? (await this.madeFor(target_sem_key)),
        ...jobOf(episode),
      };
      return [
        {
          type: 'request',
          ...about,
          ...(await this.gate.proposal(body, subjectOfRequest(about))),
          kind: body.kind ?? 'sem_put',
          episodic_id: body.episodic_id,
          target_sem_key,
          proposer: { sub: actor.sub, user_id: ownUserId(actor) ?? null },
          source: sourceOf(actor),
          requested_at: received_at,
          expires_at: this.expiryOf(received_at),
          quorum: this.config.councilQuorum,
        },
      ];
    };
    const made = await this.requests.execute(stream, propose, identity);
    // The job may have no log yet; the obligation worker then lists the request in it later.
    await this.report.write(stream).catch(() => undefined);
    return made;
  }

  private expiryOf(requestedAt: string): string {
    const expiresAt = Date.parse(requestedAt) + this.config.requestExpiryHours * HOUR_MS;
    return new Date(expiresAt).toISOString();
  }

  /**
   * Returns the raw id of the user whom the fact concerns, if a user owns the key's slug (SPEC G2, I9).
   */
  private async madeFor(key: string): Promise<string | null> {
    const { scope, entity_id } = parseKey(key);
    return scope === 'user' ? this.owners.ownerOf(entity_id) : null;
  }
}

/** Returns the job of an episode; nothing for the episode of another request (SPEC E1). */
const jobOf = ({ job_seed, stream }: Episode): { job_seed?: string } =>
  stream === jobStream(job_seed) ? { job_seed } : {};

/**
 * Returns the raw user id in the caller's token if the caller proposes a fact that concerns this user.
 */
function ownTarget(actor: Actor, key: string): string | undefined {
  const { scope, entity_id } = parseKey(key);
  const own = ownUserId(actor);
  return scope === 'user' && own !== undefined && isEntityOf(own, entity_id) ? own : undefined;
}
