import { type ClientHttp2Session, connect } from 'node:http2';
import type { ConnectionSettings } from './connection-string.js';

/**
 * The bytes that the server may send before this process has read them, for each call and for the
 * connection. The default of 64 KiB lets a subscription read about 100 events in one turn of the event
 * loop, and a busy process has few turns.
 */
const WINDOW = 1024 * 1024;

/** Opens an HTTP/2 connection to `host:port`. If it cannot be opened, or breaks, its calls fail. */
export function openSession(node: string, settings: ConnectionSettings): ClientHttp2Session {
  const { tls } = settings;
  const window = { settings: { initialWindowSize: WINDOW } };
  const session =
    tls === undefined
      ? connect(`http://${node}`, window)
      : connect(`https://${node}`, { ...tls, ...window });
  session.on('connect', () => session.setLocalWindowSize(WINDOW));
  session.on('error', () => undefined);
  keepAlive(session, settings);
  return session;
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
