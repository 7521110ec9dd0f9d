import { Injectable } from '@nestjs/common';
import type { Held } from '#domain/held.js';
import type { Json } from '#domain/json.js';
import { NOTE_NAME, NOTE_VALUE } from '#domain/note/limits.js';
import type { NoteName } from '#domain/note/events.js';
import { nameFrom } from '#domain/note/name.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';

interface ClearNote {
  readonly owner: string;
  readonly namespace: readonly string[];
  readonly key: string;
  readonly value: Json;
}

/** Seals the personal data of a note under the key of its owner: in its value, its namespace and its key (SPEC P3). */
@Injectable()
export class NoteGate {
  constructor(private readonly gate: PrivacyGate) {}

  /**
   * Returns a note as the log may hold it. Fails with `KeysUnavailable`. @throws Refusal PRIVACY_BLOCKED for what
   * cannot be scanned
   */
  async noteOf({ owner, namespace, key, value }: ClearNote): Promise<NoteName & Held> {
    const name = nameFrom(
      owner,
      await this.gate.held(owner, namespace, NOTE_NAME),
      await this.gate.held(owner, key, NOTE_NAME),
    );
    // The key is the field's name, by which the rules recognise a value such as a password.
    return { ...name, ...(await this.gate.held(owner, value, NOTE_VALUE, key)) };
  }
}
