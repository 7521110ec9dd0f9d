import { type EventSchema, input } from '../decider.js';
import type { Sealed } from '../held.js';
import type { KeptBecause } from './kept-sentences.js';

/** Every event of `remembered-<HMAC of owner>`, the memories of one person (SPEC W2). */
export type MemoriesEvent =
  | { readonly type: 'memory_remembered'; readonly data: MemoryWorded }
  | { readonly type: 'memory_reworded'; readonly data: MemoryWorded }
  | { readonly type: 'memory_hidden'; readonly data: MemoryEnded }
  /** The time to live of the memory has passed. */
  | { readonly type: 'memory_lapsed'; readonly data: MemoryEnded };

/** What a memory says, which is always sealed under the person's key. */
export type MemoryWords = {
  /** The text and its tags: `{text, tags}`. Its type is `memory` if the privacy gate found no personal data in it. */
  readonly sealed: Sealed;
  /** An HMAC of the text under the person's key, by which the same text is recognised. */
  readonly fingerprint: string;
  /** An HMAC of each tag under the person's key. */
  readonly tags: readonly string[];
};

export type MemoryWorded = MemoryWords & {
  readonly memory_id: string;
  readonly version: number;
  /** `user:<id>`, or `sub:<sub>` for an agent without a user. */
  readonly owner: string;
  readonly created_at: string;
  readonly at: string;
  readonly expires_at: string | null;
  /** Which rule kept the sentence, or found an instruction in a text that was given; null for any other. */
  readonly kept: KeptBy | null;
};

export type KeptBy = { readonly rules: number; readonly because: KeptBecause };

export type MemoryEnded = {
  readonly memory_id: string;
  /** The version that ended. */
  readonly version: number;
  readonly at: string;
};

export const memoriesSchemas: Readonly<Record<MemoriesEvent['type'], EventSchema>> = {
  memory_remembered: input,
  memory_reworded: input,
  memory_hidden: input,
  memory_lapsed: input,
};

/** The type of a sealed memory in which the privacy gate found no personal data. */
export const PLAIN_MEMORY = 'memory';
