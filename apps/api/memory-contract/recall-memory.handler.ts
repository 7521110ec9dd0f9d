import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { JsonObject } from '#domain/json.js';
import type { RecalledElsewhere } from '#domain/memory-contract/events.js';
import type { MemoryItem } from '#domain/memory-contract/item.js';
import { askedQuery, recallHere } from '#domain/memory-contract/recall-here.js';
import { recall } from '#domain/memory-contract/recall.js';
import { traceOf } from '#domain/memory-contract/trace.js';
import type { Actor } from '#domain/recorded-event.js';
import { RequestClaims } from '../claims/request-claims.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { RecallDto } from './dto/memory-request.dto.js';
import { begun, ForeignRetention, type Looked } from './foreign-retention.js';
import { MemoryAccess } from './memory-access.js';
import { isFlagged, memoryRequest, type MemoryRequest } from './memory-request.js';
import { MemoryStores } from './memory-stores.js';

export interface Recalled {
  readonly items: readonly MemoryItem[];
  readonly trace: readonly JsonObject[];
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
    const flagged = isFlagged(query);
    const { data, phase, stream } = request;
    const elsewhere = begun(this.elsewhere(request, query, identity, looked));
    const { outcome, position } = await this.stores.execute(
      stream,
      identity,
      recall,
      async (state) => ({
        op: 'recall' as const,
        ...data,
        query: askedQuery(state, query, flagged),
        phase,
        trace,
        elsewhere: await elsewhere,
      }),
    );
    const shown = outcome.trace.map((event) => traceOf(event, data.policy));
    return { items: outcome.items, trace: shown, position };
  }

  /** What the other spaces give, once they have forgotten what expired there. */
  private async elsewhere(
    { data }: MemoryRequest,
    query: string,
    identity: RequestIdentity,
    looked: Looked,
  ): Promise<readonly RecalledElsewhere[]> {
    const { policy, settings } = data;
    const forgotten = await this.foreign.forget(data, identity, looked);
    return forgotten
      .filter(({ state }) => state.version >= 0)
      .map(({ space, told, state }) => ({
        space,
        told,
        recalled: recallHere(state, { text: query }, settings, policy),
      }));
  }
}
