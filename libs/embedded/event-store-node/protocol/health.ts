import { type IncomingMessage, type ServerResponse } from 'node:http';

const LIVE = '/health/live';
const METHODS: readonly string[] = ['GET', 'HEAD'];
const SERVED = `The embedded event store serves gRPC over HTTP/2, and over HTTP/1.1 only GET ${LIVE}.\n`;

/**
 * Answers a request over HTTP/1.1: 204 to GET /health/live, as EventStoreDB does, and a refusal to others. It
 * shows nothing stored, so it needs no secret. The connection ends with the answer.
 */
export function healthAnswers(
  { url = '', method = '' }: IncomingMessage,
  answer: ServerResponse,
): void {
  answer.setHeader('connection', 'close');
  if (url.split('?', 1)[0] !== LIVE) {
    answer.writeHead(404, { 'content-type': 'text/plain' }).end(SERVED);
  } else if (!METHODS.includes(method)) {
    answer.writeHead(405, { allow: METHODS.join(', ') }).end();
  } else answer.writeHead(204).end();
}
