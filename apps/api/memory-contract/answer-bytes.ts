import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LruMap } from '#bounded/lru-map.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { MemoryTrace } from '#domain/memory-contract/events.js';
import { type MemoryItem, withMeta } from '#domain/memory-contract/item.js';
import type { PolicySnapshot } from '#domain/memory-contract/policy.js';
import { withItems } from '#domain/memory-contract/short-term/summary-chain.js';
import { traceOf } from '#domain/memory-contract/trace/trace.js';
import { canonicalBytes } from '../platform/http/json-bytes.js';

/** The answer to a recall or an interaction (SPEC M20). */
type MemoryAnswer = (
  { readonly items: readonly MemoryItem[] } | { readonly written: readonly MemoryItem[] }
) & { readonly trace: readonly MemoryTrace[] };

interface WrittenList {
  readonly list: readonly string[];
  readonly bytes: Buffer;
}

const MAX_BYTES = 32 * 1024 * 1024;
/** A shorter list is written as quickly as it is looked up. */
const MIN_LENGTH = 200;

/** Stands for a list until its bytes are put in. No value that the service takes holds U+0000. */
const hole = (index: number): string => `\u0000${index}`;
const HOLES = /\["\\u0000(\d+)"\]/;

/**
 * Writes the answers of recalls and interactions as canonical JSON, as every write has it. Nearly all of an answer is the
 * list of turns of the summary, twice; the list only grows, so the bytes of its old turns are kept.
 */
@Injectable()
export class AnswerBytes {
  /** The last list of each summary, by its first turn. */
  private readonly lists = new LruMap<string, WrittenList>({
    maxBytes: MAX_BYTES,
    bytesOf: ({ list, bytes }) => bytes.length + 8 * list.length,
  });

  /**
   * Returns the bytes of an answer. They are made in the next turn of the event loop, so that the append is sent first and
   * the event store writes to disk meanwhile (apps/api/platform/README.md has the figure).
   */
  of(answer: MemoryAnswer, policy: PolicySnapshot): Promise<Buffer> {
    const bytes = nextTurn().then(() => this.write(answer, policy));
    // The caller handles a failure when it awaits the bytes. Without this handler, a failure before that
    // would end the process.
    bytes.catch(() => undefined);
    return bytes;
  }

  private write({ trace, ...answer }: MemoryAnswer, policy: PolicySnapshot): Buffer {
    const lists: Buffer[] = [];
    const withHole = (item: MemoryItem): MemoryItem => {
      const { summary_of: list } = item.meta;
      if (list === undefined || list.length < MIN_LENGTH) return item;
      return withMeta(item, { summary_of: [hole(lists.push(this.bytesOf(list)) - 1)] });
    };
    const text = canonicalJson({
      ...('items' in answer
        ? { items: answer.items.map(withHole) }
        : { written: answer.written.map(withHole) }),
      trace: trace.map((event) => traceOf(withItems(event, withHole), policy)),
    });
    const parts = text.split(HOLES);
    return Buffer.concat(
      parts.map((part, at) => (at % 2 === 1 ? lists[Number(part)]! : Buffer.from(part))),
    );
  }

  private bytesOf(list: readonly string[]): Buffer {
    const [first = ''] = list;
    const known = this.lists.get(first);
    if (known?.list === list) return known.bytes;
    const isKnown = known !== undefined && startsWith(list, known.list);
    const bytes = isKnown ? longer(known, list) : canonicalBytes(list);
    this.lists.set(first, { list, bytes });
    return bytes;
  }
}

const startsWith = (list: readonly string[], start: readonly string[]): boolean =>
  start.length <= list.length && start.every((item, place) => item === list[place]);

/** Returns the bytes of a list that starts with a known one, which is not empty. */
function longer({ list: start, bytes }: WrittenList, list: readonly string[]): Buffer {
  if (start.length === list.length) return bytes;
  const added = canonicalBytes(list.slice(start.length));
  added[0] = COMMA;
  return Buffer.concat([bytes.subarray(0, -1), added]);
}

const COMMA = ','.charCodeAt(0);
