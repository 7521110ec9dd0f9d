import type { Json, JsonObject } from '#domain/json.js';
import { NEW_SEED_PATTERN } from '#domain/determinism/ids.js';

/** A tool call by an assistant. */
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

/** One recorded run. */
export interface Recording {
  readonly job_seed: string;
  readonly messages: readonly Message[];
  /** The other fields of the line that have plain values, such as `task_id`. */
  readonly about: JsonObject;
}

/**
 * Thrown for a line that is not a recording. The message states the problem and quotes nothing of the
 * line.
 */
export class BadLine extends Error {
  override readonly name = 'BadLine';
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses one line of an `openai-chat` file. @throws BadLine. */
export function parseRecording(line: string): Recording {
  const run = jsonOf(line);
  if (!isFields(run)) throw new BadLine('not a JSON object');
  const { job_seed, messages, ...others } = run;
  if (typeof job_seed !== 'string' || !NEW_SEED_PATTERN.test(job_seed))
    throw new BadLine('job_seed is missing, or is not 1 to 128 of A-Z a-z 0-9 . _ : -');
  if (!Array.isArray(messages) || messages.length === 0)
    throw new BadLine('messages is missing or empty');
  return { job_seed, messages: messages.map(messageOf), about: plainFields(others) };
}

function messageOf(message: unknown, index: number): Message {
  if (!isFields(message)) throw new BadLine(`messages[${index}] is not an object`);
  switch (message['role']) {
    case 'user':
      return { role: 'user', text: textOf(message['content']) };
    case 'system':
    case 'developer':
      return { role: 'system', text: textOf(message['content']) };
    case 'assistant':
      return {
        role: 'assistant',
        text: textOf(message['content']),
        calls: listOf(message['tool_calls']).map((call, at) => callOf(call, index, at)),
      };
    case 'tool':
      return {
        role: 'tool',
        name: nameOf(message['name']),
        call_id: nameOf(message['tool_call_id']),
        result: jsonOrText(textOf(message['content'])),
      };
    default:
      throw new BadLine(`messages[${index}].role is none of user, assistant, tool, system`);
  }
}

function callOf(call: unknown, index: number, at: number): ToolCall {
  const made = isFields(call) ? call['function'] : undefined;
  if (!isFields(call) || !isFields(made) || typeof made['name'] !== 'string')
    throw new BadLine(`messages[${index}].tool_calls[${at}] names no function`);
  const given = made['arguments'];
  return {
    id: nameOf(call['id']),
    name: made['name'],
    arguments: typeof given === 'string' ? jsonOrText(given) : ((given ?? null) as Json),
  };
}

/** Returns the text of a content field: the text itself, or its text parts joined. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .flatMap((part) => (isFields(part) && typeof part['text'] === 'string' ? [part['text']] : []))
    .join('\n');
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const nameOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadLine('not JSON');
  }
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Returns the line's fields with plain values. Lists and objects are left out. */
const plainFields = (fields: Fields): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, Json] =>
        field[1] === null ||
        ['boolean', 'number'].includes(typeof field[1]) ||
        (typeof field[1] === 'string' && field[1].length <= 200),
    ),
  );
