import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import { personOf } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import type { CloseCollision as CloseCommand } from '#domain/sem/decide.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import { semStream } from '#domain/sem/state.js';
import { CollisionQueries } from '#projections/collisions/queries.js';
import type { StoredCollision } from '#projections/collisions/collisions.projection.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import { LogEnd } from '../platform/log-end.js';
import type { SemStore } from '../platform/stores.js';
import { SEM_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import { CollisionViews } from './collision-views.js';
import type { CollisionDto } from './dto/collision-view.dto.js';

export interface ClosedCollision {
  readonly body: CollisionDto;
  readonly position: bigint;
}

export class CloseCollision extends Command<ClosedCollision> {
  constructor(
    readonly actor: Actor,
    readonly collisionId: string,
    readonly reason: string,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/** Records that a reviewer has looked at a collision, and why it is closed (SPEC K4). */
@CommandHandler(CloseCollision)
export class CloseCollisionHandler implements ICommandHandler<CloseCollision> {
  constructor(
    @Inject(SEM_STORE) private readonly facts: SemStore,
    private readonly collisions: CollisionQueries,
    private readonly views: CollisionViews,
    private readonly logEnd: LogEnd,
    private readonly gate: PrivacyGate,
  ) {}

  async execute({
    actor,
    collisionId,
    reason,
    identity,
  }: CloseCollision): Promise<ClosedCollision> {
    // A reason with personal data must not enter the log (SPEC P3).
    await this.gate.requireClear(reason);
    const row = await this.find(collisionId);
    const closed_by = personOf(actor);
    const command: CloseCommand = {
      type: 'close_collision',
      key: row.given_key,
      reason,
      closed_by,
      closed_at: identity.received_at,
    };
    const closed = await this.facts.execute(semStream(row.contested_key), [command], identity);
    const { key: _, ...closure } = onlyAnswer(closed);
    return { body: await this.views.of(row, closure), position: closed.position };
  }

  /** Returns the collision, also if another instance has recorded it just now. @throws Refusal NOT_FOUND. */
  private async find(id: string): Promise<StoredCollision> {
    const known = await this.collisions.get(id);
    if (known !== undefined) return known;
    await this.logEnd.reach('collisions');
    const row = await this.collisions.get(id);
    if (row === undefined) throw new Refusal('NOT_FOUND', { what: 'collision', id });
    return row;
  }
}
