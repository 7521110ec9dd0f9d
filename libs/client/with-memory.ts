import { requireArguments, requireKnownOptions } from './arguments.js';
import type { MaceClient } from './mace-client.js';
import type { AskRecall, MemoryItem, MemoryRequest, RecordInteraction } from './memory-contract.js';
import { recordOf } from './records.js';
import type { Json } from './json.js';
import { carriableText, cutText } from './texts.js';
import { TEXT_LENGTH, TOOL_EVENTS } from './limits.js';

/** The fields of the Memory Contract's requests. `memory` defaults to 20 turns, semantic and profile memory. */
export interface ChatOptions extends Omit<MemoryRequest, 'memory'> {
  readonly memory?: MemoryRequest['memory'];
  /**
   * Called with the error if the memory fails; the turn then goes on without memory. By default, the turn
   * fails with the error.
   */
  readonly onMemoryError?: (error: unknown) => void;
}

/** What is recalled for a turn, before the model is called. */
export interface RecalledTurn {
  readonly userText: string;
  /** The recalled items: the recent turns, then what was kept for longer, then the user's profile. */
  readonly items: readonly MemoryItem[];
  /** The recalled items as text for a system prompt; empty if nothing was recalled. */
  readonly prompt: string;
}

export interface TurnOptions {
  /** What tools have done in this turn; it is recorded with it. */
  readonly toolEvents?: RecordInteraction['tool_events'];
  readonly phase?: RecordInteraction['phase'];
  readonly signal?: AbortSignal;
}

const answers = new WeakMap<object, string>();

/**
 * Returns the model's answer in a turn that failed because the memory failed; undefined for any other error. The error
 * of a streamed answer has none, because its pieces were passed on.
 */
export const answerOfFailedTurn = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null ? answers.get(error) : undefined;

const CHAT_OPTIONS = {
  assistant: 'text',
  session_id: 'text',
  user_id: 'text?',
  project_root: 'text?',
  memory: 'object?',
  onMemoryError: 'function?',
} as const;
const DEFAULT_MEMORY = { short_term: 20, semantic: true, profile: true };

/**
 * A chat with memory. Each turn recalls before the model is called, and records the user's text and the
 * model's answer after it.
 *
 * ```ts
 * const chat = withMemory(mace, { assistant: 'helper', session_id: 'ada-1', user_id: 'ada' });
 * const answer = await chat.turn('What do I like?', ({ prompt, userText }) => model(prompt, userText));
 * ```
 */
export const withMemory = (mace: Pick<MaceClient, 'memory'>, options: ChatOptions): Chat =>
  new Chat(mace, options);

export class Chat {
  readonly #request: MemoryRequest;
  readonly #onMemoryError: ((error: unknown) => void) | undefined;

  constructor(
    private readonly mace: Pick<MaceClient, 'memory'>,
    options: ChatOptions,
  ) {
    requireArguments(options, CHAT_OPTIONS, 'options');
    const { onMemoryError, memory = DEFAULT_MEMORY, ...request } = options;
    this.#request = { ...request, memory };
    this.#onMemoryError = onMemoryError;
  }

  /**
   * Takes one turn, and returns the model's answer. If the model streams, returns a stream of the same
   * pieces, and records the turn when the stream has been read to its end. If the model fails, nothing is
   * recorded, and the call or the stream fails with its error; an answer or a piece that is not a text is a
   * MaceArgumentError. A text that cannot be stored as it is does not fail the
   * turn: characters are replaced, what is longer than 16,384 characters is cut, and `turn_altered` in the record
   * of the turn counts them. If the memory fails after the model has answered, `answerOfFailedTurn` returns the answer.
   */
  async turn(
    userText: string,
    model: (turn: RecalledTurn) => string | Promise<string>,
    options?: TurnOptions,
  ): Promise<string>;
  async turn(
    userText: string,
    model: (turn: RecalledTurn) => AsyncIterable<string> | Promise<AsyncIterable<string>>,
    options?: TurnOptions,
  ): Promise<AsyncIterable<string>>;
  async turn(
    userText: string,
    model: (turn: RecalledTurn) => Answer | Promise<Answer>,
    options: TurnOptions = {},
  ): Promise<Answer> {
    requireArguments({ userText, model }, { userText: 'text', model: 'function' });
    requireKnownOptions(options, ['toolEvents', 'phase', 'signal']);
    const items = await this.#recall(userText, options);
    const answer = await model({ userText, items, prompt: promptOf(items) });
    if (isStream(answer)) return this.#recorded(userText, answer, options);
    requireArguments({ answer }, { answer: 'text' });
    try {
      await this.#record(userText, answer, options);
    } catch (error) {
      if (typeof error === 'object' && error !== null) answers.set(error, answer);
      throw error;
    }
    return answer;
  }

  async *#recorded(
    userText: string,
    pieces: AsyncIterable<string>,
    options: TurnOptions,
  ): AsyncGenerator<string, void, undefined> {
    let text = '';
    for await (const piece of pieces) {
      requireArguments({ piece }, { piece: 'text' });
      text += piece;
      yield piece;
    }
    await this.#record(userText, text, options);
  }

  async #recall(query: string, { phase, signal }: TurnOptions): Promise<readonly MemoryItem[]> {
    const { text } = storable(query);
    const asked: AskRecall = {
      ...this.#request,
      ...(phase && { phase }),
      query: text,
      trace: false,
    };
    const recall = () => this.mace.memory.recall(asked, signal && { signal });
    return (await this.#tried(recall))?.items ?? [];
  }

  async #record(
    userText: string,
    aiText: string,
    { toolEvents, phase, signal }: TurnOptions,
  ): Promise<void> {
    const [user, ai, tools] = [storable(userText), storable(aiText), storableEvents(toolEvents)];
    const turn_altered = {
      ...(user.isAltered && { user_text: user.altered }),
      ...(ai.isAltered && { ai_text: ai.altered }),
      ...(tools.isAltered && { tool_events: tools.altered }),
    };
    const said: RecordInteraction = {
      ...this.#request,
      ...(phase && { phase }),
      ...(toolEvents !== undefined && { tool_events: tools.events }),
      ...(Object.keys(turn_altered).length > 0 && { turn_altered }),
      user_text: user.text,
      ai_text: ai.text,
    };
    await this.#tried(() => this.mace.memory.interactions(said, signal && { signal }));
  }

  async #tried<Result>(call: () => Promise<Result>): Promise<Result | undefined> {
    if (this.#onMemoryError === undefined) return call();
    try {
      return await call();
    } catch (error) {
      this.#onMemoryError(error);
      return undefined;
    }
  }
}

/** Returns a text as the service stores it, with the numbers of characters that were replaced and cut. */
function storable(given: string) {
  const { text: carried, replaced } = carriableText(given);
  const { text, cut } = cutText(carried, TEXT_LENGTH);
  return { text, altered: { replaced, cut }, isAltered: replaced > 0 || cut > 0 };
}

/** Returns what tools have done as far as it fits, with the numbers of what was left out, replaced and cut. */
function storableEvents(given: readonly Json[] = []) {
  const kept = given.filter(isCarriable).slice(0, TOOL_EVENTS.count);
  const { events, ...changed } = fitted(kept, TOOL_EVENTS.bytes);
  const altered = { left_out: given.length - kept.length, ...changed };
  return { events, altered, isAltered: Object.values(altered).some((count) => count > 0) };
}

/** Returns entries that together are not too large, the largest cut, and how many characters were replaced and cut. */
function fitted(entries: readonly Json[], maxBytes: number) {
  const record = recordOf({ entries }, { maxBytes }) as {
    readonly entries: Json;
    readonly $mace_carried?: { readonly replaced: number; readonly cut: number };
  };
  const { entries: kept, $mace_carried: counts = { replaced: 0, cut: 0 } } = record;
  return { events: (Array.isArray(kept) ? kept : [kept]) as Json[], ...counts };
}

function isCarriable(event: unknown): boolean {
  try {
    recordOf(event);
    return true;
  } catch {
    return false;
  }
}

type Answer = string | AsyncIterable<string>;

const isStream = (answer: Answer): answer is AsyncIterable<string> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;

/** Returns an item's text; for an item of the profile with its name, such as `timezone: CET`. */
function namedText({ kind, text, meta }: MemoryItem): string {
  const key = kind === 'profile' ? meta['dedup_key'] : undefined;
  return typeof key === 'string' ? `${key.replace(/^fact:/, '')}: ${text}` : text;
}

/** Returns the items as text: what is known for longer first, then the conversation. */
function promptOf(items: readonly MemoryItem[]): string {
  const known = items
    .filter(({ kind }) => kind !== 'short_term')
    .map((item) => `- ${namedText(item)}`);
  const said = items
    .filter(({ kind }) => kind === 'short_term')
    .map(({ source, text }) => `${source}: ${text}`);
  return [
    ...(known.length === 0 ? [] : ['What you remember:', ...known]),
    ...(said.length === 0 ? [] : ['The conversation so far:', ...said]),
  ].join('\n');
}
