import type { Json, JsonObject } from '#domain/json.js';
import { uncarriable } from '#domain/determinism/canonical-json.js';
import { NEW_SEED_PATTERN } from '#domain/determinism/ids.js';
import { endOfString } from '#bounded/bounded-json.js';
import { LeftOut } from './left-out.js';

/** A double holds so many decimal digits at most. */
const MAX_DIGITS = 17;

/**
 * Parses JSON, and counts what `JSON.parse` leaves out in silence: fields that a later field of the same name
 * replaces, and digits that a double does not hold. @throws SyntaxError
 */
function parsedJson(text: string, leftOut: LeftOut): Json {
  const value = JSON.parse(text) as Json;
  const { names, rounded } = writtenIn(text);
  leftOut.add('field that another of the same name replaces', names - namesOf(value));
  leftOut.add(`fraction rounded to ${MAX_DIGITS} digits`, rounded);
  return value;
}

/** Counts the names and the too long fractions in a text of valid JSON. */
function writtenIn(text: string): { names: number; rounded: number } {
  let names = 0;
  let rounded = 0;
  for (let start = 0; start <= text.length;) {
    const quote = text.indexOf('"', start);
    const open = quote < 0 ? text.length : quote;
    const between = text.slice(start, open);
    if (/^\s*:/.test(between)) names += 1;
    if (between.length > MAX_DIGITS) {
      for (const [number] of between.matchAll(/[\d.]+/g))
        if (number.includes('.') && significantDigits(number) > MAX_DIGITS) rounded += 1;
    }
    start = endOfString(text, open) + 1;
  }
  return { names, rounded };
}

function significantDigits(fraction: string): number {
  const digits = fraction.replace('.', '');
  let from = 0;
  let to = digits.length;
  while (digits[from] === '0') from += 1;
  while (to > from && digits[to - 1] === '0') to -= 1;
  return to - from;
}

/** Counts the names of all objects in a value. It is iterative, so deep nesting cannot overflow the stack. */
function namesOf(root: Json): number {
  let names = 0;
  const pending: Json[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.values<Json>(value);
    if (!Array.isArray(value)) names += inner.length;
    for (const each of inner) if (typeof each === 'object') pending.push(each);
  }
  return names;
}

export interface ToolCall {
  readonly id: string | null;
  readonly name: string;
  /** The arguments, parsed if they are JSON. */
  readonly arguments: Json;
}

/** One message in the OpenAI chat format, reduced to the parts that the import uses. */
export type Message =
  | { readonly role: 'user' | 'system'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  | {
      readonly role: 'tool';
      readonly name: string | null;
      readonly call_id: string | null;
      /** The tool's answer, parsed if it is JSON. */
      readonly result: Json;
    };

export interface Recording {
  readonly job_seed: string;
  readonly messages: readonly Message[];
  /** The other fields of the line that have plain values, such as `task_id`. */
  readonly about: JsonObject;
  /** How often something of the line is left out, by the reason. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** Thrown for a line that is not a recording. The message states the problem and quotes nothing of the line. */
export class BadLine extends Error {
  override readonly name = 'BadLine';
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses one line of an `openai-chat` file. @throws BadLine. */
export function parseRecording(line: string): Recording {
  const leftOut = new LeftOut();
  const run = jsonOf(line, leftOut);
  if (!isFields(run)) throw new BadLine('not a JSON object');
  const { job_seed, messages, ...others } = run;
  if (typeof job_seed !== 'string' || !NEW_SEED_PATTERN.test(job_seed))
    throw new BadLine('job_seed is missing, or is not 1 to 128 of A-Z a-z 0-9 . _ : -');
  if (!Array.isArray(messages) || messages.length === 0)
    throw new BadLine('messages is missing or empty');
  const reader = new MessageReader(leftOut);
  return {
    job_seed,
    messages: messages.map((message, index) => reader.message(message, index)),
    about: plainFields(others, leftOut),
    leftOut: leftOut.counts(),
  };
}

/** The kinds of message parts without text, by their type. */
const PARTS: Readonly<Record<string, string>> = {
  image_url: 'image',
  input_audio: 'audio',
  file: 'file',
};

/** Reads messages, and counts what it leaves out of them. */
class MessageReader {
  constructor(private readonly leftOut: LeftOut) {}

  message(message: unknown, index: number): Message {
    if (!isFields(message)) throw new BadLine(`messages[${index}] is not an object`);
    switch (message['role']) {
      case 'user':
        this.only(message, ['role', 'content']);
        return { role: 'user', text: this.text(message['content']) };
      case 'system':
      case 'developer':
        this.only(message, ['role', 'content']);
        return { role: 'system', text: this.text(message['content']) };
      case 'assistant':
        this.only(message, ['role', 'content', 'tool_calls']);
        return {
          role: 'assistant',
          text: this.text(message['content']),
          calls: this.list(message['tool_calls']).map((call, at) => this.call(call, index, at)),
        };
      case 'tool':
        this.only(message, ['role', 'content', 'name', 'tool_call_id']);
        return {
          role: 'tool',
          name: this.name(message['name']),
          call_id: this.name(message['tool_call_id']),
          result: this.jsonOrText(this.text(message['content'])),
        };
      default:
        throw new BadLine(`messages[${index}].role is none of user, assistant, tool, system`);
    }
  }

  private call(call: unknown, index: number, at: number): ToolCall {
    const made = isFields(call) ? call['function'] : undefined;
    if (!isFields(call) || !isFields(made) || typeof made['name'] !== 'string')
      throw new BadLine(`messages[${index}].tool_calls[${at}] names no function`);
    this.only(call, ['id', 'type', 'function']);
    this.only(made, ['name', 'arguments']);
    const given = made['arguments'];
    return {
      id: this.name(call['id']),
      name: made['name'],
      arguments: typeof given === 'string' ? this.jsonOrText(given) : ((given ?? null) as Json),
    };
  }

  /** Returns the text of a content field: the text itself, or its text parts joined. */
  private text(content: unknown): string {
    if (typeof content === 'string') return content;
    return this.list(content)
      .flatMap((part) => {
        if (isFields(part) && typeof part['text'] === 'string') {
          this.only(part, ['type', 'text']);
          return [part['text']];
        }
        const type = isFields(part) && typeof part['type'] === 'string' ? part['type'] : '';
        const kind = Object.hasOwn(PARTS, type) ? PARTS[type] : undefined;
        this.leftOut.add(kind ?? 'message part that is not text');
        return [];
      })
      .join('\n');
  }

  private list(value: unknown): readonly unknown[] {
    if (Array.isArray(value)) return value;
    this.requireNone(value);
    return [];
  }

  private name(value: unknown): string | null {
    if (typeof value === 'string') return value;
    this.requireNone(value);
    return null;
  }

  private jsonOrText(text: string): Json {
    try {
      return parsedJson(text, this.leftOut);
    } catch {
      return text;
    }
  }

  private requireNone(value: unknown): void {
    if (value !== undefined && value !== null) this.leftOut.add('message field of a wrong type');
  }

  /** Counts the fields beside those that are read, unless they are empty. */
  private only(fields: Fields, read: readonly string[]): void {
    const others = Object.entries(fields).filter(([name, value]) => {
      return !read.includes(name) && !isEmpty(value);
    });
    this.leftOut.add('message field that is not read', others.length);
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

function jsonOf(text: string, leftOut: LeftOut): unknown {
  try {
    return parsedJson(text, leftOut);
  } catch {
    throw new BadLine('not JSON');
  }
}

const MAX_FIELD = 200;

/** Returns the line's plain fields that an episode can carry. */
function plainFields(fields: Fields, leftOut: LeftOut): JsonObject {
  const plain = Object.entries(fields).filter((field): field is [string, Json] => {
    const problem = fieldProblem(...field);
    if (problem !== undefined) leftOut.add(`field ${problem}`);
    return problem === undefined;
  });
  return Object.fromEntries(plain);
}

function fieldProblem(name: string, value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null) return 'that is a list or an object';
  if (typeof value === 'string' && value.length > MAX_FIELD)
    return `of more than ${MAX_FIELD} characters`;
  return uncarriable([name, value]) === undefined ? undefined : 'that memory cannot carry';
}
