import type { ArgumentKind } from './argument-kinds.js';
import { requireArguments, requireOptions } from './arguments.js';
import { QUERY_LENGTH, TEXT_LENGTH } from './limits.js';
import type { MaceClient } from './mace-client.js';
import type { Kept, Recall } from './memories.js';
import { type LastWords, lastWordsOf } from './last-words.js';
import { carriableText, cutText } from './texts.js';

/** Whose words are remembered, and which functions of the program receive what became of them. */
export interface PersonMemoryOptions {
  /** The user. Without one, nothing is recalled and nothing is kept. */
  readonly user_id?: string | undefined;
  /**
   * Called with the error if the memory fails; a turn whose recall fails then goes on without memory. By default, such a
   * turn fails before the model is called.
   */
  readonly onMemoryError?: ((error: unknown) => void) | undefined;
  /** Called when the model has answered, with a promise of what became of the turn in memory, which never rejects. */
  readonly onMemory?: ((memory: Promise<TurnMemory>) => void) | undefined;
}

const OPTIONS = {
  user_id: 'id?',
  onMemoryError: 'function?',
  onMemory: 'function?',
} as const satisfies Record<keyof PersonMemoryOptions, ArgumentKind>;

/** What is remembered about the user before a turn. */
export interface PersonTurn extends LastWords {
  readonly recalled: Recall['recalled'];
  /** The same as text for a system prompt; empty if nothing is remembered. */
  readonly prompt: string;
  /** The error of the recall, if `onMemoryError` took it. */
  readonly failed?: readonly unknown[];
}

/** What became of a turn in memory. */
export interface TurnMemory {
  /** What was remembered about the user before the turn. */
  readonly recalled: Recall['recalled'];
  /** What was kept of the user's words, until it is forgotten. */
  readonly kept: Kept['kept'];
  readonly not_kept: Kept['not_kept'];
  /** The errors of the memory, if any. */
  readonly failed?: readonly unknown[];
}

interface Person {
  readonly user_id?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

type PersonClient = Pick<MaceClient, 'recall' | 'remember'>;

/**
 * What a user says of themselves, for an agent in any framework: call `before` with the messages for the model, give the
 * model the `prompt`, and call `after` when it has answered.
 *
 * ```ts
 * const ada = personMemory(mace, { user_id: 'ada' });
 * const turn = await ada.before(messages);
 * const answer = await model(turn.prompt, messages);
 * const { kept } = await ada.after(turn);
 * ```
 */
export const personMemory = (
  mace: PersonClient,
  options: PersonMemoryOptions = {},
): MemoryOfPerson => {
  requireArguments({ mace }, { mace: 'client' });
  requireOptions(options, OPTIONS);
  return new MemoryOfPerson(mace, options);
};

export class MemoryOfPerson {
  constructor(
    private readonly mace: PersonClient,
    private readonly options: PersonMemoryOptions,
  ) {}

  /**
   * Recalls what is remembered about the user, for a text or for the latest words of the user in messages. Their form may
   * be that of the AI SDK, Anthropic, LangChain, Mastra, or of either API of OpenAI.
   */
  async before(
    said: string | readonly unknown[],
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<PersonTurn> {
    requireOptions(options, { signal: 'signal?' });
    const { signal } = options;
    if (typeof said !== 'string') requireArguments({ said }, { said: 'messages' });
    const words = typeof said === 'string' ? { userText: said, isNew: true } : lastWordsOf(said);
    const { user_id, onMemoryError } = this.options;
    if (user_id === undefined) return { ...words, recalled: [], prompt: '' };
    try {
      const recalled = await recallPerson(this.mace, words.userText, { user_id, signal });
      return { ...words, recalled, prompt: rememberedPrompt(recalled) };
    } catch (error) {
      if (onMemoryError === undefined) throw error;
      onMemoryError(error);
      return { ...words, recalled: [], prompt: '', failed: [error] };
    }
  }

  /**
   * Remembers what lasts of the user's words, once for each message of the user, and says what was kept. Never rejects:
   * `failed` has the errors.
   */
  after(turn: PersonTurn): Promise<TurnMemory> {
    const memory = this.#remember(turn);
    try {
      if (turn.isNew) this.options.onMemory?.(memory);
      return memory;
    } catch (error) {
      return memory.then((one) => ({ ...one, failed: [...(one.failed ?? []), error] }));
    }
  }

  async #remember({ userText, isNew, recalled, failed = [] }: PersonTurn): Promise<TurnMemory> {
    const { user_id, onMemoryError } = this.options;
    let words: Kept = { kept: [], not_kept: [] };
    const errors = [...failed];
    if (user_id !== undefined && isNew)
      try {
        words = await rememberPerson(this.mace, userText, { user_id });
      } catch (error) {
        errors.push(error, ...errorsOf(() => onMemoryError?.(error)));
      }
    return { recalled, ...words, ...(errors.length > 0 && { failed: errors }) };
  }
}

/** Calls a function of the program, and returns what it throws. */
export function errorsOf(call: () => void): readonly unknown[] {
  try {
    call();
    return [];
  } catch (error) {
    return [error];
  }
}

/** The most memories of a turn: what a person says in some conversations, within the recall's most characters. */
const RECALLED = 40;

/** The words that are being remembered, by client and user: the user's next recall waits for them. */
const underWay = new WeakMap<object, Map<string | undefined, Promise<unknown>>>();

/** Recalls what is remembered about a user, for their words. */
export async function recallPerson(
  mace: PersonClient,
  userText: string,
  { user_id, signal }: Person,
): Promise<Recall['recalled']> {
  await underWay.get(mace)?.get(user_id);
  const query = cutText(carriableText(userText).text, QUERY_LENGTH).text;
  const asked = {
    limit: RECALLED,
    ...(query !== '' && { query }),
    ...(user_id !== undefined && { user_id }),
  };
  return (await mace.recall(asked, signal && { signal })).recalled;
}

/** Remembers what lasts of a user's words. */
export async function rememberPerson(
  mace: PersonClient,
  userText: string,
  { user_id, signal }: Person,
): Promise<Kept> {
  const said = cutText(carriableText(userText).text, TEXT_LENGTH).text;
  if (said.trim() === '') return { kept: [], not_kept: [] };
  const whose = user_id === undefined ? {} : { user_id };
  const kept = mace.remember({ said, ...whose }, signal && { signal });
  const ofClient = underWay.get(mace) ?? new Map<string | undefined, Promise<unknown>>();
  underWay.set(mace, ofClient);
  const over = Promise.allSettled([ofClient.get(user_id), kept]);
  ofClient.set(user_id, over);
  try {
    return await kept;
  } finally {
    if (ofClient.get(user_id) === over) ofClient.delete(user_id);
  }
}

/** Returns what is remembered as text for a system prompt. @param more lines that are known otherwise */
export function rememberedPrompt(
  recalled: Recall['recalled'],
  more: readonly string[] = [],
): string {
  const lines = [...recalled.map(({ line }) => line), ...more].map((line) => `- ${line}`);
  return lines.length === 0 ? '' : ['What you remember:', ...lines].join('\n');
}
