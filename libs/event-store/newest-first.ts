import type { EventStore, LoggedEvent } from './event-store.js';

const FIRST_PAGE = 4;
const MAX_PAGE = 512;

/**
 * Yields the events of a stream from its last one, or from a number, backwards, in pages that grow. A caller may stop
 * at any event. A read that is cancelled instead resets a stream of the HTTP/2 connection, and a server ends the
 * connection after about a thousand of those in a row (CVE-2023-44487).
 */
export async function* newestFirst(
  eventStore: EventStore,
  stream: string,
  from?: number,
): AsyncGenerator<LoggedEvent, void, undefined> {
  let next = from;
  for (let limit = FIRST_PAGE; ; limit = Math.min(limit * FIRST_PAGE, MAX_PAGE)) {
    const page: LoggedEvent[] = [];
    const start = next === undefined ? {} : { from: next };
    for await (const event of eventStore.readStream(stream, { backwards: true, limit, ...start }))
      page.push(event);
    yield* page;
    const last = page.at(-1);
    if (page.length < limit || last === undefined || last.number === 0) return;
    next = last.number - 1;
  }
}
