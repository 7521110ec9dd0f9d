import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '#domain/recorded-event.js';
import type { RequestIdentity } from '../../platform/http/identity.decorator.js';
import type { VoteDto } from '../dto/action-request.dto.js';
import { type CastBallot, VoteCasting } from './vote-casting.js';

export class CastVote extends Command<CastBallot> {
  constructor(
    readonly actor: Actor,
    readonly requestId: string,
    readonly body: VoteDto,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/** Records the vote of a council member or an admin (SPEC G2). */
@CommandHandler(CastVote)
export class CastVoteHandler implements ICommandHandler<CastVote> {
  constructor(private readonly votes: VoteCasting) {}

  execute({ actor, requestId, body, identity }: CastVote): Promise<CastBallot> {
    return this.votes.cast(actor, requestId, body, { at: identity.received_at, identity });
  }
}
