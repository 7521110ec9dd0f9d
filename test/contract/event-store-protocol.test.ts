import { describe, expect, it } from '@jest/globals';
import type { EventToAppend } from '#event-store/event-store.js';
import { appendRequest, appendResponse } from '#event-store/protocol/batch-append.js';
import { readResponse, readStreamRequest, subscribeRequest } from '#event-store/protocol/read.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { FRAME_HEADER } from '#event-store-protocol/frames.js';

const ID = '0190a6e2-7c1f-5d3a-8b4e-f00000000001';
const CORRELATION = 'f190a6e2-7c1f-4d3a-8b4e-00000000000f';

const eventOf = (data: EventToAppend['data']): EventToAppend => ({
  id: ID,
  type: 'noted',
  data,
  metadata: { actor: 'Åsa' } as unknown as EventToAppend['metadata'],
});

/** Returns the message of a gRPC frame, and checks the length in the frame's header. */
function messageIn(frame: Buffer): Buffer {
  expect(frame[0]).toBe(0);
  expect(frame.readUInt32BE(1)).toBe(frame.length - FRAME_HEADER);
  return frame.subarray(FRAME_HEADER);
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe('Requests that the client encodes by hand', () => {
  const appended = (events: readonly EventToAppend[], expected: 'no_stream' | number) =>
    streamsPb.BatchAppendReq.deserializeBinary(
      messageIn(
        appendRequest({
          ...{ correlation: CORRELATION, stream: 'job-ü', expected, events },
          deadline: 1_700_000_000_123,
        }),
      ),
    );

  it('An encoded append carries its stream, its deadline and its events in order', () => {
    const request = appended([eventOf({ text: 'é😀"' }), eventOf({ n: 2 })], 300);
    const options = request.getOptions()!;
    expect(request.getCorrelationId()?.getString()).toBe(CORRELATION);
    expect(request.getIsFinal()).toBe(true);
    expect(textOf(options.getStreamIdentifier()!.getStreamName_asU8())).toBe('job-ü');
    expect(options.getStreamPosition()).toBe('300');
    expect(options.getDeadline()?.toDate().getTime()).toBe(1_700_000_000_123);
    const events = request.getProposedMessagesList();
    expect(
      events.map((event) => JSON.parse(textOf(event.getData_asU8())) as unknown),
    ).toStrictEqual([{ text: 'é😀"' }, { n: 2 }]);
    expect(events[0]!.getId()?.getString()).toBe(ID);
    expect(textOf(events[0]!.getCustomMetadata_asU8())).toBe('{"actor":"Åsa"}');
    expect(events[0]!.getMetadataMap().get('type')).toBe('noted');
    expect(events[0]!.getMetadataMap().get('content-type')).toBe('application/json');
  });

  it("Encoding an append that is larger than the encoder's buffer does not change the append before it", () => {
    const small = appended([eventOf({ n: 1 })], 'no_stream');
    const text = 'ä'.repeat(300_000);
    const large = appended([eventOf({ text })], 'no_stream');
    expect(large.getOptions()?.hasNoStream()).toBe(true);
    const [event] = large.getProposedMessagesList();
    expect(textOf(event!.getData_asU8())).toBe(JSON.stringify({ text }));
    expect(textOf(small.getProposedMessagesList()[0]!.getData_asU8())).toBe('{"n":1}');
  });

  it('An encoded read has its start, its direction and its count', () => {
    const frame = readStreamRequest('job-1', { from: 0, backwards: true, count: 2 ** 40 });
    const options = streamsPb.ReadReq.deserializeBinary(messageIn(frame)).getOptions()!;
    expect(options.getStream()?.getRevision()).toBe('0');
    expect(options.getReadDirection()).toBe(1);
    expect(options.getCount()).toBe(String(2 ** 40));
    expect(options.getUuidOption()?.hasString()).toBe(true);
  });

  it('An encoded subscription starts after a position and leaves out system streams', () => {
    const frame = subscribeRequest(2n ** 45n);
    const options = streamsPb.ReadReq.deserializeBinary(messageIn(frame)).getOptions()!;
    expect(options.hasSubscription()).toBe(true);
    expect(options.getAll()?.getPosition()?.getCommitPosition()).toBe(String(2n ** 45n));
    expect(options.getFilter()?.getStreamIdentifier()?.getRegex()).toBe('^[^\\$].*');
  });

  for (const position of [0n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n + 3n, 2n ** 64n - 2n]) {
    it(`The position ${position} is encoded and decoded without loss`, () => {
      const request = streamsPb.ReadReq.deserializeBinary(messageIn(subscribeRequest(position)));
      const written = request.getOptions()?.getAll()?.getPosition();
      expect(written?.getCommitPosition()).toBe(String(position));
      expect(written?.getPreparePosition()).toBe(String(position));
      const checkpoint = new streamsPb.ReadResp.Checkpoint();
      checkpoint.setCommitPosition(String(position));
      const response = new streamsPb.ReadResp().setCheckpoint(checkpoint).serializeBinary();
      expect(readResponse(Buffer.from(response)).checkpoint).toBe(position);
    });
  }

  it('The checkpoint 2^64 - 1 is read as no checkpoint, because an old server sends it while it has nothing to send', () => {
    const checkpoint = new streamsPb.ReadResp.Checkpoint();
    checkpoint.setCommitPosition(String(2n ** 64n - 1n));
    const response = new streamsPb.ReadResp().setCheckpoint(checkpoint).serializeBinary();
    expect(readResponse(Buffer.from(response))).toStrictEqual({});
  });
});

describe('Answers that the client decodes', () => {
  it('The client reads an answer whose id is encoded as two signed integers', () => {
    const halves = new sharedPb.UUID.Structured();
    const [high, low] = [CORRELATION.slice(0, 18), CORRELATION.slice(19)].map((half) =>
      BigInt.asIntN(64, BigInt(`0x${half.replaceAll('-', '')}`)).toString(),
    );
    halves.setMostSignificantBits(high!);
    halves.setLeastSignificantBits(low!);
    const id = new sharedPb.UUID();
    id.setStructured(halves);
    const done = new streamsPb.BatchAppendResp.Success();
    const position = new sharedPb.AllStreamPosition();
    position.setCommitPosition(String(2n ** 63n + 1n));
    done.setCurrentRevision('7');
    done.setPosition(position);
    const response = new streamsPb.BatchAppendResp().setCorrelationId(id).setSuccess(done);
    expect(appendResponse(Buffer.from(response.serializeBinary()))).toStrictEqual({
      ...{ correlation: CORRELATION, revision: 7, position: 2n ** 63n + 1n, error: undefined },
    });
  });

  it('The client refuses a message that is cut off', () => {
    expect(() => appendResponse(Buffer.from([0x0a, 0x05, 0x12]))).toThrow(/cut off/);
  });
});
