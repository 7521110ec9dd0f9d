import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the receiver treats a request. `twice`: it sends two whole answers to one request. */
export type Treatment = 'accept' | 'fail' | 'redirect' | 'hang' | 'twice';

/** A request as it arrived. */
export interface Received {
  readonly body: string;
  readonly signature: string;
}

/**
 * An HTTP server that receives notices. Each request uses up one treatment that was passed to `next`; after
 * these, requests are accepted.
 */
export class WebhookReceiver {
  /** All requests so far, in order. */
  readonly received: Received[] = [];
  private scripted: Treatment[] = [];

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @param port any free port by default */
  static async start(port = 0): Promise<WebhookReceiver> {
    const server = createServer();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const receiver = new WebhookReceiver(server, (server.address() as AddressInfo).port);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void receiver.take(request, response);
    });
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/notices`;
  }

  next(...treatments: readonly Treatment[]): void {
    this.scripted = [...treatments];
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    this.received.push({ body, signature: String(request.headers['mace-signature']) });
    const treatment = this.scripted.shift() ?? 'accept';
    if (treatment === 'hang') return;
    if (treatment === 'twice') {
      const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
      response.socket?.write(answer + answer);
      return;
    }
    if (treatment === 'redirect') response.setHeader('location', this.url);
    response.statusCode = { accept: 204, fail: 500, redirect: 307 }[treatment];
    response.end();
  }
}
