import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What happens to a connection at its break. `inject` sends bytes that the server did not send, and goes on. */
export type BreakKind = 'end' | 'reset' | 'stall' | { readonly inject: Buffer };

/** A break of every connection, after this many bytes in one direction; 0 is before the first byte. */
export interface Break {
  readonly toward: 'client' | 'server';
  readonly after: number;
  readonly kind: BreakKind;
}

/** A proxy that breaks each connection at the same place. */
export interface BreakingProxy {
  readonly port: number;
  /** The next connections break so; undefined breaks none. */
  next(plan: Break | undefined): void;
  /** Returns the bytes of the connections since the last call, joined, in this direction. */
  takeBytes(toward: Break['toward']): Buffer;
  stop(): Promise<void>;
}

/** Starts a proxy to a port of this machine. */
export async function startBreakingProxy(
  target: number,
  host = '127.0.0.1',
): Promise<BreakingProxy> {
  const sockets = new Set<Socket>();
  const passed: Record<Break['toward'], Buffer[]> = { client: [], server: [] };
  let plan: Break | undefined;
  const listener = createServer((client) => {
    const server = connect(target, host);
    const close = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket.setNoDelay(true));
      socket
        .on('error', close)
        .on('close', close)
        .on('close', () => sockets.delete(socket));
    }
    const forward = (from: Socket, to: Socket, toward: Break['toward']): void => {
      const own = plan?.toward === toward ? plan : undefined;
      let left = own?.after ?? Infinity;
      const breakIt = (rest: Buffer): void => {
        left = Infinity;
        switch (own!.kind) {
          case 'end':
            from.removeAllListeners('data');
            from.resume();
            to.end();
            return;
          case 'reset':
            // A socket that is still connecting cannot be reset.
            if (toward === 'client') client.resetAndDestroy();
            else if (server.connecting) server.destroy();
            else server.resetAndDestroy();
            return;
          case 'stall':
            from.pause();
            to.pause();
            return;
          default:
            to.write(Buffer.concat([(own!.kind as { inject: Buffer }).inject, rest]));
        }
      };
      from.on('data', (chunk: Buffer) => {
        passed[toward].push(chunk);
        if (chunk.length < left) {
          left -= chunk.length;
          to.write(chunk);
          return;
        }
        to.write(chunk.subarray(0, left));
        breakIt(chunk.subarray(left));
      });
      from.on('end', () => to.end());
      if (left === 0) breakIt(Buffer.alloc(0));
    };
    forward(client, server, 'server');
    forward(server, client, 'client');
  });
  await new Promise<void>((resolve) => listener.listen(0, host, resolve));
  return {
    port: (listener.address() as AddressInfo).port,
    next: (next) => {
      plan = next;
      for (const socket of sockets) socket.destroy();
    },
    takeBytes: (toward) => Buffer.concat(passed[toward].splice(0)),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
