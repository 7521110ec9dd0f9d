import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as afterThisTurn } from 'node:timers/promises';

/** A proxy between a client and a server. The test can make it drop data or connections. */
export interface Proxy {
  readonly url: string;
  /** Drops everything that the server sends on the present connections, from now on. */
  muteServer(): void;
  /** Closes the present connections and refuses new ones, until `reconnect` is called. */
  disconnect(): void;
  reconnect(): void;
  stop(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** Yields the data of the socket in pieces of 7 bytes, each in its own turn of the event loop. */
async function* inPieces(source: Socket): AsyncGenerator<Buffer> {
  for await (const chunk of source as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; at += 7) {
      yield chunk.subarray(at, at + 7);
      await afterThisTurn();
    }
  }
}

/** Starts a proxy to the server. `url` must have the form `esdb://host:port?…`, without TLS. */
export async function startProxy(
  url: string,
  { cutUp = false }: { readonly cutUp?: boolean } = {},
): Promise<Proxy> {
  const target = new URL(url.replace('esdb:', 'http:'));
  const pairs = new Set<Pair>();
  let refusing = false;
  const close = ({ client, server }: Pair): void => {
    client.destroy();
    server.destroy();
  };
  const listener = createServer((client) => {
    if (refusing) return void client.destroy();
    const server = connect(Number(target.port), target.hostname);
    const pair = { client, server };
    pairs.add(pair);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => close(pair));
      socket.on('close', () => {
        pairs.delete(pair);
        close(pair);
      });
    }
    client.pipe(server);
    if (cutUp)
      Readable.from(inPieces(server))
        .on('error', () => close(pair))
        .pipe(client);
    else server.pipe(client);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  return {
    url: `esdb://127.0.0.1:${port}${target.search}`,
    muteServer: () => {
      for (const { client, server } of pairs) {
        server.unpipe(client);
        server.resume();
      }
    },
    disconnect: () => {
      refusing = true;
      pairs.forEach(close);
    },
    reconnect: () => {
      refusing = false;
    },
    stop: async () => {
      pairs.forEach(close);
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
