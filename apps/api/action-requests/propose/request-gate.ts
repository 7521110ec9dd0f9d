import { Inject, Injectable } from '@nestjs/common';
import { type GatedValue, MAX_FINDINGS } from '#domain/action-request/gated-value.js';
import { largeChange } from '#domain/action-request/large-change.js';
import { parseKey } from '#domain/canonical-key/canonical-key.js';
import type { Json } from '#domain/json.js';
import { redactionsOf } from '#domain/privacy/redactions.js';
import type { Redactor } from '#domain/privacy/redactor.js';
import { PROPOSAL_EVIDENCE } from '#domain/action-request/proposal.js';
import { FACT_VALUE } from '#domain/sem/fact-limits.js';
import { currentFact } from '#domain/sem/state.js';
import { requireSize } from '#domain/size-limit.js';
import { semStream } from '#domain/stream-names.js';
import { inSlices } from '#bounded/slices.js';
import type { SemStore } from '../../platform/stores.js';
import { SEM_STORE } from '../../platform/tokens.js';
import { PrivacyGate } from '../../privacy/privacy-gate.js';
import type { Propose } from './propose.js';

/** The key that a value is proposed for, and the subject under whose key it is sealed. */
interface Target {
  readonly key: string;
  readonly subject: string;
  /** True if the value is not kept, so that the subject needs no key. */
  readonly isDryRun?: boolean;
}

type Words = Pick<Propose, 'justification' | 'evidence'>;

async function wordsOf({ justification, evidence = [] }: Words, redactor: Redactor) {
  requireSize(evidence, PROPOSAL_EVIDENCE);
  return {
    justification: redactor.text(justification, 'justification'),
    evidence: await inSlices(redactor.slicedJson(evidence, 'evidence')),
  };
}

/**
 * Redacts the texts of requests, seals proposed values with personal data (SPEC P3), and compares the others with the
 * values that stand.
 */
@Injectable()
export class RequestGate {
  constructor(
    private readonly gate: PrivacyGate,
    @Inject(SEM_STORE) private readonly facts: SemStore,
  ) {}

  /**
   * Returns the parts of a proposal that may enter the log. Fails with `KeysUnavailable`. @throws Refusal
   * PRIVACY_BLOCKED for personal data in the key, which cannot be redacted, and for what cannot be scanned
   */
  async proposal(body: Words & { readonly value: Json }, target: Target) {
    await this.gate.requireClearFact(target.key, { value: null });
    const redactor = this.gate.redactor();
    requireSize(body.value, FACT_VALUE);
    const words = await wordsOf(body, redactor);
    const value = await this.compared(body.value, target, redactor);
    return { ...value, ...(await this.beyondRules(words, redactor)) };
  }

  /** Returns the words of a proposal that is not about a fact. */
  async words(body: Words) {
    const redactor = this.gate.redactor();
    return this.beyondRules(await wordsOf(body, redactor), redactor);
  }

  /** Returns the parts of a revision that may enter the log. Fails as `proposal` does. */
  async revision(body: { readonly value: Json; readonly reason: string }, target: Target) {
    const redactor = this.gate.redactor();
    const reason = redactor.text(body.reason, 'reason');
    const value = await this.compared(body.value, target, redactor);
    return { ...value, ...(await this.beyondRules({ reason }, redactor)) };
  }

  /** Returns a text without personal data, in a field of this name. */
  text<Field extends string>(text: string, field: Field) {
    const redactor = this.gate.redactor();
    const clean = { [field]: redactor.text(text, field) } as Record<Field, string>;
    return this.beyondRules(clean, redactor);
  }

  private beyondRules<Clean extends object>(words: Clean, { redactions }: Redactor) {
    return this.gate.beyondRules({ ...words, ...redactionsOf(redactions) });
  }

  /** Returns a value, and whether it changes much of the present one (SPEC G9). */
  private async compared(value: Json, target: Target, redactor: Redactor) {
    const gated = await this.value(value, target, redactor);
    const { state } = await this.facts.load(semStream(target.key));
    return { ...gated, ...largeChange(currentFact(state), gated) };
  }

  private async value(
    value: Json,
    { key, subject, isDryRun = false }: Target,
    redactor: Redactor,
  ): Promise<GatedValue> {
    const { attribute } = parseKey(key);
    const found = await this.gate.inspect(value, FACT_VALUE, attribute);
    if (found === undefined) return { value };
    // The redactor notes the type and the hash of each finding (000 §5); the value itself is sealed.
    await inSlices(redactor.slicedJson({ [attribute]: value }, 'value'));
    const sealed = await (isDryRun
      ? this.gate.sealedForm(subject, value, found)
      : this.gate.seal(subject, value, found));
    const { category: finding_category, findings } = found;
    const isJudged = findings !== undefined && findings.length <= MAX_FINDINGS;
    return { sealed, finding_category, ...(isJudged ? { findings } : {}) };
  }
}
