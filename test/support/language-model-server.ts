import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message } from '#agents/language-model/language-model.js';

/** How the server answers a request. */
export type Behaviour =
  /** Answers with a chat completion; a function makes the text from the messages. */
  | { readonly say: string | ((messages: readonly Message[]) => string); readonly tokens?: number }
  | { readonly status: number; readonly body?: string }
  /** Answers 200 with a body that is not a chat completion. */
  | { readonly body: string | Uint8Array }
  /** Takes the request and never answers. */
  | 'hang'
  /** Sends the headers and the first bytes of a good answer, then one space every 5 ms, without end. */
  | 'slow_stream'
  /** Sends the headers and the first bytes of a good answer, then nothing. */
  | 'stall'
  /** Sends the headers and the first bytes of a good answer, then closes the connection. */
  | 'hang_up'
  /** Sends an answer of many megabytes. */
  | 'huge'
  /** Redirects to another path on the same server. */
  | 'redirect';

/** A request that the server received. */
export interface ModelRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly messages: readonly Message[];
    readonly [parameter: string]: unknown;
  };
}

const completion = (text: string, tokens: number): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 0, completion_tokens: tokens, total_tokens: tokens },
  });

/**
 * An HTTP server that has the chat completions API and fails if the test wants. Each request uses up one
 * behaviour that was passed to `next`. After these, the behaviour that was passed to `always` applies.
 */
export class LanguageModelServer {
  /** All requests so far, in order. */
  readonly requests: ModelRequest[] = [];
  private usual: Behaviour = { say: 'A fine answer.', tokens: 3 };
  private scripted: Behaviour[] = [];
  private readonly drips = new Set<NodeJS.Timeout>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<LanguageModelServer> {
    const server = createServer();
    const started = new LanguageModelServer(server);
    server.on('request', (request, response) => void started.take(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return started;
  }

  /** The URL for the `base_url` of a provider. */
  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  always(behaviour: Behaviour): void {
    this.usual = behaviour;
    this.scripted = [];
  }

  next(...behaviours: readonly Behaviour[]): void {
    this.scripted.push(...behaviours);
  }

  async stop(): Promise<void> {
    for (const drip of this.drips) clearInterval(drip);
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as ModelRequest['body'];
    this.requests.push({
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body,
    });
    this.behave(this.scripted.shift() ?? this.usual, body.messages, response);
  }

  private behave(
    behaviour: Behaviour,
    messages: readonly Message[],
    response: ServerResponse,
  ): void {
    if (typeof behaviour === 'string') return this.misbehave(behaviour, response);
    const status = 'status' in behaviour ? behaviour.status : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    if (!('say' in behaviour)) {
      response.end(behaviour.body ?? '{"error":{"message":"told to fail"}}');
      return;
    }
    const text = typeof behaviour.say === 'string' ? behaviour.say : behaviour.say(messages);
    response.end(completion(text, behaviour.tokens ?? 0));
  }

  private misbehave(behaviour: Behaviour & string, response: ServerResponse): void {
    if (behaviour === 'hang') return;
    if (behaviour === 'redirect') {
      response.writeHead(307, { location: `${this.baseUrl}/elsewhere` }).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    if (behaviour === 'huge') {
      response.end(completion('x'.repeat(8_000_000), 1));
      return;
    }
    response.write('{"choices": [');
    if (behaviour === 'hang_up') setImmediate(() => response.destroy());
    if (behaviour === 'slow_stream') this.drip(response);
  }

  private drip(response: ServerResponse): void {
    const drip = setInterval(() => response.write(' '), 5);
    this.drips.add(drip);
    response.on('close', () => {
      clearInterval(drip);
      this.drips.delete(drip);
    });
  }
}
