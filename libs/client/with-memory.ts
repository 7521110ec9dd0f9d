import type { ArgumentKind } from './argument-kinds.js';
import { MaceArgumentError, requireArguments, requireOptions } from './arguments.js';
import type { MaceClient } from './mace-client.js';
import type { Recall } from './memories.js';
import type { AskRecall, MemoryItem, MemoryRequest, RecordInteraction } from './memory-contract.js';
import {
  errorsOf,
  recallPerson,
  rememberedPrompt,
  rememberPerson,
  type TurnMemory,
} from './person-memory.js';
import { recordOf } from './records.js';
import type { Json } from './json.js';
import { carriableText, cutText } from './texts.js';
import { TEXT_LENGTH, TOOL_EVENTS } from './limits.js';

/** The fields of the Memory Contract's requests. `memory` defaults to 20 turns, semantic and profile memory. */
export interface ChatOptions extends Omit<MemoryRequest, 'memory'> {
  readonly memory?: MemoryRequest['memory'];
  /**
   * True if what lasts of the user's words is remembered, and recalled in every session of this user. It is the default
   * with a `user_id`; without one, or with false, the chat has the memory of its session alone.
   */
  readonly keep?: boolean;
  /**
   * Called with the error if the memory fails; a turn whose recall fails then goes on without memory. By default, such a
   * turn fails before the model is called.
   */
  readonly onMemoryError?: (error: unknown) => void;
}

/** What is recalled for a turn, before the model is called. */
export interface RecalledTurn {
  readonly userText: string;
  /** What is remembered about the user. */
  readonly recalled: Recall['recalled'];
  /** The items of the session: the recent turns, then what was kept for longer, then the user's profile. */
  readonly items: readonly MemoryItem[];
  /** All of it as text for a system prompt; empty if nothing was recalled. */
  readonly prompt: string;
}

/** The model's answer, and a promise of what became of the turn in memory, which never rejects. */
export interface Turn<Answer> {
  readonly answer: Answer;
  readonly memory: Promise<TurnMemory>;
}

export interface TurnOptions {
  /** What tools have done in this turn; it is recorded with it. */
  readonly toolEvents?: RecordInteraction['tool_events'];
  readonly phase?: RecordInteraction['phase'];
  readonly signal?: AbortSignal;
}

const CHAT_OPTIONS = {
  assistant: 'text',
  session_id: 'text',
  user_id: 'text?',
  project_root: 'text?',
  memory: 'memorySettings?',
  policy: 'policy?',
  phase: 'phase?',
  keep: 'flag?',
  onMemoryError: 'function?',
} as const satisfies Record<keyof ChatOptions, ArgumentKind>;
const TURN_OPTIONS = {
  toolEvents: 'list?',
  phase: 'phase?',
  signal: 'signal?',
} as const satisfies Record<keyof TurnOptions, ArgumentKind>;
const DEFAULT_MEMORY = { short_term: 20, semantic: true, profile: true };

/** The part of the client that a chat uses. */
type ChatClient = Pick<MaceClient, 'memory' | 'recall' | 'remember'>;

/**
 * A chat with memory. Before each turn it recalls what is remembered about the user and what was said in the session;
 * after the model has answered, it records both texts, and remembers what lasts of the user's words.
 *
 * ```ts
 * const chat = withMemory(mace, { assistant: 'helper', session_id: 'ada-1', user_id: 'ada' });
 * const { answer } = await chat.turn('What do I like?', ({ prompt, userText }) => model(prompt, userText));
 * ```
 */
export const withMemory = (mace: ChatClient, options: ChatOptions): Chat => new Chat(mace, options);

export class Chat {
  readonly #request: MemoryRequest;
  readonly #keep: boolean;
  readonly #onMemoryError: ((error: unknown) => void) | undefined;
  /** The record of the turn before, which the next recall must see. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly mace: ChatClient,
    options: ChatOptions,
  ) {
    requireArguments({ mace }, { mace: 'client' });
    requireOptions(options, CHAT_OPTIONS);
    const { onMemoryError, memory = DEFAULT_MEMORY, keep, ...request } = options;
    this.#request = { ...request, memory };
    this.#keep = keep ?? request.user_id !== undefined;
    this.#onMemoryError = onMemoryError;
  }

  /**
   * Takes one turn. `answer` is the model's text, or a stream of the same pieces if the model streams; `memory` reports what
   * was recalled and kept, once the turn is recorded: a streamed one when the stream has been read to its end. If the
   * recall fails, the turn fails before the model is called. If the model fails, nothing is recorded, and the call or the
   * stream fails with its error. Afterwards nothing takes the answer away: `memory.failed` has the errors. An answer that
   * is neither a text nor a stream of texts is a MaceArgumentError. A text that cannot be stored as it is does not fail
   * the turn: characters are replaced, what is longer than 16,384 characters is cut, and `turn_altered` in the record of
   * the turn counts them.
   */
  async turn(
    userText: string,
    model: (turn: RecalledTurn) => string | Promise<string>,
    options?: TurnOptions,
  ): Promise<Turn<string>>;
  async turn(
    userText: string,
    model: (turn: RecalledTurn) => AsyncIterable<string> | Promise<AsyncIterable<string>>,
    options?: TurnOptions,
  ): Promise<Turn<AsyncIterable<string>>>;
  async turn(
    userText: string,
    model: (turn: RecalledTurn) => Answer | Promise<Answer>,
    options: TurnOptions = {},
  ): Promise<Turn<Answer>> {
    requireArguments({ userText, model }, { userText: 'text', model: 'function' });
    requireOptions(options, TURN_OPTIONS);
    const failed: unknown[] = [];
    await this.#before;
    const { recalled, items } = await this.#recall(userText, options, failed);
    const answer = await model({ userText, recalled, items, prompt: promptOf(recalled, items) });
    const record = (aiText: string): Promise<TurnMemory> => {
      const memory = this.#record(userText, aiText, options, recalled, failed);
      this.#before = memory;
      return memory;
    };
    if (isStream(answer)) {
      const read = readOnce(answer);
      const memory = read.text.then(record, (error: unknown) => {
        const nothing = { recalled, kept: [], not_kept: [] };
        return { ...nothing, failed: [...failed, error] };
      });
      return { answer: read.pieces, memory };
    }
    if (typeof answer !== 'string') throw notAnAnswer(answer);
    return { answer, memory: record(answer) };
  }

  async #recall(query: string, { phase, signal }: TurnOptions, failed: unknown[]) {
    const { text } = storable(query);
    const { user_id } = this.#request;
    const asked: AskRecall = {
      ...this.#request,
      ...(phase && { phase }),
      query: text,
      trace: false,
    };
    const options = signal && { signal };
    const [session, person] = await Promise.allSettled([
      this.mace.memory.recall(asked, options),
      this.#keep ? recallPerson(this.mace, text, { user_id, signal }) : [],
    ]);
    for (const one of [session, person]) if (one.status === 'rejected') failed.push(one.reason);
    if (failed.length > 0) this.#tell(failed);
    const items = session.status === 'fulfilled' ? session.value.items : [];
    const known = new Set(items.map(({ id }) => id));
    const recalled = person.status === 'fulfilled' ? person.value : [];
    return { items, recalled: recalled.filter(({ id }) => !known.has(id)) };
  }

  /** Passes the errors of a recall on. @throws the first one if nobody takes them */
  #tell(errors: readonly unknown[]): void {
    if (this.#onMemoryError === undefined) throw errors[0];
    for (const error of errors) this.#onMemoryError(error);
  }

  async #record(
    userText: string,
    aiText: string,
    { toolEvents, phase, signal }: TurnOptions,
    recalled: Recall['recalled'],
    failedBefore: readonly unknown[],
  ): Promise<TurnMemory> {
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
    const { user_id } = this.#request;
    const options = signal && { signal };
    const [turn, words] = await Promise.allSettled([
      this.mace.memory.interactions(said, options),
      this.#keep ? rememberPerson(this.mace, user.text, { user_id, signal }) : undefined,
    ]);
    const failed = [turn, words].flatMap((one): readonly unknown[] =>
      one.status === 'rejected'
        ? [one.reason, ...errorsOf(() => this.#onMemoryError?.(one.reason))]
        : [],
    );
    const { kept = [], not_kept = [] } = (words.status === 'fulfilled' && words.value) || {};
    const all = [...failedBefore, ...failed];
    return { recalled, kept, not_kept, ...(all.length > 0 && { failed: all }) };
  }
}

/** Passes the pieces of a stream on, and promises the whole text once they have been read to their end. */
function readOnce(stream: AsyncIterable<string>): {
  readonly pieces: AsyncIterable<string>;
  readonly text: Promise<string>;
} {
  let end!: (text: string) => void;
  let fail!: (reason: unknown) => void;
  const text = new Promise<string>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  async function* pieces(): AsyncGenerator<string, void, undefined> {
    let read = '';
    try {
      for await (const piece of stream) {
        requireArguments({ piece }, { piece: 'text' });
        read += piece;
        yield piece;
      }
      end(read);
    } catch (error) {
      fail(error);
      throw error;
    } finally {
      fail(new Error('The answer was not read to its end, so the turn is not recorded.'));
    }
  }
  return { pieces: pieces(), text };
}

/** Says what a model's answer is, if it is neither a text nor a stream, and what is probably meant. */
function notAnAnswer(answer: unknown): MaceArgumentError {
  const wanted = (hint: string) =>
    new MaceArgumentError('answer', `a text or a stream of texts${hint}`, answer);
  if (answer === undefined) return wanted(' (the model’s function returns nothing: add return)');
  if (typeof answer !== 'object' || answer === null) return wanted('');
  if ('choices' in answer) return wanted(' (return response.choices[0].message.content)');
  if ('output_text' in answer) return wanted(' (return response.output_text)');
  if ('textStream' in answer) return wanted(' (return result.textStream)');
  if ('content' in answer) return wanted(' (return response.content[0].text)');
  if ('text' in answer) return wanted(' (return its text)');
  return wanted('');
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

/** Returns a turn with who said it. A summary of turns says so itself, once, however often it was made anew. */
const saidText = ({ source, text, meta }: MemoryItem): string =>
  'summary_of' in meta ? text.replace(/^(?:Earlier: )+/, 'Earlier: ') : `${source}: ${text}`;

/** Returns what is recalled as text: about the user, what is known for longer, then the conversation. */
function promptOf(recalled: Recall['recalled'], items: readonly MemoryItem[]): string {
  const known = items.filter(({ kind }) => kind !== 'short_term').map(namedText);
  const said = items.filter(({ kind }) => kind === 'short_term').map(saidText);
  const parts = [
    rememberedPrompt(recalled, known),
    said.length === 0 ? '' : ['The conversation so far:', ...said].join('\n'),
  ];
  return parts.filter((part) => part !== '').join('\n');
}
