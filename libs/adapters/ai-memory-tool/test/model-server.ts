import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A block of the model's answer: words, or the call of a tool. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly input: object };

interface ToolResult {
  readonly type: string;
  readonly content: unknown;
  readonly is_error?: boolean;
}

/** A request to the model, as both SDKs send it to the Messages API. */
export interface ModelRequest {
  readonly tools: readonly { readonly type: string; readonly name: string }[];
  readonly messages: readonly { readonly role: string; readonly content: string | ToolResult[] }[];
}

/** A model with Anthropic's Messages API. `script` has one answer for each request. */
export class ModelServer {
  readonly requests: ModelRequest[] = [];
  readonly #server: Server;

  private constructor(private readonly script: readonly Block[]) {
    this.#server = createServer((incoming, outgoing) => {
      let body = '';
      incoming.setEncoding('utf8').on('data', (text: string) => (body += text));
      incoming.on('end', () => {
        this.requests.push(JSON.parse(body) as ModelRequest);
        outgoing.writeHead(200, { 'content-type': 'application/json' });
        outgoing.end(JSON.stringify(this.#answer()));
      });
    });
  }

  static async start(...script: Block[]): Promise<ModelServer> {
    const model = new ModelServer(script);
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  /** The base URL, without the API's version. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The results of tools that the model was told, in order. */
  get results(): { readonly content: string; readonly is_error: boolean }[] {
    return this.requests.flatMap(({ messages }) => {
      const content = messages.at(-1)?.content;
      if (typeof content !== 'object') return [];
      return content
        .filter(({ type }) => type === 'tool_result')
        .map(({ content: said, is_error }) => ({
          content: wordsOf(said),
          is_error: is_error === true,
        }));
    });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer() {
    const turn = this.requests.length;
    const block = this.script[turn - 1] ?? { type: 'text', text: 'Done.' };
    const isCall = block.type === 'tool_use';
    return {
      id: `msg_${turn}`,
      type: 'message',
      role: 'assistant',
      model: 'scripted',
      content: [isCall ? { ...block, id: `toolu_${turn}`, name: 'memory' } : block],
      stop_reason: isCall ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
  }
}

const wordsOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (content as { readonly text?: string }[]).map(({ text = '' }) => text).join('');
