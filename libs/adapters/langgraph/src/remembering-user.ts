import type { RunnableConfig } from '@langchain/core/runnables';
import {
  type MaceClient,
  personMemory,
  type PersonMemoryOptions,
  type PersonTurn,
  requireArguments,
} from '@mace-memory/client';

/** A node that calls a model; `turn.prompt` is for its system message. */
export type RememberingNode<State, Update, Config> = (
  state: State,
  config: Config,
  turn: PersonTurn,
) => Update | Promise<Update>;

/**
 * Returns a node that knows, in every thread, what the user said of themselves, and remembers what lasts of the latest
 * message in `state.messages` when the model has answered. The user is `user_id` of the options, or `configurable.user_id`.
 *
 * ```ts
 * const answer = rememberingUser(mace, async ({ messages }: State, _config, { prompt }) => ({
 *   messages: [await model.invoke([new SystemMessage(prompt), ...messages])],
 * }));
 * ```
 */
export function rememberingUser<
  State extends { readonly messages: readonly unknown[] },
  Update,
  Config extends RunnableConfig = RunnableConfig,
>(
  mace: MaceClient,
  node: RememberingNode<State, Update, Config>,
  options: PersonMemoryOptions = {},
): (state: State, config: Config) => Promise<Update> {
  requireArguments(
    { mace, node, options },
    { mace: 'object', node: 'function', options: 'object' },
  );
  return async (state, config) => {
    requireArguments(state, { messages: 'list' }, 'state');
    const user_id: string | undefined = options.user_id ?? config?.configurable?.['user_id'];
    const person = personMemory(mace, { ...options, user_id });
    const turn = await person.before(state.messages, { signal: config?.signal });
    const update = await node(state, config, turn);
    void person.after(turn);
    return update;
  };
}
