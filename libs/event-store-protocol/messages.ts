import {
  type Codec,
  deferred,
  entry,
  flag,
  message,
  nested,
  NUMBER,
  number,
  oneOf,
  only,
  repeated,
  scalar,
  type Scalar,
} from './message.js';

/** EventStoreDB's special values for an expected revision, and for the revision of a stream. */
export const Expectation = { noStream: -1, any: -2, streamExists: -4 } as const;

const STREAMS = '/event_store.client.streams.Streams';

/** The methods of EventStoreDB that the embedded node serves; the client calls some of them. */
export const Path = {
  read: `${STREAMS}/Read`,
  append: `${STREAMS}/Append`,
  batchAppend: `${STREAMS}/BatchAppend`,
  delete: `${STREAMS}/Delete`,
  tombstone: `${STREAMS}/Tombstone`,
  gossip: '/event_store.client.gossip.Gossip/Read',
  features: '/event_store.client.server_features.ServerFeatures/GetSupportedMethods',
} as const;

/** How one side of the protocol represents texts, bytes and positions. */
interface Representation<Text, Bytes, Position> {
  readonly text: Scalar<Text>;
  readonly bytes: Scalar<Bytes>;
  readonly position: Scalar<Position>;
  readonly uuid: Codec<Text>;
}

const UTF8: Scalar<string> = {
  absent: '',
  read: (fields) => fields.text(),
  write: (to, field, value) => to.text(field, value),
};
const LATIN1: Scalar<string> = {
  absent: '',
  read: (fields) => fields.text('latin1'),
  write: (to, field, value) => to.text(field, value, 'latin1'),
};
const VIEW: Scalar<Buffer> = {
  absent: Buffer.alloc(0),
  read: (fields) => fields.view(),
  write: (to, field, value) => to.bytes(field, value),
};
const UINT64: Scalar<bigint> = {
  absent: 0n,
  read: (fields) => fields.uint64(),
  write: (to, field, value) => to.uint64(field, value),
};

const hex = (half: bigint): string => half.toString(16).padStart(16, '0');

const StructuredUuid = message({
  high: scalar(UINT64, 1),
  low: scalar(UINT64, 2),
});
const asText = (high: bigint, low: bigint): string =>
  `${hex(high)}${hex(low)}`.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** A UUID as text, also if it arrives as two numbers; an empty text if it is missing. */
export const Uuid: Codec<string> = {
  read: (fields) => {
    let text = '';
    while (fields.next()) {
      if (fields.field === 1) {
        const { high, low } = StructuredUuid.read(fields.nested());
        text = asText(high, low);
      } else if (fields.field === 2) text = fields.text('latin1');
      else fields.skip();
    }
    return text;
  },
  write: (to, value) => to.text(2, value),
};

/** The client takes every text and all bytes as UTF-8. It keeps the positions of any server exactly. */
const ofClient: Representation<string, string, bigint> = {
  ...{ text: UTF8, bytes: UTF8, position: UINT64, uuid: Uuid },
};
/** In the node, each character of a text stands for one byte, and bytes are views into the message. */
const ofNode: Representation<string, Buffer, number> = {
  ...{ text: LATIN1, bytes: VIEW, position: NUMBER, uuid: Uuid },
};
/** In a stored event, every value is a view, because its place in the event matters. */
const ofStore: Representation<Buffer, Buffer, number> = {
  ...{ text: VIEW, bytes: VIEW, position: NUMBER, uuid: only(scalar(VIEW, 2)) },
};

const Seconds = message({ seconds: number(1), nanos: number(2) });
/** A Timestamp in milliseconds since 1970. */
const Timestamp: Codec<number> = {
  read: (fields) => {
    const { seconds, nanos } = Seconds.read(fields);
    return seconds * 1000 + nanos / 1e6;
  },
  write: (to, ms) =>
    Seconds.write(to, { seconds: Math.floor(ms / 1000), nanos: (ms % 1000) * 1_000_000 }),
};

/** The messages of EventStoreDB's protocol, as far as the client or the node uses them. */
function messages<Text, Bytes, Position>({
  text,
  bytes,
  position,
  uuid,
}: Representation<Text, Bytes, Position>) {
  const StreamIdentifier = only(scalar(text, 3));
  const commit = only(scalar(position, 1));
  /** A position of the log. The prepare position equals the commit position, which alone is read. */
  const Place: Codec<Position> = {
    read: (fields) => commit.read(fields),
    write: (to, value) => {
      position.write(to, 2, value);
      position.write(to, 1, value);
    },
  };

  const WriteOptions = message({
    stream: nested(1, StreamIdentifier),
    expected: oneOf(
      { 3: Expectation.noStream, 4: Expectation.any, 5: Expectation.streamExists },
      number(2),
    ),
    deadline: nested(6, Timestamp),
  });
  const ProposedMessage = message({
    id: nested(1, uuid),
    contentType: entry(bytes, 2, 'content-type'),
    type: entry(bytes, 2, 'type'),
    metadata: scalar(bytes, 3),
    data: scalar(bytes, 4),
  });
  const AppendReq = message({
    options: nested(1, WriteOptions),
    proposed: repeated(deferred(2, ProposedMessage)),
  });
  const BatchAppendReq = message({
    correlation: deferred(1, uuid),
    options: nested(2, WriteOptions),
    proposed: repeated(deferred(3, ProposedMessage)),
    isFinal: flag(4),
  });
  /** Also a TombstoneReq. */
  const DeleteReq = message({ options: nested(1, WriteOptions) });
  /** Also a TombstoneResp. */
  const DeleteResp = message({ position: nested(1, Place) });

  const Success = message({
    revision: oneOf({ 2: Expectation.noStream }, number(1)),
    position: nested(3, Place),
  });
  const AppendResp = message({
    success: nested(1, Success),
    wrongVersion: nested(
      2,
      message({
        current: oneOf({ 7: Expectation.noStream }, number(6)),
        expected: oneOf(
          { 9: Expectation.any, 10: Expectation.streamExists, 11: Expectation.noStream },
          number(8),
        ),
      }),
    ),
  });
  /** The detail of a google.rpc.Status. */
  const WrongExpectedVersion = message({
    current: oneOf({ 2: Expectation.noStream }, number(1)),
    expected: oneOf(
      { 4: Expectation.any, 5: Expectation.streamExists, 6: Expectation.noStream },
      number(3),
    ),
  });
  const StreamDeleted = message({ stream: nested(1, StreamIdentifier) });
  const MaximumAppendSizeExceeded = message({ bytes: number(1) });
  const BadRequest = message({ text: scalar(text, 1) });
  const Status = message({
    code: number(1),
    text: scalar(text, 2),
    detail: nested(3, message({ type: scalar(text, 1), value: deferred(2, message({})) })),
  });
  const BatchAppendResp = message({
    correlation: deferred(1, uuid),
    error: nested(2, Status),
    success: nested(3, Success),
    stream: nested(4, StreamIdentifier),
  });

  const Expression = message({
    regex: scalar(text, 1),
    prefixes: repeated(scalar(text, 2)),
  });
  const ReadReq = message({
    options: nested(
      1,
      message({
        stream: nested(
          1,
          message({
            name: nested(1, StreamIdentifier),
            from: oneOf({ 3: 'start', 4: 'end' }, number(2)),
          }),
        ),
        all: nested(2, only(oneOf({ 2: 'start', 3: 'end' }, nested(1, Place)))),
        /** 1 is backwards. */
        direction: number(3),
        resolvesLinks: flag(4),
        count: number(5),
        subscription: oneOf({ 6: true }),
        filter: nested(
          7,
          message({
            stream: nested(1, Expression),
            type: nested(2, Expression),
            window: oneOf({}, number(3)),
            checkpointMultiplier: number(5),
          }),
        ),
        noFilter: oneOf({ 8: true }),
        ids: nested(9, only(oneOf({ 1: 'structured', 2: 'text' }))),
      }),
    ),
  });
  const recorded = {
    id: nested(1, uuid),
    stream: nested(2, StreamIdentifier),
    number: number(3),
    position: scalar(position, 5),
    type: entry(bytes, 6, 'type'),
    contentType: entry(bytes, 6, 'content-type'),
    metadata: scalar(bytes, 7),
    data: scalar(bytes, 8),
  };
  const RecordedEvent = message(recorded);
  /** A RecordedEvent with what only its store reads: the time in 100 nanoseconds since 1970. */
  const StoredEvent = message({ ...recorded, created: entry(bytes, 6, 'created') });
  const ReadEvent = message({
    event: deferred(1, RecordedEvent),
    link: deferred(2, RecordedEvent),
    position: scalar(position, 3),
  });
  const ReadResp = message({
    event: nested(1, ReadEvent),
    confirmation: nested(2, only(scalar(text, 1))),
    checkpoint: nested(3, Place),
    notFound: nested(4, only(nested(1, StreamIdentifier))),
    caughtUp: oneOf({ 8: true }),
  });

  const SupportedMethods = message({
    methods: repeated(nested(1, message({ method: scalar(text, 1), service: scalar(text, 2) }))),
    version: scalar(text, 2),
  });
  const ClusterInfo = message({
    members: repeated(
      nested(
        1,
        message({
          id: nested(1, uuid),
          time: number(2),
          state: number(3),
          isAlive: flag(4),
          endpoint: nested(5, message({ host: scalar(text, 1), port: number(2) })),
        }),
      ),
    ),
  });
  return {
    ...{ AppendReq, AppendResp, BatchAppendReq, BatchAppendResp, DeleteReq, DeleteResp },
    ...{ ProposedMessage, WriteOptions, ReadReq, ReadResp, RecordedEvent, StoredEvent },
    ...{ WrongExpectedVersion, StreamDeleted, MaximumAppendSizeExceeded, BadRequest },
    ...{ SupportedMethods, ClusterInfo },
  };
}

export const clientMessages = messages(ofClient);
export const nodeMessages = messages(ofNode);
/** The events of the log, as the node stores them. */
export const { StoredEvent } = messages(ofStore);
