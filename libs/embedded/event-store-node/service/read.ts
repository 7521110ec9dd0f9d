import { randomUUID } from 'node:crypto';
import { type Call, type CallHandler, guarded } from '../protocol/grpc-server.js';
import { type EventLog } from '../storage/event-log.js';
import { AllReader } from './all-reader.js';
import { type Page } from './page.js';
import { readReadRequest, type ReadRequest } from './requests.js';
import { confirmation, streamNotFound, tombstoned } from './responses.js';
import { StreamReader } from './stream-reader.js';

/** Serves Streams.Read: reads a stream or $all, forwards or backwards, or follows it as a subscription. */
export function read(log: EventLog, call: Call): CallHandler {
  let stop = (): void => undefined;
  return {
    message(body) {
      const request = readReadRequest(body);
      if (request.stream !== undefined && log.isTombstoned(request.stream)) {
        throw tombstoned(request.stream);
      }
      if (request.count === undefined) stop = follow(log, call, request);
      else readToTheEnd(log, call, request, request.count);
    },
    closed: () => stop(),
  };
}

interface Reader {
  /** Returns at most `limit` events; `isAtEnd` is true if no more follow. */
  page(limit: number): Page;
}

function readToTheEnd(log: EventLog, call: Call, request: ReadRequest, count: number): void {
  if (request.stream !== undefined) {
    const state = log.stream(request.stream);
    if (!state || state.isDeleted || log.lastNumber(state) < 0) {
      call.send(streamNotFound(request.stream));
      call.finish();
      return;
    }
  }
  const reader = readerFor(log, request);
  let left = count;
  const next = guarded(call, () => {
    const page = reader.page(left);
    if (page.frames.length > 0) call.send(page.frames);
    left -= page.events;
    if (page.isAtEnd || left <= 0) return call.finish();
    continueSoon(call, next);
  });
  next();
}

/**
 * Sends the existing events, reports that the subscription has caught up, and then sends new events as
 * soon as they are durable.
 */
function follow(log: EventLog, call: Call, request: ReadRequest): () => void {
  const reader = readerFor(log, request);
  let isLive = false;
  let isWaiting = false;
  call.send(confirmation(randomUUID()));
  const pump = guarded(call, () => {
    if (isWaiting) return;
    const page = reader.page(Infinity);
    if (page.frames.length > 0) call.send(page.frames);
    if (!page.isAtEnd) {
      isWaiting = true;
      continueSoon(call, () => {
        isWaiting = false;
        pump();
      });
      return;
    }
    // After its tombstone, a stream has no more events.
    if (request.stream !== undefined && log.isTombstoned(request.stream)) {
      throw tombstoned(request.stream);
    }
    if (isLive) return;
    isLive = true;
    call.send(reader.caughtUp());
  });
  const stop = log.onDurable(pump);
  pump();
  return stop;
}

const readerFor = (log: EventLog, request: ReadRequest): Reader & { caughtUp(): Buffer } =>
  request.stream === undefined ? new AllReader(log, request) : new StreamReader(log, request);

/** Continues a read when its client has room for the next page, and after the other calls had their turn. */
function continueSoon(call: Call, step: () => void): void {
  if (call.isWritable) setImmediate(step);
  else call.onDrain(step);
}
