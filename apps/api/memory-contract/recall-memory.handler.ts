import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Recall } from '#domain/memory-contract/commands.js';
import type { RecalledElsewhere } from '#domain/memory-contract/events.js';
import { askedQuery, recallHere } from '#domain/memory-contract/recall-here.js';
import { recall, type UnfoldedRecall } from '#domain/memory-contract/recall.js';
import type { StoreState } from '#domain/memory-contract/state.js';
import { traceOf } from '#domain/memory-contract/trace.js';
import type { Actor } from '#domain/recorded-event.js';
import { RequestClaims } from '../claims/request-claims.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { WrittenJson } from '../platform/http/answer.js';
import { answerJson } from './answer-json.js';
import type { RecallDto } from './dto/memory-request.dto.js';
import { begun, type Forgotten, ForeignRetention } from './foreign-retention.js';
import { MemoryAccess } from './memory-access.js';
import { isFlagged, memoryRequest, type MemoryRequest } from './memory-request.js';
import { MemoryStores } from './memory-stores.js';

export interface Recalled {
  /** `items` and `trace`. */
  readonly answer: WrittenJson;
  readonly position: bigint | undefined;
}

export class RecallMemory extends Command<Recalled> {
  constructor(
    readonly actor: Actor,
    readonly body: RecallDto,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/** A read that decides: it forgets what expired, may start a phase, and is recorded (SPEC M16). */
@CommandHandler(RecallMemory)
export class RecallMemoryHandler implements ICommandHandler<RecallMemory> {
  constructor(
    private readonly stores: MemoryStores,
    private readonly foreign: ForeignRetention,
    private readonly access: MemoryAccess,
    private readonly claims: RequestClaims,
  ) {}

  async execute({ actor, body, identity }: RecallMemory): Promise<Recalled> {
    const request = memoryRequest(actor, body);
    const looked = this.foreign.look(request.data);
    await this.access.toUse(request);
    await this.claims.streamFor(identity, request.stream);
    const { trace = true, query } = body;
    // What is recorded in a session's store is nobody else's: so a recorded recall claims it (SPEC I9).
    if (trace || request.phase !== null) await this.access.claim(request, identity);
    const { data, phase, stream } = request;
    const flagged = isFlagged(query);
    const forgotten = begun(this.foreign.forget(data, identity, looked));
    const commandOf = (state: StoreState, there: readonly Forgotten[]): Recall => ({
      op: 'recall',
      ...data,
      query: askedQuery(state, query, flagged),
      phase,
      trace,
      elsewhere: recalledFrom(there, request, query),
    });
    return this.stores.execute(stream, identity, {
      unfold: recall,
      commandFor: async (state) => commandOf(state, await forgotten),
      aheadFor: (state) => {
        if (!trace && phase === null) return undefined; // Most likely it has nothing to append.
        const foreseen = this.foreign.foresee(data, identity, looked);
        if (foreseen === undefined) return undefined;
        return { command: commandOf(state, foreseen.forgotten), holds: foreseen.holds };
      },
      answerOf: ({ items, trace: told }: UnfoldedRecall) =>
        answerJson({ items, trace: told.map((event) => traceOf(event, data.policy)) }),
    });
  }
}

/** What the other spaces give, once they have forgotten what expired there. */
const recalledFrom = (
  forgotten: readonly Forgotten[],
  { data: { policy, settings } }: MemoryRequest,
  query: string,
): readonly RecalledElsewhere[] =>
  forgotten
    .filter(({ state }) => state.version >= 0)
    .map(({ space, told, state }) => ({
      space,
      told,
      recalled: recallHere(state, { text: query }, settings, policy),
    }));
