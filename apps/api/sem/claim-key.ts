import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { canCollide, generateKey } from '#domain/canonical-key/canonical-key.js';
import { userFor } from '#domain/ownership/access.js';
import { titleKey } from '#domain/sem/decide.js';
import { semStream } from '#domain/stream-names.js';
import { RequestClaims } from '../platform/request-claims.js';
import type { SemStore } from '../platform/stores.js';
import { SEM_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import { FactPermissions } from './fact-permissions.js';
import { ROLES } from '#platform/auth/roles.js';
import { Answer } from '../platform/http/answer.js';
import { Text, UserIdText } from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { KeyDto } from './fact-view.js';

@Describes({
  summary: 'Generate the canonical key of a title, and claim it if the caller may write it',
  roles: { own: ROLES, of: 'user' },
  answers: [200, KeyDto],
  fails: ['PRIVACY_BLOCKED'],
})
export class ClaimKey extends WriteRequest<KeyDto> {
  @Text({ min: 1, max: 256 }) scope!: string;
  @Text({ min: 1, max: 256 }) entity_type!: string;

  @Text({ optional: true, min: 1, max: 16_000, description: 'A title in a person’s words.' })
  entity_id?: string;

  @Text({ min: 1, max: 1_024 }) attribute!: string;
  @UserIdText({ optional: true }) user_id?: string;
}

/**
 * Generates a key for a title. If the caller may write the key, the title becomes its owner (SPEC K3,
 * K4).
 */
@CommandHandler(ClaimKey)
export class ClaimKeyHandler implements ICommandHandler<ClaimKey> {
  constructor(
    @Inject(SEM_STORE) private readonly facts: SemStore,
    private readonly permissions: FactPermissions,
    private readonly claims: RequestClaims,
    private readonly gate: PrivacyGate,
  ) {}

  async execute(asked: ClaimKey): Promise<Answer<KeyDto>> {
    const { actor, identity, scope, entity_type, entity_id, attribute } = asked;
    const title: Pick<ClaimKey, 'entity_id'> = entity_id === undefined ? {} : { entity_id };
    const request = { scope, entity_type, ...title, attribute };
    const user = userFor(actor, asked.user_id);
    // A claimed title is stored in the log, so it must not have personal data (SPEC K4, S7).
    await this.gate.requireClear({ ...request, user_id: user });
    await this.gate.requireClearIds({ user_id: user });
    const key = generateKey({ ...request, ...(user === null ? {} : { user_id: user }) });
    await this.gate.requireClearFact(key, { value: null });
    // A key in scope user is generated without claiming it (SPEC I9).
    if (!canCollide(key) || entity_id === undefined)
      return Answer.written({ key, claimed: false }, undefined);
    const stream = semStream(key);
    if (!(await this.permissions.mayWrite(actor, key))) {
      const { state, position } = await this.facts.load(stream);
      return Answer.written(titleKey(state, entity_id), position);
    }
    const claimed = await this.claims.streamFor(identity, stream);
    const { position } = await this.facts.execute(
      claimed,
      [{ type: 'claim', title: entity_id }],
      identity,
    );
    const { state } = await this.facts.load(claimed);
    return Answer.written(titleKey(state, entity_id), position);
  }
}
