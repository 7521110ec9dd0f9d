import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Sealed } from '#domain/held.js';
import type { JsonObject } from '#domain/json.js';
import { type MemoryWords, PLAIN_MEMORY } from '#domain/memories/events.js';
import { MEMORY_WORDS } from '#domain/memories/limits.js';
import { redactedText } from '#domain/privacy/withheld.js';
import { fewAtOnce } from '#bounded/few-at-once.js';
import type { MemoryRow } from '#projections/memories/memories.projection.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import { LOGGER } from '../platform/tokens.js';
import { type Found, PrivacyGate } from '../privacy/privacy-gate.js';
import type { RememberedDto } from './memory-view.js';

/** The text and the tags of a memory. */
export interface Words {
  readonly text: string;
  readonly tags: readonly string[];
}

/** White space and Unicode forms do not tell two memories apart. */
const folded = (text: string): string => text.normalize('NFC').replace(/\s+/gu, ' ').trim();

/** Seals what memories say under the key of their person, and opens it again (SPEC W2, P5). */
@Injectable()
export class SealedMemories {
  constructor(
    private readonly keys: SubjectKeys,
    private readonly gate: PrivacyGate,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Returns what the gate finds in a text and its tags; undefined if it finds nothing. @throws Refusal INVALID_INPUT beyond
   * the limit, and PRIVACY_BLOCKED if they cannot be scanned
   */
  inspect({ text, tags }: Words): Promise<Found | undefined> {
    return this.gate.inspect(tags.length === 0 ? text : [text, ...tags], MEMORY_WORDS);
  }

  /** Seals a memory. Fails with `KeysUnavailable`. @param found what the gate found in its text */
  async seal(
    owner: string,
    { text, tags }: Words,
    found: Pick<Found, 'types'> | undefined,
  ): Promise<MemoryWords> {
    const types = found?.types ?? PLAIN_MEMORY;
    const sealed = await this.keys.seal(owner, { text, tags }, types);
    return { sealed, ...(await this.fingerprints(owner, text, tags)) };
  }

  /** Returns the fingerprints of tags, sorted; undefined without tags. A person without a key gets one. */
  async tagsOf(
    owner: string,
    tags: readonly string[] | undefined,
  ): Promise<readonly string[] | undefined> {
    if (tags === undefined || tags.length === 0) return undefined;
    return (await this.fingerprints(owner, '', tags)).tags;
  }

  /** Returns the fingerprint of a text under the present key of a person. */
  async fingerprintOf(owner: string, text: string): Promise<string> {
    return (await this.fingerprints(owner, text, [])).fingerprint;
  }

  private async fingerprints(owner: string, text: string, tags: readonly string[]) {
    const of = await this.keys.fingerprints(owner);
    return {
      fingerprint: of(canonicalJson(['text', folded(text)])),
      tags: [...new Set(tags.map((tag) => of(canonicalJson(['tag', folded(tag)]))))].sort(),
    };
  }

  /** Returns the id of a person's key; undefined for a person without a key, who has no memories. Fails with `KeysUnavailable`. */
  kidOf(owner: string): Promise<string | undefined> {
    return this.keys.currentKid(owner);
  }

  /** Returns what a memory says; undefined if it was erased. Fails with `KeysUnavailable`. */
  async opened({ sealed }: Pick<MemoryRow, 'sealed'>): Promise<Words | undefined> {
    const found = await this.keys.open(JSON.parse(sealed) as Sealed);
    if (!('value' in found)) return undefined;
    const { text, tags } = found.value as JsonObject;
    return { text: text as string, tags: tags as readonly string[] };
  }

  /** Returns what others see of a memory; undefined if it was erased. */
  private async redacted({ sealed }: MemoryRow): Promise<Words | undefined> {
    const held = JSON.parse(sealed) as Sealed;
    if (await this.keys.isErased(held)) return undefined;
    return { text: redactedText(held.type), tags: [] };
  }

  /** Returns a memory as a reader sees it; undefined if it was erased. @throws Refusal INTEGRITY_FAILURE if it is damaged */
  async one(row: MemoryRow, mayOpen: boolean): Promise<RememberedDto | undefined> {
    const words = mayOpen ? await this.opened(row) : await this.redacted(row);
    return words && { ...factsOf(row), ...words };
  }

  /** Returns memories as a reader sees them, without those that were erased. A damaged one does not hide the others. */
  async shown(rows: readonly MemoryRow[], mayOpen: boolean): Promise<RememberedDto[]> {
    const all = await fewAtOnce(rows, async (row) => {
      try {
        return await this.one(row, mayOpen);
      } catch (cause) {
        return this.damaged(row, cause);
      }
    });
    return all.filter((one) => one !== undefined);
  }

  /** Returns a memory whose words cannot be read, and says so in the log. @throws any other failure */
  private damaged(row: MemoryRow, cause: unknown): RememberedDto {
    const isDamaged =
      cause instanceof SyntaxError ||
      (cause instanceof Refusal && cause.code === 'INTEGRITY_FAILURE');
    if (!isDamaged) throw cause;
    const { memory_id, stream } = row;
    this.logger.error({ type: 'memory_damaged', memory_id, stream }, 'A memory cannot be read.');
    return { ...factsOf(row), text: '[DAMAGED]', tags: [], damaged: true };
  }
}

const factsOf = (row: MemoryRow): Omit<RememberedDto, keyof Words> => ({
  ...{ id: row.memory_id, version: row.version, kept_because: row.because },
  ...{ created_at: row.created_at, updated_at: row.updated_at, expires_at: row.expires_at },
});
