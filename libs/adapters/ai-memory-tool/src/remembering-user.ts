import type Anthropic from '@anthropic-ai/sdk';
import {
  type MaceClient,
  personMemory,
  type PersonMemoryOptions,
  requireArguments,
  type Turn,
  type TurnMemory,
} from '@mace-memory/client';

/** What the turn of a user needs of a request to the Messages API. */
interface Params {
  readonly system?: string | Anthropic.TextBlockParam[];
  readonly messages: readonly unknown[];
}

/** Asks the model, by `messages.create`, `messages.stream` or a tool runner. */
type Ask<Given, Answer> = (params: Given) => Answer | PromiseLike<Answer>;

/**
 * Returns a function that takes one turn with the Messages API of Anthropic. The model knows, in every chat, what the user
 * said of themselves: it stands behind the system prompt. What lasts of the user's latest message is remembered when the
 * model has answered: of `messages.stream` at its end, of `create({ stream: true })` when it begins.
 *
 * ```ts
 * const turn = rememberingUser(mace, { user_id: 'ada' });
 * const { answer, memory } = await turn(params, (params) => anthropic.messages.create(params));
 * ```
 */
export function rememberingUser(mace: MaceClient, options: PersonMemoryOptions = {}) {
  const person = personMemory(mace, options);
  return async <Given extends Params, Answer>(
    params: Given,
    ask: Ask<Given, Answer>,
  ): Promise<Turn<Answer>> => {
    requireArguments({ params, ask }, { params: 'object', ask: 'function' });
    requireArguments(params, { messages: 'list' }, 'params');
    const turn = await person.before(params.messages);
    const answer = await ask(withSystem(params, turn.prompt));
    if (!isStream(answer)) return { answer, memory: person.after(turn) };
    const memory = answer.finalMessage().then(
      () => person.after(turn),
      (error: unknown): TurnMemory => {
        const failed = [...(turn.failed ?? []), error];
        return { recalled: turn.recalled, kept: [], not_kept: [], failed };
      },
    );
    return { answer, memory };
  };
}

/** Returns the parameters with a text behind the system prompt. */
function withSystem<Given extends Params>(params: Given, text: string): Given {
  if (text === '') return params;
  const { system = '' } = params;
  if (typeof system !== 'string') return { ...params, system: [...system, { type: 'text', text }] };
  return { ...params, system: system === '' ? text : `${system}\n\n${text}` };
}

const isStream = (answer: unknown): answer is { readonly finalMessage: () => Promise<unknown> } =>
  typeof answer === 'object' &&
  answer !== null &&
  'finalMessage' in answer &&
  typeof answer.finalMessage === 'function';
