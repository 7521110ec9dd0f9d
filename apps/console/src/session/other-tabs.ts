import { type Session, sessionOf } from './session';

const CHANNEL = 'mace.session';

/** Offers a new session to other tabs of the console, where the same person's session may have ended. */
export function offerToOtherTabs({ token }: Session): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(token);
  channel.close();
}

/** Calls back with each session that starts in another tab, until the returned function is called. */
export function onSignInElsewhere(callback: (session: Session) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const session = typeof data === 'string' ? sessionOf(data) : undefined;
    if (session !== undefined) callback(session);
  };
  return () => channel.close();
}
