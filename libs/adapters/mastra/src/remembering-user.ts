import {
  type MaceClient,
  type MemoryOfPerson,
  personMemory,
  type PersonMemoryOptions,
  type PersonTurn,
} from '@mace-memory/client';
import { parseMemoryRequestContext } from '@mastra/core/memory';
import type {
  ProcessInputArgs,
  Processor,
  ProcessorMessageResult,
  ProcessOutputResultArgs,
} from '@mastra/core/processors';

/**
 * A processor by which an agent knows, in every thread, what the user said of themselves. Before the model it adds this to
 * the system messages; when the model has answered, it remembers what lasts of the user's message. So it must stand in
 * `inputProcessors` and in `outputProcessors`. The user is `user_id` of the options, or else the resource of the memory.
 *
 * ```ts
 * const user = rememberingUser(mace);
 * const agent = new Agent({ ...options, inputProcessors: [user], outputProcessors: [user] });
 * await agent.generate('I am allergic to peanuts.', { memory: { thread: 'monday', resource: 'ada' } });
 * ```
 */
export function rememberingUser(
  mace: MaceClient,
  options: PersonMemoryOptions = {},
): RememberingUser {
  personMemory(mace, options);
  return new RememberingUser(mace, options);
}

export class RememberingUser implements Processor<'mace-remembering-user'> {
  readonly id = 'mace-remembering-user';

  constructor(
    private readonly mace: MaceClient,
    private readonly options: PersonMemoryOptions,
  ) {}

  async processInput(given: ProcessInputArgs): Promise<ProcessInputArgs['messageList']> {
    const { messages, messageList, state, abortSignal } = given;
    const turn = await this.#person(given).before(messages, { signal: abortSignal });
    state['turn'] = turn;
    if (turn.prompt !== '') messageList.addSystem(turn.prompt);
    return messageList;
  }

  processOutputResult(given: ProcessOutputResultArgs): ProcessorMessageResult {
    const turn = given.state['turn'] as PersonTurn | undefined;
    if (turn !== undefined) void this.#person(given).after(turn);
    return given.messageList;
  }

  #person({ requestContext }: Pick<ProcessInputArgs, 'requestContext'>): MemoryOfPerson {
    const user_id = this.options.user_id ?? parseMemoryRequestContext(requestContext)?.resourceId;
    return personMemory(this.mace, { ...this.options, user_id });
  }
}
