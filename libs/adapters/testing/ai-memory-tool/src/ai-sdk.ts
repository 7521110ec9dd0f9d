import { anthropic } from '@ai-sdk/anthropic';
import type { MaceMemoryTool } from './memory-tool.js';

/** Returns the memory tool for `generateText` and `streamText` of the AI SDK; name it `memory` in `tools`. */
export const aiSdkMemoryTool = (memory: MaceMemoryTool) =>
  anthropic.tools.memory_20250818({ execute: (command) => memory.run(command) });
