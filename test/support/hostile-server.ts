import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

const JSON_TYPE = { 'content-type': 'application/json' };
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
const MEBIBYTE = 'x'.repeat(1024 * 1024);

/** Writes pieces until the connection ends. */
export function pour(response: ServerResponse, piece: string | Buffer): void {
  const more = (): void => {
    while (!response.destroyed && response.write(piece)) {
      // The kernel's buffer has room.
    }
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

function drip(response: ServerResponse, piece: string): void {
  const timer = setInterval(() => response.write(piece), 20);
  response.once('close', () => clearInterval(timer));
}

/** Ways in which a service outside can answer any request, each meant to exhaust or confuse its client. */
export const HOSTILE: Readonly<Record<string, RequestListener>> = {
  'a body without end': (_, response) => {
    response.writeHead(200, JSON_TYPE);
    pour(response, MEBIBYTE);
  },
  'a body that drips': (_, response) => {
    response.writeHead(200, JSON_TYPE);
    drip(response, ' ');
  },
  'headers that drip': (_, response) => {
    const { socket } = response;
    socket?.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket?.write('x-more: 1\r\n'), 20);
    socket?.once('close', () => clearInterval(timer));
  },
  'interim answers without end': (_, response) => {
    const { socket } = response;
    const timer = setInterval(() => socket?.write('HTTP/1.1 102 Processing\r\n\r\n'), 1);
    socket?.once('close', () => clearInterval(timer));
  },
  'huge headers': (_, response) => {
    response.socket?.write(`HTTP/1.1 200 OK\r\nx-more: ${MEBIBYTE}\r\n\r\n[]`);
  },
  'a small body that is huge when decompressed': (_, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
    response.end(BOMB);
  },
  'many layers of compression': (_, response) => {
    const layers = Array.from({ length: 1_000 }, () => 'gzip').join(', ');
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': layers });
    response.end(gzipSync('[]'));
  },
  'a compression that it never asked for': (_, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'zstd' }).end('[]');
  },
  'a broken compression': (_, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end('[]');
  },
  'JSON of great depth': (_, response) => {
    response.writeHead(200, JSON_TYPE).end('['.repeat(50_000) + ']'.repeat(50_000));
  },
  'JSON of very many pieces': (_, response) => {
    response.writeHead(200, JSON_TYPE).end(`[${'0,'.repeat(100_000)}0]`);
  },
  'bytes that are not UTF-8': (_, response) => {
    response.writeHead(200, JSON_TYPE).end(Buffer.from([0x22, 0xff, 0x22]));
  },
  'a connection that is reset in the middle of the body': (_, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' });
    response.write('[');
    setTimeout(() => response.socket?.resetAndDestroy(), 20);
  },
  'a body that ends before its length': (_, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' });
    response.write('[]', () => response.socket?.end());
  },
  'nothing at all': () => undefined,
  'a redirect to itself without end': (request, response) => {
    response.writeHead(302, { location: request.url }).end('[]');
  },
  'a page for people': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
  },
  'no HTTP': (_, response) => {
    response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n');
  },
};

/** An HTTP server that answers every request in one hostile way. */
export class HostileServer {
  /** The paths of all requests since the last change of the answer. */
  readonly paths: string[] = [];
  private readonly underWay = new Set<ServerResponse>();
  private answer: RequestListener = (_, response) => response.end();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<HostileServer> {
    const server = createServer();
    const started = new HostileServer(server);
    server.on('request', (request, response) => {
      started.paths.push(request.url ?? '');
      request.resume();
      response.on('error', () => undefined);
      started.underWay.add(response);
      response.once('close', () => started.underWay.delete(response));
      request.once('end', () => started.answer(request, response));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  answers(answer: RequestListener): void {
    this.paths.length = 0;
    this.answer = answer;
  }

  /** Resolves once no client keeps a connection on which an answer is still under way. */
  async isLeft(): Promise<void> {
    while (this.underWay.size > 0) await once(this.underWay.values().next().value!, 'close');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
