import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as afterThisTurn } from 'node:timers/promises';

/** A proxy between a client and a server. The test can make it drop data or connections. */
export interface Proxy {
  /** The server's URL with the proxy's address. */
  readonly url: string;
  /** Drops everything that the server sends on the present connections, from now on. */
  muteServer(): void;
  /** Delivers nothing on the present connections, until `flow` is called. */
  stall(): void;
  flow(): void;
  /** Ends one direction of the present connections and drops its data; the other direction goes on. */
  halfClose(toward: 'client' | 'server'): void;
  /** Drops what the server sends, and keeps the clients' connections although the server is gone, until `cut`. */
  loseAnswers(): void;
  /** Closes the present connections; new ones are accepted. */
  cut(): void;
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

/** Drops what the socket receives. */
function mute(socket: Socket): void {
  socket.unpipe();
  socket.resume();
}

/** Starts a proxy to the server. `url` must have the form `scheme://host:port…`, without TLS. */
export async function startProxy(
  url: string,
  { cutUp = false }: { readonly cutUp?: boolean } = {},
): Promise<Proxy> {
  const target = new URL(url.replace(/^\w+:/, 'http:'));
  const pairs = new Set<Pair>();
  let refusing = false;
  let losing = false;
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
      const isKept = (): boolean => losing && socket === server;
      socket.on('error', () => isKept() || close(pair));
      socket.on('close', () => {
        if (isKept()) return;
        pairs.delete(pair);
        close(pair);
      });
    }
    client.pipe(server);
    if (losing) mute(server);
    else if (cutUp)
      Readable.from(inPieces(server))
        .on('error', () => close(pair))
        .pipe(client);
    else server.pipe(client);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  const stalled = new Set<Pair>();
  return {
    url: url.replace(target.host, `127.0.0.1:${port}`),
    muteServer: () => {
      for (const { server } of pairs) mute(server);
    },
    stall: () => {
      for (const pair of pairs) {
        stalled.add(pair);
        for (const socket of [pair.client, pair.server]) {
          socket.unpipe();
          socket.pause();
        }
      }
    },
    flow: () => {
      for (const { client, server } of stalled) {
        client.pipe(server);
        server.pipe(client);
      }
      stalled.clear();
    },
    halfClose: (toward) => {
      for (const { client, server } of pairs) {
        const [from, to] = toward === 'client' ? [server, client] : [client, server];
        mute(from);
        to.end();
      }
    },
    loseAnswers: () => {
      losing = true;
      for (const { server } of pairs) mute(server);
    },
    cut: () => {
      losing = false;
      pairs.forEach(close);
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
