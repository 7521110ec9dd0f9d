import { Injectable } from '@nestjs/common';
import { fewAtOnce } from '#bounded/few-at-once.js';
import { canonicalJson, canonicalSize } from '#domain/determinism/canonical-json.js';
import { Refusal } from '#domain/errors/refusal.js';
import { isSealed } from '#domain/held.js';
import type { Json } from '#domain/json.js';
import { keyIdOf } from '#domain/privacy/key-id.js';
import { limitOf, type SizeLimit } from '#domain/size-limit.js';
import type { Stored } from '#domain/thread/events.js';
import { ArtifactTexts } from '../platform/artifacts/artifact-texts.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import { SealedValues } from '../privacy/sealed-values.js';

/** The maximum canonical bytes of all values in one event. Sealed, they are a third larger. */
const EVENT_BYTES = 600 * 1024;
/** The maximum canonical bytes of a value in an event; the first one with which all values fit is used. */
const INLINE_BYTES = [16 * 1024, 4 * 1024, 512] as const;

/** The limit of a value, which is as large as a body at most. */
const VALUE: SizeLimit = limitOf('a value', 1024 * 1024);

/** A value with the name of the field that contains it. */
interface Labelled {
  readonly label: string;
  readonly value: Json;
}

/** The event that a value is in, for the refusal if its artifact is lost. */
interface Place {
  readonly stream: string;
  readonly number: number;
}

/** Stores the values of checkpoints: in clear or sealed, in the event or, if they are large, as artifacts. */
@Injectable()
export class ThreadValues {
  constructor(
    private readonly gate: PrivacyGate,
    private readonly texts: ArtifactTexts,
    private readonly values: SealedValues,
  ) {}

  /**
   * Returns the values of one event as the log holds them (SPEC P3). An artifact is durable before its event is
   * appended. Fails with `KeysUnavailable`. @throws Refusal PRIVACY_BLOCKED for a value that cannot be scanned, and
   * MEMORY_WRITE_FAIL or STORAGE_FULL for an artifact
   */
  stored(subject: string, values: readonly Labelled[]): Promise<Stored[]> {
    const sizes = values.map(({ value }) => canonicalSize(value));
    const fits = (limit: number): boolean =>
      sizes.reduce((sum, size) => sum + (size > limit ? 0 : size), 0) <= EVENT_BYTES;
    const limit = INLINE_BYTES.find(fits) ?? 0;
    return fewAtOnce(values, (value, place) =>
      this.storedOne(subject, value, sizes[place]! > limit),
    );
  }

  private async storedOne(
    subject: string,
    { label, value }: Labelled,
    isLarge: boolean,
  ): Promise<Stored> {
    if (!isLarge) return this.gate.held(subject, value, VALUE, label);
    const reason = await this.gate.reasonToSeal(value, VALUE, label);
    if (reason === undefined)
      return { value: await this.texts.put(canonicalJson(value)), large: true };
    const { jwe } = await this.gate.seal(subject, value, reason);
    const url = await this.texts.put(jwe);
    // The URL is sealed under the same key, so that an erasure finds the event.
    const sealed = await this.gate.seal(subject, url, reason);
    if (keyIdOf(sealed) !== keyIdOf({ jwe, type: reason.types }))
      return this.storedOne(subject, { label, value }, isLarge);
    return { sealed, large: true };
  }

  /**
   * Returns a value as the caller may see it. Fails with `KeysUnavailable`. @throws Refusal INTEGRITY_FAILURE if its
   * artifact is missing or was changed, and READ_UNAVAILABLE
   */
  async shown(stored: Stored, mayOpen: boolean, place: Place): Promise<Json> {
    const shown = await this.values.shown(stored, mayOpen);
    if (stored.large !== true || typeof shown !== 'string') return shown;
    const text = await this.texts.get(shown);
    if (text === null)
      throw new Refusal('INTEGRITY_FAILURE', {
        ...place,
        reason: 'its artifact is missing or was changed',
      });
    if (!isSealed(stored)) return JSON.parse(text) as Json;
    const { type } = stored.sealed;
    return this.values.shown({ sealed: { jwe: text, type } }, mayOpen);
  }
}
