import { Injectable } from '@nestjs/common';
import { parseKey } from '#domain/canonical-key/canonical-key.js';
import type { Held } from '#domain/held.js';
import type { Json, JsonObject } from '#domain/json.js';
import { flaggedField } from '#domain/privacy/require-clear.js';
import { subjectOfUser } from '#domain/privacy/subject.js';
import { FACT_ROW, FACT_VALUE } from '#domain/sem/fact-limits.js';
import { requireSize } from '#domain/size-limit.js';
import { Consents } from '../privacy/consents.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';

interface FactParts {
  readonly value: Json;
  readonly notes?: string | null;
  readonly meta?: JsonObject | null;
}

/** A value as a fact may hold it, with the consent that allows it if it is sealed. */
type GatedValue = Held & { readonly consent_id?: string };

/** Decides in which form a fact may be put (SPEC S7, P4). */
@Injectable()
export class FactGate {
  constructor(
    private readonly gate: PrivacyGate,
    private readonly consents: Consents,
  ) {}

  /**
   * Returns the value in clear, or sealed if it contains personal data and the user has agreed that it is kept.
   * @param user the raw id of the user whom the fact concerns; null for a fact about nobody. Fails with
   * `KeysUnavailable`. @throws Refusal PRIVACY_BLOCKED without consent, and for personal data in key, notes or meta
   */
  async valueOf(key: string, fact: FactParts, user: string | null): Promise<GatedValue> {
    const { value, notes = null, meta = null } = fact;
    requireSize(value, FACT_VALUE);
    requireSize({ notes, meta }, FACT_ROW);
    // Only the value is ever sealed.
    await this.gate.requireClearFact(key, { notes, meta, value: null });
    await this.gate.requireClearOutside([notes, meta]);
    const found = await this.gate.inspect(value, FACT_VALUE, parseKey(key).attribute);
    if (found === undefined) return { value };
    const need = { category: found.category, job_seed: null };
    const consent = await this.consents.covering(user, need);
    if (consent === undefined || user === null)
      throw found.blocked().teaching({ fields: [flaggedField('value', found.types.split(','))] });
    const sealed = await this.gate.seal(subjectOfUser(user), value, found);
    return { sealed, consent_id: consent.consent_id };
  }
}
