import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { canCollide, generateKey } from '#domain/canonical-key/canonical-key.js';
import { userFor } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { titleKey } from '#domain/sem/decide.js';
import { semStream } from '#domain/sem/state.js';
import { RequestClaims } from '../platform/request-claims.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { SemStore } from '../platform/stores.js';
import { SEM_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import type { SemKeyDto } from './dto/sem-key.dto.js';
import { FactPermissions } from './fact-permissions.js';

export interface KeyAnswer {
  readonly key: string;
  /** True if the title owns the key. */
  readonly claimed: boolean;
  readonly position: bigint | undefined;
}

export class ClaimKey extends Command<KeyAnswer> {
  constructor(
    readonly actor: Actor,
    readonly body: SemKeyDto,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
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

  async execute({ actor, body, identity }: ClaimKey): Promise<KeyAnswer> {
    const { user_id: requestedUser, ...request } = body;
    const user = userFor(actor, requestedUser);
    // A claimed title is stored in the log, so it must not have personal data (SPEC K4, S7).
    await this.gate.requireClear({ ...request, user_id: user });
    await this.gate.requireClearIds(user);
    const key = generateKey({ ...request, ...(user === null ? {} : { user_id: user }) });
    await this.gate.requireClearFact(key, { value: null });
    // A key in scope user is generated without claiming it (SPEC I9).
    if (!canCollide(key) || body.entity_id === undefined)
      return { key, claimed: false, position: undefined };
    const stream = semStream(key);
    if (!(await this.permissions.mayWrite(actor, key))) {
      const { state, position } = await this.facts.load(stream);
      return { ...titleKey(state, body.entity_id), position };
    }
    const claimed = await this.claims.streamFor(identity, stream);
    const { position } = await this.facts.execute(
      claimed,
      [{ type: 'claim', title: body.entity_id }],
      identity,
    );
    const { state } = await this.facts.load(claimed);
    return { ...titleKey(state, body.entity_id), position };
  }
}
