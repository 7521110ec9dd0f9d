import { Injectable } from '@nestjs/common';
import { isAmongCleared, isCleared } from '#domain/action-request/clearance.js';
import { targetOf } from '#domain/action-request/proposal.js';
import type { ActionRequestState } from '#domain/action-request/state.js';
import { parseKey } from '#domain/canonical-key/canonical-key.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Sealed } from '#domain/held.js';
import { subjectOfFact } from '#domain/privacy/subject.js';
import type { PutFact } from '#domain/sem/decide.js';
import { FACT_VALUE } from '#domain/sem/fact-limits.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import { PrivacyGate } from '../../privacy/privacy-gate.js';

type ClearedParts = { readonly sealed: Sealed } & Pick<PutFact, 'cleared_in'>;

/** Seals values in which the council has cleared every finding under the keys of their facts (SPEC W8). */
@Injectable()
export class ClearedValues {
  constructor(
    private readonly keys: SubjectKeys,
    private readonly gate: PrivacyGate,
  ) {}

  /**
   * Returns the cleared value under the key of its fact; undefined if a finding is not cleared. Fails with
   * `KeysUnavailable`. @throws Refusal PRIVACY_BLOCKED if the present rules find more than the members saw
   */
  async of(
    state: ActionRequestState,
    { sealed }: { readonly sealed: Sealed },
  ): Promise<ClearedParts | undefined> {
    const { request } = state;
    if (request === null || !isCleared(state)) return undefined;
    const key = targetOf(request);
    const opened = await this.keys.open(sealed);
    if (!('value' in opened)) throw erasedValue();
    const found = await this.gate.inspect(opened.value, FACT_VALUE, parseKey(key).attribute);
    const isJudged = found?.findings?.every((finding) => isAmongCleared(state, finding));
    if (found !== undefined && isJudged !== true) throw found.blocked();
    const types = { types: sealed.type };
    const own = await this.gate.seal(subjectOfFact(key), opened.value, types);
    return { sealed: own, cleared_in: request.request_id };
  }
}

/** Returns the refusal of a proposed value whose key is destroyed. */
export const erasedValue = (): Refusal =>
  new Refusal('VERSION_CONFLICT', {
    what: 'the proposed value',
    expected: 'readable',
    actual: 'erased',
  });
