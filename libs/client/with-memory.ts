import type { MaceClient } from './mace-client.js';
import type { AskRecall, MemoryItem, MemoryRequest, RecordInteraction } from './memory.js';

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
    { onMemoryError, memory = DEFAULT_MEMORY, ...request }: ChatOptions,
  ) {
    this.#request = { ...request, memory };
    this.#onMemoryError = onMemoryError;
  }

  /**
   * Takes one turn, and returns the model's answer. If the model streams, returns a stream of the same
   * pieces, and records the turn when the stream has been read to its end. If the model fails, nothing is
   * recorded, and the call or the stream fails with its error.
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
    const items = await this.#recall(userText, options);
    const answer = await model({ userText, items, prompt: promptOf(items) });
    if (typeof answer !== 'string') return this.#recorded(userText, answer, options);
    await this.#record(userText, answer, options);
    return answer;
  }

  async *#recorded(
    userText: string,
    pieces: AsyncIterable<string>,
    options: TurnOptions,
  ): AsyncGenerator<string, void, undefined> {
    let text = '';
    for await (const piece of pieces) {
      text += piece;
      yield piece;
    }
    await this.#record(userText, text, options);
  }

  async #recall(query: string, { phase, signal }: TurnOptions): Promise<readonly MemoryItem[]> {
    const asked: AskRecall = { ...this.#request, ...(phase && { phase }), query, trace: false };
    const recall = () => this.mace.memory.recall(asked, signal && { signal });
    return (await this.#tried(recall))?.items ?? [];
  }

  async #record(
    user_text: string,
    ai_text: string,
    { toolEvents, phase, signal }: TurnOptions,
  ): Promise<void> {
    const said: RecordInteraction = {
      ...this.#request,
      ...(phase && { phase }),
      ...(toolEvents && { tool_events: toolEvents }),
      user_text,
      ai_text,
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

type Answer = string | AsyncIterable<string>;

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
