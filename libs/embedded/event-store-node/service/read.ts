import { randomUUID } from 'node:crypto';
import { type Call, type CallHandler } from '../protocol/grpc-server.js';
import { type EventLog } from '../storage/event-log.js';
import { AllReader, type Page, StreamReader } from './readers.js';
import { readReadRequest, type ReadRequest } from './requests.js';
import { confirmation, streamNotFound, tombstoned } from './responses.js';

/** Streams.Read: a stream or $all, forwards, backwards, or as a subscription. */
export function read(log: EventLog, call: Call): CallHandler {
  let stop = (): void => undefined;
  return {
    message(body) {
      const request = readReadRequest(body);
      if (request.stream !== undefined && log.stream(request.stream)?.tombstoned) {
        throw tombstoned(request.stream);
      }
      if (request.count === undefined) stop = follow(log, call, request);
      else readToTheEnd(log, call, request, request.count);
    },
    closed: () => stop(),
  };
}

interface Reader {
  /** Returns the next events, at most `limit`; `isAtEnd` if there are no more. */
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
  const next = (): void => {
    while (call.isWritable) {
      const page = reader.page(left);
      if (page.frames.length > 0) call.send(page.frames);
      left -= page.events;
      if (page.isAtEnd || left <= 0) return call.finish();
    }
    if (call.isOpen) call.onDrain(() => guard(call, next));
  };
  next();
}

/**
 * Sends the existing events, reports that it has caught up, and then sends new events when they are durable.
 */
function follow(log: EventLog, call: Call, request: ReadRequest): () => void {
  const reader = readerFor(log, request);
  let isLive = false;
  let isBlocked = false;
  call.send(confirmation(randomUUID()));
  const pump = (): void => {
    if (isBlocked || !call.isOpen) return;
    for (;;) {
      const page = reader.page(Infinity);
      if (page.frames.length > 0) call.send(page.frames);
      if (page.isAtEnd) break;
      if (!call.isWritable) {
        isBlocked = true;
        call.onDrain(() => {
          isBlocked = false;
          guard(call, pump);
        });
        return;
      }
    }
    if (isLive) return;
    isLive = true;
    call.send(reader.caughtUp());
  };
  const stop = log.onDurable(() => guard(call, pump));
  pump();
  return stop;
}

const readerFor = (log: EventLog, request: ReadRequest): Reader & { caughtUp(): Buffer } =>
  request.stream === undefined ? new AllReader(log, request) : new StreamReader(log, request);

function guard(call: Call, step: () => void): void {
  try {
    step();
  } catch (error) {
    call.refuse(error);
  }
}
