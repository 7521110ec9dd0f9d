import { Inject, Injectable } from '@nestjs/common';
import { ArtifactsUnavailable, type ArtifactStore } from '#artifacts/index.js';
import { canonicalJson, canonicalSize } from '#domain/determinism/canonical-json.js';
import { seededUuid } from '#domain/determinism/ids.js';
import type { Json, JsonObject } from '#domain/json.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import { scanId } from '#domain/privacy/scan-id.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import { LogProblem } from '#domain/reflective-log/fields.js';
import { type QuarantineFault } from '#domain/reflective-log/quarantine.decider.js';
import { logRedactor } from '#domain/reflective-log/redact-log.js';
import { isLogId } from '#domain/reflective-log/schema.js';
import { quarantineStream } from '#domain/stream-names.js';
import type { KeyedHash } from '../platform/http/identity.js';
import { Metrics } from '../platform/health/metrics.js';
import type { QuarantineStore } from '../platform/stores.js';
import { inSlices } from '#bounded/slices.js';
import { ARTIFACTS, KEYED_HASH, PRIVACY_RULES, QUARANTINE_STORE } from '../platform/tokens.js';

/** The maximum bytes of content in the event. Larger content is stored as an artifact. */
const CONTENT_BYTES = 256 * 1024;
/** The maximum number of names and values that are scanned for a log which is refused, because each costs 16 µs. */
const MAX_SCANNED = 10_000;

/** True if a value has more than `MAX_SCANNED` names and values. */
function isTooLong(value: Json): boolean {
  const waiting: Json[] = [value];
  for (let count = 0; count <= MAX_SCANNED; count += 1) {
    const next = waiting.pop();
    if (next === undefined) return false;
    if (typeof next !== 'object' || next === null) continue;
    const items = Object.values(next);
    if (!Array.isArray(next)) count += items.length;
    if (count + items.length > MAX_SCANNED) return true;
    for (const item of items) waiting.push(item);
  }
  return true;
}

export interface Suspect {
  readonly fault: QuarantineFault;
  readonly log_id: unknown;
  readonly reason: string;
  readonly content: Json;
  readonly submitted_by: string | null;
  /** The time at which the check failed, ISO 8601 UTC. */
  readonly at: string;
}

/**
 * Returns the id under which the entry is listed. A forged row needs an id even if its own id is
 * invalid.
 */
function nameable(log_id: unknown, fault: QuarantineFault, rules: RuleSet): string | null {
  if (isLogId(log_id)) return log_id;
  const isRow = fault === 'forged' && typeof log_id === 'string';
  return isRow && scanId(log_id, rules).outcome === 'clear' ? log_id : null;
}

/**
 * Stores invalid logs and rows without their personal data, so that people can inspect them (SPEC L5,
 * P3).
 */
@Injectable()
export class Quarantine {
  constructor(
    @Inject(QUARANTINE_STORE) private readonly store: QuarantineStore,
    @Inject(ARTIFACTS) private readonly artifacts: ArtifactStore,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly metrics: Metrics,
    @Inject(PRIVACY_RULES) private readonly rules: RuleSet,
  ) {}

  /**
   * Quarantines a log or row under the identity of the command that brought it, so a retry adds nothing.
   * Returns the event's commit position, and whether an earlier command of this identity has appended it.
   */
  async put(
    suspect: Suspect,
    identity: CommandIdentity,
  ): Promise<{
    readonly quarantine_id: string;
    readonly position: bigint;
    readonly repeated: boolean;
  }> {
    const { fault, log_id, reason, content, submitted_by, at } = suspect;
    const quarantine_id = seededUuid([identity.command_id, 'quarantine']);
    const { repeated, position } = await this.store.execute(
      quarantineStream(quarantine_id),
      [
        {
          type: 'quarantine',
          quarantine_id,
          fault,
          log_id: nameable(log_id, fault, this.rules),
          reason,
          at,
          submitted_by,
          content_hash: this.keyedHash(content),
          content: await this.kept(content),
        },
      ],
      identity,
    );
    if (!repeated) this.metrics.logsQuarantined.inc({ fault });
    return { quarantine_id, position, repeated };
  }

  /** Returns the content that may be stored. Content that is too long or cannot be scanned is left out (SPEC P2). */
  private async kept(content: Json): Promise<JsonObject> {
    if (isTooLong(content)) return {};
    const clean = await this.redacted(content);
    if (clean === undefined) return {};
    if (canonicalSize(clean) <= CONTENT_BYTES) return { content: clean };
    try {
      return { artifact_url: await this.artifacts.put(canonicalJson(clean)) };
    } catch (cause) {
      if (cause instanceof ArtifactsUnavailable) return {};
      throw cause;
    }
  }

  /**
   * Redacts a version of a row. Recorded and found versions are redacted by the same rules. Returns
   * undefined if the version cannot be scanned.
   */
  async redacted<Value extends Json>(value: Value): Promise<Value | undefined> {
    try {
      return await inSlices(logRedactor(this.keyedHash, this.rules).slicedJson(value, 'content'));
    } catch (cause) {
      if (cause instanceof LogProblem) return undefined;
      throw cause;
    }
  }
}
