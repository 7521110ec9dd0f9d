import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that passes requests on to a service with a bearer token, because the suites send none. */
export interface TokenProxy {
  readonly url: string;
  stop(): void;
}

/** Starts a proxy that changes nothing but the header Authorization. */
export async function startTokenProxy(serviceUrl: string, token: string): Promise<TokenProxy> {
  const { hostname, port } = new URL(serviceUrl);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const forwarded = request(
      {
        hostname,
        port,
        method,
        path,
        headers: { ...headers, authorization: `Bearer ${token}` },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
