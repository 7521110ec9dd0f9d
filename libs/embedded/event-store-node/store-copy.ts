import { connect, type IncomingHttpHeaders } from 'node:http2';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FrameSplitter } from '#event-store-protocol/frames.js';
import { FieldReader, MessageWriter } from '#event-store-protocol/protobuf.js';
import { privateFolder } from '../private-folder.js';
import { DATABASE_FILE } from './storage/database.js';
import type { PlacedRecord } from './storage/journal.js';
import { newSeed, writeStore } from './storage/open-log.js';
import { idIn, recordFrom } from './storage/record.js';

/** Thrown if the node could not read an event, because it is damaged in its files. */
export class DamagedLog extends Error {
  override readonly name = 'DamagedLog';
}

/** Thrown if the node does not answer, or stops in the middle of its answer. */
export class NodeUnreachable extends Error {
  override readonly name = 'NodeUnreachable';
}

export interface LogEnd {
  /** The position of the last event; 0 if the log is empty. Positions have no gaps. */
  readonly position: number;
  /** The id of the last event; empty if the log is empty. */
  readonly eventId: string;
}

export interface CopyOptions {
  /** Called once, with the number of events to copy. */
  readonly onEnd: (events: number) => void;
  readonly onEvents: (events: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Writes the log of a running node, up to its end at the time of the call, as a new store into a folder. Every
 * event keeps its position, its bytes and the time at which it was created; the `$` streams are copied too. The
 * node serves other calls meanwhile, and checks each event that it reads. Fails with `DamagedLog` or
 * `NodeUnreachable`, and with the signal's reason if it aborts.
 */
export async function copyStore(
  url: string,
  folder: string,
  { onEnd, onEvents, signal }: CopyOptions,
): Promise<LogEnd> {
  const seed = newSeed();
  const end = await endOf(url);
  onEnd(end.position);
  let copied = 0;
  const records = async function* (): AsyncGenerator<PlacedRecord> {
    if (end.position === 0) return;
    for await (const event of eventsOf(url, forwards(end.position))) {
      signal.throwIfAborted();
      const placed = recordFrom(event, seed);
      if (placed.position !== ++copied) {
        throw new NodeUnreachable(`it did not return the event at position ${copied}`);
      }
      yield placed;
      if (copied % EVENTS_PER_REPORT === 0) onEvents(EVENTS_PER_REPORT);
    }
    if (copied !== end.position) {
      throw new NodeUnreachable(`its answer ended at position ${copied} of ${end.position}`);
    }
  };
  await writeStore(folder, { seed, last: end.position, records: records() }, () => undefined);
  // The file contains only locks, of this process.
  await rm(join(folder, `${DATABASE_FILE}-lock`), { force: true });
  await privateFolder(folder);
  return end;
}

const EVENTS_PER_REPORT = 1_000;

async function endOf(url: string): Promise<LogEnd> {
  let end: LogEnd = { position: 0, eventId: '' };
  for await (const event of eventsOf(url, lastOne())) {
    const { position, record } = recordFrom(event, 0);
    end = { position, eventId: idIn(record) };
  }
  return end;
}

const READ = '/event_store.client.streams.Streams/Read';
const writer = new MessageWriter();

/** Encodes a ReadReq for the first events of $all. Fields are written in reverse order. */
function forwards(count: number): Buffer {
  return readAll(() => {
    writer.number(5, count);
    const place = writer.mark;
    writer.empty(2);
    writer.close(2, place);
  });
}

/** Encodes a ReadReq for the last event of $all. */
function lastOne(): Buffer {
  return readAll(() => {
    writer.number(5, 1);
    writer.number(3, 1);
    const place = writer.mark;
    writer.empty(3);
    writer.close(2, place);
  });
}

function readAll(writeRange: () => void): Buffer {
  const options = writer.mark;
  const ids = writer.mark;
  writer.empty(2);
  writer.close(9, ids);
  writer.empty(8);
  writeRange();
  writer.close(1, options);
  return Buffer.from(writer.frame());
}

const MAX_MESSAGE = 17 * 1024 * 1024;
const WINDOW = 1024 * 1024;
const SILENCE_MS = 60_000;

/** Yields the events of the answer, each as the protocol's RecordedEvent. */
async function* eventsOf(url: string, request: Buffer): AsyncGenerator<Buffer> {
  const { host, searchParams } = new URL(url);
  const session = connect(`http://${host}`, { settings: { initialWindowSize: WINDOW } });
  session.on('error', () => undefined);
  try {
    const stream = session.request({
      ':method': 'POST',
      ':path': READ,
      'content-type': 'application/grpc',
      'connection-name': searchParams.get('connectionName') ?? '',
      te: 'trailers',
    });
    stream.setTimeout(SILENCE_MS, () =>
      stream.destroy(new NodeUnreachable(`it said nothing for ${SILENCE_MS / 1000} s`)),
    );
    let ending: IncomingHttpHeaders = {};
    const noteEnding = (head: IncomingHttpHeaders): void => {
      if (head['grpc-status'] !== undefined) ending = head;
    };
    stream.on('response', noteEnding).on('trailers', noteEnding);
    stream.end(request);
    let messages: Buffer[] = [];
    const frames = new FrameSplitter(MAX_MESSAGE, (message) => messages.push(message));
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      frames.push(chunk);
      const arrived = messages;
      messages = [];
      for (const message of arrived) {
        const event = eventIn(message);
        if (event) yield event;
      }
    }
    requireSuccess(ending);
  } catch (cause) {
    // The connection broke.
    if (cause instanceof Error && 'code' in cause)
      throw new NodeUnreachable(cause.message, { cause });
    throw cause;
  } finally {
    session.destroy();
  }
}

function requireSuccess(ending: IncomingHttpHeaders): void {
  if (ending['grpc-status'] === '0') return;
  const text = decodeURIComponent(String(ending['grpc-message'] ?? ''));
  if (ending['exception'] === 'damaged-event') throw new DamagedLog(text);
  throw new NodeUnreachable(text === '' ? 'the connection was lost' : text);
}

/** Returns the event in a ReadResp; undefined for other answers. */
function eventIn(message: Buffer): Buffer | undefined {
  const fields = new FieldReader(message);
  while (fields.next()) {
    if (fields.field !== 1) {
      fields.skip();
      continue;
    }
    const event = fields.nested();
    while (event.next()) {
      if (event.field === 1) return event.view();
      event.skip();
    }
  }
  return undefined;
}
