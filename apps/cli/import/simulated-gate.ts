import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { Held } from '#domain/held.js';
import type { Json } from '#domain/json.js';
import { holdsBytes } from '#domain/privacy/bytes.js';
import { keyId } from '#domain/privacy/key-id.js';
import { findingTypes, privacyBlocked } from '#domain/privacy/require-clear.js';
import { Redactor } from '#domain/privacy/redactor.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import { scanJson } from '#domain/privacy/scan-json.js';

const NO_HASH = '0'.repeat(64);
/** The characters of a compact JWE’s initialization vector (12 bytes), tag (16 bytes) and separators. */
const JWE_FIXED = 16 + 22 + 4;

const base64Length = (bytes: number): number => Math.ceil((bytes * 4) / 3);

/**
 * Predicts what the service’s privacy gate makes of a value. The ciphertext is unknown, but its length is not, and
 * no rule depends on more (SPEC P5).
 */
export class SimulatedGate {
  /** @param subject the subject of the job’s personal data */
  constructor(
    private readonly subject: string,
    private readonly rules: RuleSet,
  ) {}

  /** Returns a redactor that throws a Refusal for what cannot be scanned. */
  redactor(): Redactor {
    return new Redactor(
      () => NO_HASH,
      (reason, verdict) => (verdict === undefined ? new Error(reason) : privacyBlocked(verdict)),
      this.rules,
    );
  }

  /** @throws Refusal for a value that cannot be scanned */
  held(value: Json): Held {
    const verdict = scanJson(value, this.rules);
    if (verdict.outcome === 'cannot_scan') throw privacyBlocked(verdict);
    const types = findingTypes(verdict).join(',') || (holdsBytes(value) ? 'bytes' : '');
    if (types === '') return { value };
    const header = JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid: keyId(this.subject, 1) });
    const length =
      base64Length(Buffer.byteLength(header)) +
      base64Length(Buffer.byteLength(canonicalJson(value))) +
      JWE_FIXED;
    return { sealed: { jwe: '-'.repeat(length), type: types } };
  }
}
