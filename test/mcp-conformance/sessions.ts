import {
  type EventStore,
  type LegacyHttpHandler,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';

/** Keeps the messages of a session's streams in memory, so that a client can open a stream again. */
function eventsInMemory(): EventStore {
  const events: { id: string; stream: string; message: object }[] = [];
  return {
    storeEvent: (stream, message) => {
      const id = `${stream}#${events.length}`;
      events.push({ id, stream, message });
      return Promise.resolve(id);
    },
    getStreamIdForEventId: (id) => Promise.resolve(id.slice(0, id.lastIndexOf('#'))),
    replayEventsAfter: async (last, { send }) => {
      const after = events.findIndex(({ id }) => id === last);
      const stream = last.slice(0, last.lastIndexOf('#'));
      for (const event of events.slice(after + 1))
        if (event.stream === stream && Object.keys(event.message).length > 0)
          await send(event.id, event.message as Parameters<typeof send>[1]);
      return stream;
    },
  };
}

/**
 * Serves the revisions of 2025 with sessions. Some scenarios need them: a server can send a request to such a client only
 * while a session lasts. The product itself has no sessions, and sends no requests.
 */
export function sessions(serverFor: () => McpServer): LegacyHttpHandler {
  const open = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request, options) => {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : open.get(id);
    if (known !== undefined) return known.handleRequest(request, options);
    if (id !== null) return new Response('The session has ended.', { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: eventsInMemory(),
      retryInterval: 100,
      onsessioninitialized: (session) => {
        open.set(session, transport);
      },
      onsessionclosed: (session) => {
        open.delete(session);
      },
    });
    await serverFor().connect(transport);
    return transport.handleRequest(request, options);
  };
}
