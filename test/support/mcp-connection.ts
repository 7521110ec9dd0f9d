import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  type Transport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(import.meta.resolve('#programs/mace.js'));

/** The revisions that a client can speak: the newest one, and the handshake of 2025, which most hosts speak. */
export const REVISIONS: Readonly<Record<string, VersionNegotiationMode>> = {
  '2026-07-28': { pin: '2026-07-28' },
  '2025-11-25': 'legacy',
};

export interface McpTarget {
  readonly url: string;
  readonly token: string;
}

/** The transports, each as the way to reach a service with a token. */
export const TRANSPORTS: Readonly<Record<string, (target: McpTarget) => Transport>> = {
  'streamable HTTP': ({ url, token }) =>
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  stdio: ({ url, token }) => overStdio(['--url', url], { MACE_TOKEN: token }),
};

/** Starts `mace mcp` as a host does. */
export const overStdio = (
  options: readonly string[],
  environment: Readonly<Record<string, string>>,
): StdioClientTransport =>
  new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', ...options],
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stderr: 'pipe',
  });

export interface ToolOutcome {
  readonly isError: boolean;
  /** The text that a model reads. */
  readonly text: string;
  /** The structured result. */
  readonly data: Record<string, unknown>;
  /** The fields of an error. */
  readonly error: Record<string, unknown> | undefined;
}

const outcomeOf = ({
  isError,
  content,
  structuredContent,
  _meta,
}: CallToolResult): ToolOutcome => ({
  isError: isError === true,
  text: content.map((block) => (block.type === 'text' ? block.text : '')).join('\n'),
  data: (structuredContent ?? {}) as Record<string, unknown>,
  error: _meta?.['mace-memory/error'] as Record<string, unknown> | undefined,
});

/** The official client, connected to the product's MCP server. */
export class McpConnection {
  private constructor(readonly client: Client) {}

  static async open(
    transport: Transport,
    mode: VersionNegotiationMode = { pin: '2026-07-28' },
  ): Promise<McpConnection> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    // The client checks a structured result against the schema only of a tool that it has listed.
    await client.listTools();
    return new McpConnection(client);
  }

  static over(name: string, target: McpTarget, revision = '2026-07-28'): Promise<McpConnection> {
    const transport = TRANSPORTS[name];
    if (transport === undefined) throw new Error(`There is no transport ${name}.`);
    return McpConnection.open(transport(target), REVISIONS[revision]);
  }

  async toolNames(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  /** Calls a tool and returns its outcome, also if it is an error. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<ToolOutcome> {
    return outcomeOf(await this.client.callTool({ name, arguments: args }));
  }

  /** Calls a tool and returns its structured result; throws if it is an error. */
  async did(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const outcome = await this.call(name, args);
    if (outcome.isError) throw new Error(`${name}: ${outcome.text}`);
    return outcome.data;
  }

  /** Reads a resource and returns its parsed JSON. */
  async read(uri: string): Promise<Record<string, unknown>> {
    const { contents } = await this.client.readResource({ uri });
    const [first] = contents;
    if (first === undefined || !('text' in first)) throw new Error(`${uri} has no text.`);
    return JSON.parse(first.text) as Record<string, unknown>;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
