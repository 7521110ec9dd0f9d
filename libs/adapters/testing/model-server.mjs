import { once } from 'node:events';
import { createServer } from 'node:http';

/** A model behind an HTTP API. A package's tests say what it answers, in the form of its framework's API. */
export class ModelServer {
  requests = [];
  #server;

  constructor(answer) {
    this.#server = createServer(async (incoming, outgoing) => {
      let body = '';
      for await (const text of incoming.setEncoding('utf8')) body += text;
      const request = JSON.parse(body);
      this.requests.push(request);
      await answer(request, outgoing, this.requests.length);
    });
  }

  static async start(answer) {
    const model = new this(answer);
    await once(model.#server.listen(0, '127.0.0.1'), 'listening');
    return model;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Sends a JSON answer. */
export function sendJson(outgoing, answer) {
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify(answer));
}
