import {
  type MaceClient,
  personMemory,
  type PersonMemoryOptions,
  type PersonTurn,
  requireArguments,
} from '@mace-memory/client';
import {
  type Agent,
  type AgentInputItem,
  type CallModelInputFilter,
  type NonStreamRunOptions,
  run,
  type Runner,
} from '@openai/agents-core';

export interface RememberingUserOptions extends PersonMemoryOptions {
  /** The runner; by default that of `run`. */
  readonly runner?: Pick<Runner, 'run'>;
}

/**
 * Returns a `run` whose agents know, in every session, what the user said of themselves: it stands in their instructions.
 * What lasts of the input is remembered when the run has ended, a streamed one at its end. A run that fails is not remembered.
 *
 * ```ts
 * const run = rememberingUser(mace, { user_id: 'ada' });
 * const { finalOutput } = await run(agent, 'I am allergic to peanuts.', { session });
 * ```
 */
export function rememberingUser(
  mace: MaceClient,
  { runner = { run }, ...options }: RememberingUserOptions = {},
): Runner['run'] {
  requireArguments({ runner }, { runner: 'object' });
  const person = personMemory(mace, options);
  const remembering = async (
    agent: Agent,
    input: string | AgentInputItem[],
    given: NonStreamRunOptions = {},
  ) => {
    let turn: Promise<PersonTurn> | undefined;
    const callModelInputFilter: CallModelInputFilter = async (call) => {
      const modelData = (await given.callModelInputFilter?.(call)) ?? call.modelData;
      turn ??= person.before(modelData.input, { signal: given.signal });
      const { prompt } = await turn;
      if (prompt === '') return modelData;
      const { instructions = '' } = modelData;
      return {
        ...modelData,
        instructions: instructions === '' ? prompt : `${instructions}\n\n${prompt}`,
      };
    };
    const remember = async () => {
      if (turn !== undefined) void person.after(await turn);
    };
    const result: object = await runner.run(agent, input, { ...given, callModelInputFilter });
    if ('completed' in result) void Promise.resolve(result.completed).then(remember, () => {});
    else await remember();
    return result;
  };
  return remembering as Runner['run'];
}
