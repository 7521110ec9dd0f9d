import type { LoggedEvent } from '#event-store/event-store.js';
import type { StreamPiece } from './event-stream-body.js';
import { eventView } from './event-view.js';
import type { LogPage } from './log-tail.js';

const PIECE_CHARACTERS = 64 * 1024;

/** The frames of events that several readers get at the same time. */
const made = new WeakMap<LoggedEvent, string>();

/** Returns an event as a server-sent event, whose id is the event's position. */
function frameOf(event: LoggedEvent): string {
  let frame = made.get(event);
  if (frame === undefined) {
    frame = `id: ${event.position}\ndata: ${JSON.stringify(eventView(event))}\n\n`;
    made.set(event, frame);
  }
  return frame;
}

/** Yields a page as text, in pieces of about 64 KiB. */
export function* framesOf({ events, upTo }: LogPage): Generator<StreamPiece> {
  let text = '';
  for (const event of events) {
    text += frameOf(event);
    if (text.length < PIECE_CHARACTERS) continue;
    yield { text, upTo: event.position };
    text = '';
  }
  yield { text, upTo };
}
