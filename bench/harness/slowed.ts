import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The time that a real server takes for an append with 64 writers, in ms. */
const DELAY_MS = 1;

/** Runs `work` with a connection string to the same server, each of whose answers arrives later. */
export async function withSlowedServer<Result>(
  url: string,
  work: (slowedUrl: string) => Promise<Result>,
): Promise<Result> {
  const target = new URL(url.replace(/^\w+:/, 'http:'));
  const sockets = new Set<Socket>();
  const listener = createServer({ noDelay: true }, (client) => {
    const server = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.pipe(server);
    server.on('data', (chunk) => setTimeout(() => client.write(chunk), DELAY_MS));
    server.on('close', () => client.destroy());
    client.on('close', () => server.destroy());
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  try {
    return await work(url.replace(target.host, `127.0.0.1:${port}`));
  } finally {
    for (const socket of sockets) socket.destroy();
    listener.close();
  }
}
