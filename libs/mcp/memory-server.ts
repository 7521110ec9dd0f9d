import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { MaceClient } from '#client/mace-client.js';
import { carriableJson } from '#client/texts.js';
import { cachedSchema, uncheckedSchema } from './cached-schema.js';
import { failedCall } from './failure.js';
import { instructionsFor } from './instructions.js';
import { addPrompts } from './prompts.js';
import { addResources } from './resources.js';
import type { MemoryTool } from './tool.js';
import { toolsFor } from './tools/index.js';

export interface MemoryServerOptions {
  /** The client whose token decides what each call may do. */
  readonly client: MaceClient;
  /** The roles of that token. They decide which tools exist. */
  readonly roles: readonly string[];
  /** The version of the product. */
  readonly version: string;
}

/** Makes an MCP server that acts for one caller. It keeps nothing, so one can be made for each request. */
export function memoryServer({ client, roles, version }: MemoryServerOptions): McpServer {
  const tools = toolsFor(roles);
  const names = new Set(tools.map(({ name }) => name));
  const server = new McpServer(
    { name: 'mace-memory', title: 'MACE Memory', version },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
      },
      instructions: instructionsFor(names),
    },
  );
  for (const tool of tools) addTool(server, tool, client);
  addResources(server, client);
  addPrompts(server, names);
  return server;
}

const replacedText = (count: number): string =>
  `${count} characters that cannot be stored (U+0000 or half of a pair) were replaced by U+FFFD.`;

function addTool(server: McpServer, tool: MemoryTool, client: MaceClient): void {
  const { name, title, description, annotations, input, output, call, text } = tool;
  server.registerTool(
    name,
    {
      title,
      description,
      annotations: { title, ...annotations },
      inputSchema: uncheckedSchema(input()),
      outputSchema: cachedSchema(output),
    },
    async (given): Promise<CallToolResult> => {
      try {
        const { value, replaced } = carriableJson(given);
        const result = await call(client, input().parse(value));
        const told = replaced === 0 ? text(result) : `${text(result)}\n${replacedText(replaced)}`;
        return { content: [{ type: 'text', text: told }], structuredContent: result };
      } catch (error) {
        return failedCall(error);
      }
    },
  );
}
