import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { parseKey } from '#domain/canonical-key/canonical-key.js';
import type { Actor } from '#domain/recorded-event.js';
import { sourceOf } from '#domain/sem/access.js';
import { heldContent } from '#domain/held.js';
import type { FactChanged } from '#domain/sem/decide.js';
import { type SemState, semStream } from '#domain/sem/state.js';
import type { Executed } from '#event-store/aggregate-store.js';
import { OwnerClaims } from '../ownership/owner-claims.js';
import type { KeyedHash, RequestIdentity } from '../platform/http/identity.decorator.js';
import { KEYED_HASH } from '../platform/tokens.js';
import { ConsentedFacts } from '../privacy/consented-facts.js';
import type { PutFactDto } from './dto/fact.dto.js';
import { FactGate } from './fact-gate.js';
import { FactPermissions } from './fact-permissions.js';

export class PutFact extends Command<Executed<SemState, FactChanged>> {
  constructor(
    readonly actor: Actor,
    readonly key: string,
    readonly body: PutFactDto,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

@CommandHandler(PutFact)
export class PutFactHandler implements ICommandHandler<PutFact> {
  constructor(
    private readonly facts: ConsentedFacts,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly permissions: FactPermissions,
    private readonly gate: FactGate,
    private readonly owners: OwnerClaims,
  ) {}

  async execute({ actor, key, body, identity }: PutFact): Promise<Executed<SemState, FactChanged>> {
    parseKey(key);
    await this.permissions.requireWrite(actor, key);
    const source = sourceOf(actor, body.source);
    const user = this.permissions.boundUser(actor, key);
    // The gate comes before anything is claimed or written (SPEC S7).
    const held = await this.gate.valueOf(key, body, user ?? (await this.concerned(key)));
    if (user !== undefined) await this.owners.claim(user, identity);
    const { timestamp, notes, meta } = body;
    return this.facts.put(
      semStream(key),
      {
        type: 'put',
        ...held,
        source,
        ...(timestamp === undefined ? {} : { timestamp }),
        notes: notes ?? null,
        meta: meta ?? null,
        now: identity.received_at,
      },
      // The event has a keyed hash of the value, for audits (SPEC S10).
      { ...identity, evidence: { value_hash: this.keyedHash(heldContent(held)) } },
    );
  }

  /** Returns the user whom an admin's put concerns, if a user owns the key's slug (SPEC I9). */
  private concerned(key: string): Promise<string | null> {
    const { scope, entity_id } = parseKey(key);
    return scope === 'user' ? this.owners.ownerOf(entity_id) : Promise.resolve(null);
  }
}
