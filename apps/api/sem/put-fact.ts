import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MAX_NOTES } from '#domain/sem/fact-limits.js';
import { parseKey } from '#domain/canonical-key/canonical-key.js';
import { sourceOf } from '#domain/sem/access.js';
import { heldContent } from '#domain/held.js';
import { semStream } from '#domain/stream-names.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import { OwnerClaims } from '../ownership/owner-claims.js';
import type { KeyedHash } from '../platform/http/identity.js';
import { KEYED_HASH } from '../platform/tokens.js';
import { ConsentedFacts } from '../privacy/consented-facts.js';
import { FactGate } from './fact-gate.js';
import { FactPermissions } from './fact-permissions.js';
import type { Json, JsonObject } from '#domain/json.js';
import { Answer } from '../platform/http/answer.js';
import { AnyJson, AnyObject, Instant, Text } from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { FactWrittenDto } from './fact-view.js';
import { EXAMPLE_KEY, FactKey } from './fact-fields.js';

@Describes({
  summary: 'Overwrite a fact; the latest timestamp wins',
  roles: { own: ['agent', 'user'], of: 'self', all: ['admin'] },
  example: { value: 330 },
  path: EXAMPLE_KEY,
  does:
    'writes a fact under a key of scope, entity_type, entity_id and attribute, for admins and for a user’s own facts; ' +
    'an agent proposes it by POST /v1/action-requests, on an episode as POST /v1/jobs/{seed}/episodes writes one',
  answers: [200, FactWrittenDto],
  fails: ['PRIVACY_BLOCKED'],
})
export class PutFact extends WriteRequest<FactWrittenDto> {
  @FactKey() readonly key!: string;

  @AnyJson({ description: 'At most 16 KB as canonical JSON.' })
  value!: Json;

  @Instant({
    optional: true,
    description: 'The put with the latest timestamp wins. Default: the service’s clock.',
  })
  timestamp?: string;

  @Text({
    optional: true,
    max: 256,
    description: 'If sent, it must equal the source that the token gives.',
  })
  source?: string;

  @Text({ optional: true, max: MAX_NOTES })
  notes?: string;

  @AnyObject({
    optional: true,
    description: 'Metadata of the fact, such as trust and provenance_id.',
  })
  meta?: JsonObject;

  @Text({ optional: true, max: 255, description: 'Equivalent to the header Idempotency-Key.' })
  idempotency_token?: string;
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

  async execute(put: PutFact): Promise<Answer<FactWrittenDto>> {
    const { actor, key, identity } = put;
    await this.permissions.requireWrite(actor, key);
    const source = sourceOf(actor, put.source);
    const user = this.permissions.boundUser(actor, key);
    // The gate comes before anything is claimed or written (SPEC S7).
    const held = await this.gate.valueOf(key, put, user ?? (await this.concerned(key)));
    if (user !== undefined) await this.owners.claim(user, identity);
    const { timestamp, notes, meta } = put;
    const changed = await this.facts.put(
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
    const { version, position } = changed;
    return Answer.written({ ...onlyAnswer(changed), version }, position);
  }

  /** Returns the user whom an admin's put concerns, if a user owns the key's slug (SPEC I9). */
  private concerned(key: string): Promise<string | null> {
    const { scope, entity_id } = parseKey(key);
    return scope === 'user' ? this.owners.ownerOf(entity_id) : Promise.resolve(null);
  }
}
