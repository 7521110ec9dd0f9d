import { Inject, Injectable } from '@nestjs/common';
import { jsonBytes, LruMap } from '#bounded/lru-map.js';
import { inSlices } from '#bounded/slices.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Held, Sealed } from '#domain/held.js';
import type { Json, JsonObject } from '#domain/json.js';
import { holdsBytes } from '#domain/privacy/bytes.js';
import { REDACTION_REASON } from '#domain/privacy/withheld.js';
import { redactionsOf } from '#domain/privacy/redactions.js';
import { Redactor } from '#domain/privacy/redactor.js';
import {
  type Category,
  type Finding,
  highestCategory,
  type Unscannable,
  type Verdict,
} from '#domain/privacy/finding.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import {
  clearIdsScan,
  findingTypes,
  type Ids,
  privacyBlocked,
  requireClearFields,
} from '#domain/privacy/require-clear.js';
import { factScan, type FactText } from '#domain/privacy/scan-fact.js';
import { type ClearItems, jsonScan } from '#domain/privacy/scan-json.js';
import type { LogRedaction } from '#domain/reflective-log/fields.js';
import { requireSize, type SizeLimit } from '#domain/size-limit.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import type { KeyedHash } from '../platform/http/identity.js';
import { KEYED_HASH, OUTSIDE_RECOGNISER, PRIVACY_RULES } from '../platform/tokens.js';
import { type OutsideRecogniser, RecogniserFailed } from './outside-recogniser.js';

/** The personal data that the gate found in a value. */
export interface Found {
  /** The types of the findings, sorted and separated by commas. */
  readonly types: string;
  /** The highest category of the findings. */
  readonly category: Category;
  /** Their places; undefined if the outside recogniser has found something, because it names no place. */
  readonly findings: readonly Finding[] | undefined;
  /** Makes the refusal of a write that may not hold them. */
  readonly blocked: () => Refusal;
}

/** The redactions of some words; missing without any. */
type Gated = { readonly redactions?: readonly LogRedaction[] };

const CLEAR_ID =
  'An id, such as user_id or session_id, becomes a name that stays for good: give one without personal data, such as a random word or a UUID.';
const MAX_CLEAR_BYTES = 12 * 1024 * 1024;

const cannotScan = (): Refusal => new Refusal('PRIVACY_BLOCKED', { finding_types: 'cannot_scan' });

/**
 * The gate between a request and a decider (SPEC P3). Its result is recorded as input, so a replay never asks it
 * again.
 */
@Injectable()
export class PrivacyGate {
  /** The items that were found clear, or asked for, last. */
  private readonly clearItems: ClearItems = new LruMap<string, number>({
    maxBytes: MAX_CLEAR_BYTES,
    bytesOf: jsonBytes,
  });

  constructor(
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly keys: SubjectKeys,
    @Inject(PRIVACY_RULES) readonly rules: RuleSet,
    @Inject(OUTSIDE_RECOGNISER) private readonly outside: OutsideRecogniser | undefined,
  ) {}

  /**
   * Returns a redactor for the free texts of one command. It refuses with PRIVACY_BLOCKED what cannot be scanned
   * (SPEC P2), and with INVALID_INPUT what is nested too deep.
   */
  redactor(): Redactor {
    const refusal = (reason: string, verdict?: { readonly reason: Unscannable }): Refusal =>
      verdict?.reason === 'too_deep' ? new Refusal('INVALID_INPUT', { reason }) : cannotScan();
    return new Redactor(this.keyedHash, refusal, this.rules);
  }

  /** Checks ids, which become stream names. @throws Refusal PRIVACY_BLOCKED for personal data in one (SPEC I4) */
  async requireClearIds(ids: Ids): Promise<void> {
    try {
      await inSlices(clearIdsScan(ids, this.rules));
    } catch (cause) {
      throw cause instanceof Refusal ? cause.teaching({ instead: CLEAR_ID }) : cause;
    }
  }

  /** Checks names and short texts by their fields, which are kept as they are. @throws Refusal PRIVACY_BLOCKED for personal data in one */
  async requireClear(fields: JsonObject): Promise<void> {
    requireClearFields(await this.verdictOn(fields));
  }

  /** Checks a fact with its key, notes and meta. @throws Refusal PRIVACY_BLOCKED for personal data in it (SPEC S7) */
  async requireClearFact(key: string, fact: FactText): Promise<void> {
    requireClearFields(await this.verdictOnFact(key, fact));
  }

  verdictOn(value: Json): Promise<Verdict> {
    return inSlices(jsonScan(value, this.rules));
  }

  verdictOnFact(key: string, fact: FactText): Promise<Verdict> {
    return inSlices(factScan(key, fact, this.rules));
  }

  /**
   * Returns a value as the log may hold it: in clear, or sealed under the subject's key if it contains personal
   * data or unreadable bytes. @param label the name of the field that contains the value. Fails with `KeysUnavailable`.
   * @throws Refusal INVALID_INPUT beyond the limit, and PRIVACY_BLOCKED if the value cannot be scanned
   */
  async held(subject: string, value: Json, limit: SizeLimit, label?: string): Promise<Held> {
    const reason = await this.reasonToSeal(value, limit, label);
    return reason === undefined ? { value } : { sealed: await this.seal(subject, value, reason) };
  }

  /**
   * Returns why the log may hold a value only sealed: it contains personal data, or bytes that cannot be read as text.
   * Undefined for a value that may stay in clear. @throws Refusal INVALID_INPUT beyond the limit, and PRIVACY_BLOCKED if
   * the value cannot be scanned
   */
  async reasonToSeal(
    value: Json,
    limit: SizeLimit,
    label?: string,
  ): Promise<Pick<Found, 'types'> | undefined> {
    const found = await this.inspect(value, limit, label);
    return found ?? (holdsBytes(value, label) ? { types: 'bytes' } : undefined);
  }

  /**
   * Returns what the gate found in a value; undefined if it found nothing. An outside recogniser, if one
   * is set, is asked too, and what it cannot scan is refused. The size is checked first, because the scan takes a
   * hundred times as long. @throws Refusal INVALID_INPUT beyond the limit, and PRIVACY_BLOCKED if the value cannot be
   * scanned
   */
  async inspect(value: Json, limit: SizeLimit, label?: string): Promise<Found | undefined> {
    requireSize(value, limit);
    const verdict = await inSlices(jsonScan(value, this.rules, label, this.clearItems));
    if (verdict.outcome === 'cannot_scan') throw privacyBlocked(verdict);
    const outside = await this.outsideTypes(value);
    if (verdict.outcome === 'clear' && outside.length === 0) return undefined;
    const findings = verdict.outcome === 'flagged' ? verdict.findings : [];
    const types = [...new Set([...findingTypes(verdict), ...outside])].sort();
    return {
      types: types.join(','),
      // A finding of the outside recogniser alone has category medium: the user's consent is enough.
      category: findings.length === 0 ? 'medium' : highestCategory(findings),
      findings: outside.length === 0 ? findings : undefined,
      blocked: () =>
        verdict.outcome === 'clear'
          ? new Refusal('PRIVACY_BLOCKED', { finding_types: types.join(', ') })
          : privacyBlocked(verdict),
    };
  }

  /**
   * Returns words that the rules have redacted, without what the outside recogniser finds in them, and with its
   * redactions. @param words each field’s content under its name, and the `redactions` so far. @throws Refusal
   * PRIVACY_BLOCKED if the recogniser fails
   */
  async beyondRules<Words extends object>(words: Words & Gated): Promise<Words & Gated> {
    const { outside } = this;
    if (outside === undefined) return words;
    const { redactions = [], ...fields } = words;
    const found: LogRedaction[] = [];
    const clean: Record<string, Json> = {};
    for (const [field, content] of Object.entries(fields as JsonObject))
      clean[field] = await asked(() =>
        outside.redacted(content, (type, text) => {
          const hash = this.keyedHash(text);
          found.push({ field, type, hash, redaction_reason: REDACTION_REASON });
        }),
      );
    return { ...(clean as Words), ...redactionsOf([...redactions, ...found]) };
  }

  /**
   * Requires that the outside recogniser, if one is set, finds nothing in texts that are never sealed, such as the notes
   * and the meta of a fact. @throws Refusal PRIVACY_BLOCKED for a finding, and if the recogniser fails
   */
  async requireClearOutside(value: Json): Promise<void> {
    const types = [...new Set(await this.outsideTypes(value))].sort();
    if (types.length > 0) throw new Refusal('PRIVACY_BLOCKED', { finding_types: types.join(', ') });
  }

  private async outsideTypes(value: Json): Promise<readonly string[]> {
    return asked(async () => (await this.outside?.typesIn(value)) ?? []);
  }

  /** Seals a value under the subject's key. Fails with `KeysUnavailable`. */
  seal(subject: string, value: Json, { types }: Pick<Found, 'types'>): Promise<Sealed> {
    return this.keys.seal(subject, value, types);
  }

  /** Returns what `seal` would, sealed under a key that nobody has. Fails with `KeysUnavailable`. */
  sealedForm(subject: string, value: Json, { types }: Pick<Found, 'types'>): Promise<Sealed> {
    return this.keys.sealedForm(subject, value, types);
  }
}

/** Asks the recogniser. What it cannot scan is refused (SPEC P2). */
async function asked<Result>(question: () => Promise<Result>): Promise<Result> {
  try {
    return await question();
  } catch (error) {
    if (error instanceof RecogniserFailed) throw cannotScan();
    throw error;
  }
}
