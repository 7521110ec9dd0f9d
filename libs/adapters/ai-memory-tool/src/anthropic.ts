import { betaMemoryTool, type MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory';
export { rememberingUser } from './remembering-user.js';
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { MemoryToolError } from './memory-error.js';
import type { MaceMemoryTool, MemoryCommand } from './memory-tool.js';

type ToolProperties = Parameters<typeof betaMemoryTool>[1];

/**
 * Returns the memory tool for the tool runner of the Anthropic SDK. @param properties further properties of the tool's
 * definition, such as `cache_control`
 */
export function anthropicMemoryTool(memory: MaceMemoryTool, properties?: ToolProperties) {
  const run = (command: MemoryCommand): Promise<string> => told(memory.run(command));
  const handlers: MemoryToolHandlers = {
    view: run,
    create: run,
    str_replace: run,
    insert: run,
    delete: run,
    rename: run,
  };
  return betaMemoryTool(handlers, properties);
}

/** The runner tells the model the content of a ToolError as it is, and puts `Error:` before any other message. */
async function told(answer: Promise<string>): Promise<string> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof MemoryToolError) throw new ToolError(error.message);
    throw error;
  }
}
