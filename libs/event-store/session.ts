import { type ClientHttp2Session, connect } from 'node:http2';
import type { ConnectionSettings } from './connection-string.js';

/** Opens an HTTP/2 connection to `host:port`. If it cannot be opened, or breaks, its calls fail. */
export function openSession(node: string, settings: ConnectionSettings): ClientHttp2Session {
  const { tls } = settings;
  const session =
    tls === undefined ? connect(`http://${node}`) : connect(`https://${node}`, { ...tls });
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
