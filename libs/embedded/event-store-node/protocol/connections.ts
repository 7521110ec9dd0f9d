import http from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { healthAnswers } from './health.js';

/** The first bytes of every HTTP/2 connection. No HTTP/1.1 request begins with them. */
const HTTP2_PREFACE = Buffer.from('PRI * HTTP/2.0\r\n');
/** The time in ms in which a client must send the first bytes of its connection, or a whole HTTP/1.1 request. */
const PATIENCE_MS = 5_000;

type Protocol = 'http1' | 'http2';

/**
 * Makes the server of the node's port. It gives a connection to `http2` or answers it over HTTP/1.1, as its
 * first bytes say.
 */
export function connectionServer(http2: Server): Server {
  const http1 = http.createServer(healthAnswers);
  const targets: Readonly<Record<Protocol, Server>> = { http1, http2 };
  return createServer((socket) => {
    const ignore = (): void => undefined;
    // A client may break its connection at any time.
    socket.on('error', ignore);
    const overdue = setTimeout(() => socket.destroy(), PATIENCE_MS);
    socket.once('close', () => clearTimeout(overdue));
    whenKnown(socket, (protocol) => {
      if (protocol === 'http2') clearTimeout(overdue);
      targets[protocol].emit('connection', socket);
      if (protocol === 'http1') socket.resume();
    });
  });
}

/** Calls back when the first bytes of a connection tell its protocol. The bytes are then unread again. */
function whenKnown(socket: Socket, found: (protocol: Protocol) => void): void {
  let start = Buffer.alloc(0);
  const receive = (bytes: Buffer): void => {
    start = Buffer.concat([start, bytes]);
    const protocol = protocolOf(start);
    if (protocol === undefined) return;
    socket.off('data', receive);
    socket.pause();
    socket.unshift(start);
    found(protocol);
  };
  socket.on('data', receive);
}

/** Returns the protocol of a connection that begins with these bytes; undefined for too few bytes. */
function protocolOf(start: Buffer): Protocol | undefined {
  const length = Math.min(start.length, HTTP2_PREFACE.length);
  if (start.compare(HTTP2_PREFACE, 0, length, 0, length) !== 0) return 'http1';
  return length === HTTP2_PREFACE.length ? 'http2' : undefined;
}
