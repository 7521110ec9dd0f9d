import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '#domain/errors/refusal.js';
import type { Held, Sealed } from '#domain/held.js';
import type { Json } from '#domain/json.js';
import { Redactor } from '#domain/privacy/redactor.js';
import { type Category, highestCategory } from '#domain/privacy/finding.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import { findingTypes, privacyBlocked } from '#domain/privacy/require-clear.js';
import { scanJson } from '#domain/privacy/scan-json.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import type { KeyedHash } from '../platform/http/identity.decorator.js';
import { KEYED_HASH, PRIVACY_RULES } from '../platform/tokens.js';

/** The personal data that the gate found in a value. */
export interface Found {
  /** The types of the findings, sorted and separated by commas. */
  readonly types: string;
  /** The highest category of the findings. */
  readonly category: Category;
  /** Makes the refusal of a write that may not hold them. */
  readonly blocked: () => Refusal;
}

const cannotScan = (): Refusal => new Refusal('PRIVACY_BLOCKED', { finding_types: 'cannot_scan' });

/**
 * The gate between a request and a decider (SPEC P3). Its result is recorded as input, so a replay never asks it
 * again.
 */
@Injectable()
export class PrivacyGate {
  constructor(
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly keys: SubjectKeys,
    @Inject(PRIVACY_RULES) readonly rules: RuleSet,
  ) {}

  /**
   * Returns a redactor for the free texts of one command. It refuses with PRIVACY_BLOCKED what cannot be scanned
   * (SPEC P2).
   */
  redactor(): Redactor {
    return new Redactor(this.keyedHash, cannotScan, this.rules);
  }

  /**
   * Returns a value as the log may hold it: in clear, or sealed under the subject's key if it contains personal
   * data. @param label the name of the field that contains the value. Fails with `KeysUnavailable`.
   * @throws Refusal PRIVACY_BLOCKED if the value cannot be scanned
   */
  async held(subject: string, value: Json, label?: string): Promise<Held> {
    const found = this.inspect(value, label);
    if (found === undefined) return { value };
    return { sealed: await this.keys.seal(subject, value, found.types) };
  }

  /**
   * Returns what the gate found in a value; undefined if it found nothing. @throws Refusal PRIVACY_BLOCKED if the
   * value cannot be scanned
   */
  inspect(value: Json, label?: string): Found | undefined {
    const verdict = scanJson(value, label, this.rules);
    if (verdict.outcome === 'clear') return undefined;
    if (verdict.outcome === 'cannot_scan') throw privacyBlocked(verdict);
    return {
      types: findingTypes(verdict).join(','),
      category: highestCategory(verdict.findings),
      blocked: () => privacyBlocked(verdict),
    };
  }

  /** Seals a value under the subject's key. Fails with `KeysUnavailable`. */
  seal(subject: string, value: Json, { types }: Found): Promise<Sealed> {
    return this.keys.seal(subject, value, types);
  }
}
