import { Injectable } from '@nestjs/common';
import { type Held, isSealed } from '#domain/held.js';
import type { Json } from '#domain/json.js';
import type { NotePut } from '#domain/note/events.js';
import { keyOf, namespaceOf } from '#domain/note/name.js';
import { redactedText } from '#domain/privacy/withheld.js';
import { heldIn, type NoteRow, partIn } from '#projections/notes/notes.projection.js';
import { SealedValues } from '../privacy/sealed-values.js';
import type { NoteDto } from './note-view.js';

/** The parts of a note that may be sealed. */
export interface NoteParts {
  readonly namespace: Held;
  readonly key: Held;
  readonly value: Held;
}

type NoteFacts = Omit<NoteDto, keyof NoteParts>;

/** Shows notes. Their owner sees sealed parts opened; others see them redacted (SPEC P3). */
@Injectable()
export class ShownNotes {
  constructor(private readonly values: SealedValues) {}

  /** Returns a note of the log. */
  put(stream: string, version: number, put: NotePut, mayOpen: boolean): Promise<NoteDto> {
    const { created_at, updated_at, expires_at } = put;
    const facts = { created_at, updated_at, version, expires_at, stream };
    return this.shown({ namespace: namespaceOf(put), key: keyOf(put), value: put }, facts, mayOpen);
  }

  /** Returns a note of the read model. */
  row(row: NoteRow, mayOpen: boolean): Promise<NoteDto> {
    const { created_at, updated_at, version, expires_at, stream } = row;
    const parts = {
      namespace: partIn(row.namespace, row.sealed_namespace),
      key: partIn(row.key, row.sealed_key),
      value: heldIn(row),
    };
    return this.shown(parts, { created_at, updated_at, version, expires_at, stream }, mayOpen);
  }

  /** Returns a note's value as the caller may see it. */
  value(held: Held, mayOpen: boolean): Promise<Json> {
    return this.values.shown(held, mayOpen);
  }

  /** Returns a namespace; undefined if the caller may not see it, or it was erased. */
  async namespace(held: Held, mayOpen: boolean): Promise<readonly string[] | undefined> {
    if (!isSealed(held)) return held.value as readonly string[];
    const shown = mayOpen ? await this.values.shown(held, true) : null;
    return Array.isArray(shown) ? (shown as readonly string[]) : undefined;
  }

  private async shown(parts: NoteParts, facts: NoteFacts, mayOpen: boolean): Promise<NoteDto> {
    const { namespace, key, value } = parts;
    const clearKey = isSealed(key) && !mayOpen ? undefined : await this.values.shown(key, true);
    return {
      namespace: (await this.namespace(namespace, mayOpen)) ?? [await this.withheld(namespace)],
      key: typeof clearKey === 'string' ? clearKey : await this.withheld(key),
      value: await this.values.shown(value, mayOpen),
      ...facts,
    };
  }

  /** Returns the text that stands for a sealed name. */
  private async withheld(held: Held): Promise<string> {
    const shown = await this.values.shown(held, false);
    const isErased = typeof shown === 'object' && shown !== null && 'erased' in shown;
    return isErased || !isSealed(held) ? '[ERASED]' : redactedText(held.sealed.type);
  }
}
