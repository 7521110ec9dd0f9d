import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb, {
  type ReadReq,
  type ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientReadableStream } from '@grpc/grpc-js';
import type { JsonObject } from '#domain/json.js';
import type { EventMetadata } from '#domain/recorded-event.js';
import type { Link } from './connection.js';
import { type LoggedEvent } from './event-store.js';

export type ReadCall = ClientReadableStream<ReadResp>;

type Direction = 'forwards' | 'backwards';
const DIRECTION_NUMBER = { forwards: 0, backwards: 1 } as const;

const request = (direction: Direction, count: number): ReadReq.Options => {
  const options = new streamsPb.ReadReq.Options();
  options.setReadDirection(DIRECTION_NUMBER[direction]);
  options.setResolveLinks(false);
  options.setCount(String(count));
  const ids = new streamsPb.ReadReq.Options.UUIDOption();
  ids.setString(new sharedPb.Empty());
  options.setUuidOption(ids);
  options.setNoFilter(new sharedPb.Empty());
  return options;
};

const start = (link: Link, options: ReadReq.Options): Promise<ReadCall> => {
  const req = new streamsPb.ReadReq();
  req.setOptions(options);
  return link.open((streams, metadata, call) => streams.read(req, metadata, call));
};

/** `from` undefined: the stream's beginning, or backwards its end. */
export function readStreamCall(
  link: Link,
  stream: string,
  { from, direction, count }: { from: number | undefined; direction: Direction; count: number },
): Promise<ReadCall> {
  const options = request(direction, count);
  const place = new streamsPb.ReadReq.Options.StreamOptions();
  const name = new sharedPb.StreamIdentifier();
  name.setStreamName(Uint8Array.from(Buffer.from(stream)));
  place.setStreamIdentifier(name);
  if (from !== undefined) place.setRevision(String(from));
  else if (direction === 'forwards') place.setStart(new sharedPb.Empty());
  else place.setEnd(new sharedPb.Empty());
  options.setStream(place);
  return start(link, options);
}

const allAfter = (after: bigint | undefined): ReadReq.Options.AllOptions => {
  const place = new streamsPb.ReadReq.Options.AllOptions();
  if (after === undefined) {
    place.setStart(new sharedPb.Empty());
    return place;
  }
  const position = new streamsPb.ReadReq.Options.Position();
  position.setCommitPosition(String(after));
  position.setPreparePosition(String(after));
  place.setPosition(position);
  return place;
};

/** $all from its end towards its beginning, with `$` streams in it. */
export function readAllBackwardsCall(link: Link, count: number): Promise<ReadCall> {
  const options = request('backwards', count);
  const place = new streamsPb.ReadReq.Options.AllOptions();
  place.setEnd(new sharedPb.Empty());
  options.setAll(place);
  return start(link, options);
}

const SEARCH_WINDOW = 1000;

/** Follows $all after a position; the server leaves `$` streams out and reports how far it has looked. */
export function subscribeCall(link: Link, after: bigint | undefined): Promise<ReadCall> {
  const options = request('forwards', 0);
  options.setAll(allAfter(after));
  const notSystem = new streamsPb.ReadReq.Options.FilterOptions.Expression();
  notSystem.setRegex('^[^\\$].*');
  const filter = new streamsPb.ReadReq.Options.FilterOptions();
  filter.setStreamIdentifier(notSystem);
  filter.setMax(SEARCH_WINDOW);
  filter.setCheckpointintervalmultiplier(1);
  options.setFilter(filter);
  options.setSubscription(new streamsPb.ReadReq.Options.SubscriptionOptions());
  return start(link, options);
}

const parse = (bytes: Uint8Array): unknown =>
  JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());

type Recorded = ReadResp.ReadEvent.RecordedEvent;

const streamOf = (record: Recorded): string =>
  Buffer.from(record.getStreamIdentifier()!.getStreamName_asU8()).toString();

const isSystem = (record: Recorded): boolean => streamOf(record).startsWith('$');

/**
 * The event of a response, if it carries one of ours. Events that others wrote without JSON data come
 * with empty data and metadata, which no schema accepts.
 */
export function eventOf(response: ReadResp): LoggedEvent | undefined {
  const record = response.getEvent()?.getEvent();
  if (record === undefined || isSystem(record)) return undefined;
  const metadata = record.getCustomMetadata_asU8();
  const json = record.getMetadataMap().get('content-type') === 'application/json';
  return {
    id: record.getId()!.getString(),
    stream: streamOf(record),
    number: Number(record.getStreamRevision()),
    type: record.getMetadataMap().get('type') ?? '',
    position: BigInt(record.getCommitPosition()),
    data: (json ? parse(record.getData_asU8()) : {}) as JsonObject,
    metadata: (metadata.length > 0 ? parse(metadata) : {}) as EventMetadata,
  };
}
