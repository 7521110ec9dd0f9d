import { type ClientHttp2Session, connect } from 'node:http2';
import type { ConnectionSettings } from './connection-string.js';

/**
 * The bytes that the server may send before this process has read them, for each call and for the
 * connection. The default of 64 KiB lets a subscription read about 100 events in one turn of the event
 * loop, and a busy process has few turns.
 */
const WINDOW = 1024 * 1024;
/**
 * How long calls stay open after the server has said that it stops (GOAWAY). EventStoreDB keeps them open for 5 s
 * and may never answer them, while the rest of its cluster is already electing a leader.
 */
const STOPPING_MS = 300;

/** Why the calls of a session end after the server has said that it stops. */
export class NodeStops extends Error {
  override readonly name = 'NodeStops';
  constructor() {
    super('the server is stopping');
  }
}

/** Opens an HTTP/2 connection to `host:port`. If it cannot be opened, or breaks, its calls fail. */
export function openSession(node: string, settings: ConnectionSettings): ClientHttp2Session {
  const { tls } = settings;
  const window = { settings: { initialWindowSize: WINDOW } };
  const session =
    tls === undefined
      ? connect(`http://${node}`, window)
      : connect(`https://${node}`, { ...tls, ...window });
  // Node.js emits `connect` for a session that was closed while it connected, too.
  session.on('connect', () => session.destroyed || session.setLocalWindowSize(WINDOW));
  session.on('error', () => undefined);
  session.once('goaway', () => leaveSoon(session));
  keepAlive(session, settings);
  return session;
}

function leaveSoon(session: ClientHttp2Session): void {
  const timer = setTimeout(() => session.destroy(new NodeStops()), STOPPING_MS);
  session.once('close', () => clearTimeout(timer));
}

function keepAlive(
  session: ClientHttp2Session,
  { keepAliveInterval, keepAliveTimeout }: ConnectionSettings,
): void {
  if (keepAliveInterval < 0) return;
  const pings = setInterval(() => {
    if (session.destroyed) return;
    const overdue =
      keepAliveTimeout < 0
        ? undefined
        : setTimeout(() => session.destroy(), keepAliveTimeout).unref();
    session.ping(() => clearTimeout(overdue));
  }, keepAliveInterval).unref();
  session.on('close', () => clearInterval(pings));
}
