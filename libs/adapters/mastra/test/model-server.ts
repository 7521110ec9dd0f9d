import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to the model, as clients of the chat completions API send it. */
export interface ModelRequest {
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** A model with an OpenAI-compatible chat completions API. `answer` is its script. */
export class ModelServer {
  readonly requests: ModelRequest[] = [];
  readonly #server: Server;

  private constructor(answer: (request: ModelRequest) => string) {
    this.#server = createServer((incoming, outgoing) => {
      let body = '';
      incoming.setEncoding('utf8').on('data', (text: string) => (body += text));
      incoming.on('end', () => {
        const request = JSON.parse(body) as ModelRequest;
        this.requests.push(request);
        if (request.stream === true) stream(outgoing, answer(request));
        else complete(outgoing, answer(request));
      });
    });
  }

  static async start(answer: (request: ModelRequest) => string): Promise<ModelServer> {
    const model = new ModelServer(answer);
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const common = { id: 'chat-1', created: 0, model: 'scripted' };
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function complete(outgoing: ServerResponse, content: string): void {
  const message = { role: 'assistant', content };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify({ ...common, object: 'chat.completion', choices, usage }));
}

function stream(outgoing: ServerResponse, content: string): void {
  const chunk = (delta: object, finish_reason: 'stop' | null) => {
    const choices = [{ index: 0, delta, finish_reason }];
    const data = { ...common, object: 'chat.completion.chunk', choices };
    outgoing.write(`data: ${JSON.stringify(finish_reason ? { ...data, usage } : data)}\n\n`);
  };
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  chunk({ role: 'assistant', content }, null);
  chunk({}, 'stop');
  outgoing.end('data: [DONE]\n\n');
}
