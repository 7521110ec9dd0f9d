import { Inject, Injectable } from '@nestjs/common';
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { openText, sealText } from '#subject-keys/sealed-text.js';
import { CONFIG } from '../tokens.js';
import { notACursor } from './cursor.js';

/** A cursor shows no more of its place than in how many blocks of so many bytes it fits. */
const BLOCK_BYTES = 256;

/** The lists whose pages can end at a row that the caller may not read. */
export type SealedList = 'memory stores' | 'memory sessions';

/**
 * Makes cursors that callers can neither read nor choose, for lists that look at rows that the caller may not read.
 * Each list has a key of its own, so no cursor is a place in another list.
 */
@Injectable()
export class SealedCursors {
  private readonly secrets: readonly [string, ...string[]];

  constructor(
    @Inject(CONFIG)
    { sealingKey, oldSealingKeys }: Pick<ServiceConfig, 'sealingKey' | 'oldSealingKeys'>,
  ) {
    this.secrets = [sealingKey, ...oldSealingKeys];
  }

  /** Returns a place in a list as the text that the caller sends back. */
  seal(list: SealedList, place: string): string {
    const bytes = Buffer.byteLength(place) + 1;
    const padding = ' '.repeat(Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES - bytes);
    return sealText(`${padding}\n${place}`, keyOf(this.secrets[0], list), 'cursor');
  }

  /** Returns the place in a cursor. @throws Refusal INVALID_INPUT if it was not made for the list */
  open(list: SealedList, cursor: string): string {
    for (const secret of this.secrets) {
      const text = opened(cursor, keyOf(secret, list));
      if (text !== undefined) return text.slice(text.indexOf('\n') + 1);
    }
    throw notACursor();
  }
}

const keyOf = (secret: string, list: SealedList): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `mace cursors of ${list}`, 32)));

function opened(cursor: string, key: KeyObject): string | undefined {
  try {
    return openText(cursor, key);
  } catch {
    return undefined;
  }
}
