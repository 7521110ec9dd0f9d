import type { JsonObject } from '#domain/json.js';
import { idsJson } from '#domain/memory-contract/id-lists.js';
import type { MemoryItem } from '#domain/memory-contract/item.js';
import type { PolicySnapshot } from '#domain/memory-contract/policy.js';
import { WrittenJson } from '../platform/http/answer.js';

/** What a request answers, under `items` or `written`, and what was decided on the way. */
export type MemoryAnswer = { readonly trace: readonly JsonObject[] } & (
  { readonly items: readonly MemoryItem[] } | { readonly written: readonly MemoryItem[] }
);

/**
 * An answer as `JSON.stringify` would write it, byte for byte. Most of what it says was said in the answer
 * before: the turns of the summary, and the policy.
 */
export function answerJson({ trace, ...items }: MemoryAnswer): WrittenJson {
  const writer = new AnswerWriter();
  writer.object({ ...items, trace }, (key, value) => {
    if (key === 'trace') writer.list(trace, (event) => writer.event(event));
    else writer.items(value as readonly MemoryItem[]);
  });
  return new WrittenJson(writer.bytes());
}

class AnswerWriter {
  private readonly parts: Buffer[] = [];
  private text = '';

  bytes(): Buffer {
    this.parts.push(Buffer.from(this.text));
    return Buffer.concat(this.parts);
  }

  /** Its keys are names of the contract. */
  object(object: object, write: (key: string, value: unknown) => void): void {
    let mark = '{';
    for (const [key, value] of Object.entries(object)) {
      if (value === undefined) continue;
      this.text += `${mark}"${key}":`;
      write(key, value);
      mark = ',';
    }
    this.text += mark === '{' ? '{}' : '}';
  }

  list<Value>(values: readonly Value[], write: (value: Value) => void): void {
    this.text += '[';
    values.forEach((value, place) => {
      if (place > 0) this.text += ',';
      write(value);
    });
    this.text += ']';
  }

  items(items: readonly MemoryItem[]): void {
    this.list(items, (item) => this.item(item));
  }

  event(event: JsonObject): void {
    this.object(event, (key, value) => {
      if (key === 'recalled' || key === 'written') this.items(value as readonly MemoryItem[]);
      else if (key === 'policy_snapshot') this.text += policyJson(value as PolicySnapshot);
      else this.value(value);
    });
  }

  private item(item: MemoryItem): void {
    const { summary_of } = item.meta;
    if (summary_of === undefined) return this.value(item);
    this.object(item, (name, value) => {
      if (name !== 'meta') return this.value(value);
      this.object(item.meta, (key, one) => {
        if (key === 'summary_of') this.ids(summary_of);
        else this.value(one);
      });
    });
  }

  private ids(ids: readonly string[]): void {
    this.parts.push(Buffer.from(`${this.text}[`), idsJson(ids));
    this.text = ']';
  }

  private value(value: unknown): void {
    this.text += JSON.stringify(value);
  }
}

const policies = new WeakMap<PolicySnapshot, string>();

/** Nearly every event of a trace shows the whole policy, which is the same in every request. */
function policyJson(policy: PolicySnapshot): string {
  const known = policies.get(policy);
  if (known !== undefined) return known;
  const text = JSON.stringify(policy);
  policies.set(policy, text);
  return text;
}
