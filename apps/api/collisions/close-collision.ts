import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MAX_CHARACTERS } from '#domain/free-text.js';
import { Refusal } from '#domain/errors/refusal.js';
import { personOf } from '#domain/ownership/access.js';
import type { CloseCollision as CloseCommand } from '#domain/sem/decide.js';
import { semStream } from '#domain/stream-names.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import { CollisionQueries } from '#projections/collisions/queries.js';
import type { StoredCollision } from '#projections/collisions/collisions.projection.js';
import { LogEnd } from '../platform/log-end.js';
import type { SemStore } from '../platform/stores.js';
import { SEM_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import { CollisionViews, CollisionDto } from './collision-view.js';
import { Answer } from '../platform/http/answer.js';
import { IdText, Text } from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';

@Describes({
  summary: 'Close a collision after its review; both titles keep their keys',
  roles: { all: ['council', 'admin'] },
  answers: [201, CollisionDto],
  fails: ['NOT_FOUND', 'PRIVACY_BLOCKED'],
  reads: ['collisions'],
})
export class CloseCollision extends WriteRequest<CollisionDto> {
  @IdText() id!: string;

  @Text({ min: 1, max: MAX_CHARACTERS })
  reason!: string;
}

@CommandHandler(CloseCollision)
export class CloseCollisionHandler implements ICommandHandler<CloseCollision> {
  constructor(
    @Inject(SEM_STORE) private readonly facts: SemStore,
    private readonly collisions: CollisionQueries,
    private readonly views: CollisionViews,
    private readonly logEnd: LogEnd,
    private readonly gate: PrivacyGate,
  ) {}

  async execute({ actor, id, reason, identity }: CloseCollision): Promise<Answer<CollisionDto>> {
    // A reason with personal data must not enter the log (SPEC P3).
    await this.gate.requireClear({ reason });
    const row = await this.find(id);
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
    return Answer.written(await this.views.of(row, closure), closed.position);
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
