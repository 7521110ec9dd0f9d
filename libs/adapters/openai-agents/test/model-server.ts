import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to the model, as the OpenAI SDK sends it to the Responses API. */
export interface ModelRequest {
  readonly input: readonly { readonly role?: string; readonly content?: unknown }[];
}

/** A model with an OpenAI-compatible Responses API. `answer` is its script. */
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
        outgoing.writeHead(200, { 'content-type': 'application/json' });
        outgoing.end(JSON.stringify(this.#response(answer(request))));
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

  #response(text: string) {
    const id = this.requests.length;
    return {
      id: `resp_${id}`,
      object: 'response',
      status: 'completed',
      model: 'scripted',
      output: [
        {
          id: `msg_${id}`,
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text, annotations: [] }],
        },
      ],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    };
  }
}
