import type { EventToAppend } from '#event-store/event-store.js';
import { appendRequest, appendResponse } from '#event-store/protocol/batch-append.js';
import { readResponse, readStreamRequest, subscribeRequest } from '#event-store/protocol/read.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { FRAME_HEADER } from '#event-store-protocol/frames.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

const ID = '0190a6e2-7c1f-5d3a-8b4e-f00000000001';
const CORRELATION = 'f190a6e2-7c1f-4d3a-8b4e-00000000000f';

const eventOf = (data: EventToAppend['data']): EventToAppend => ({
  id: ID,
  type: 'noted',
  data,
  metadata: { actor: 'Åsa' } as unknown as EventToAppend['metadata'],
});

/** The message in a gRPC frame, whose header tells its length. */
function messageIn(frame: Buffer): Buffer {
  assert.equal(frame[0], 0);
  assert.equal(frame.readUInt32BE(1), frame.length - FRAME_HEADER);
  return frame.subarray(FRAME_HEADER);
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe('What is written to the log by hand is what its own message classes read', () => {
  const appended = (events: readonly EventToAppend[], expected: 'no_stream' | number) =>
    streamsPb.BatchAppendReq.deserializeBinary(
      messageIn(
        appendRequest({
          ...{ correlation: CORRELATION, stream: 'job-ü', expected, events },
          deadline: 1_700_000_000_123,
        }),
      ),
    );

  it('An append carries its stream, its deadline and its events in order', () => {
    const request = appended([eventOf({ text: 'é😀"' }), eventOf({ n: 2 })], 300);
    const options = request.getOptions()!;
    assert.equal(request.getCorrelationId()?.getString(), CORRELATION);
    assert.equal(request.getIsFinal(), true);
    assert.equal(textOf(options.getStreamIdentifier()!.getStreamName_asU8()), 'job-ü');
    assert.equal(options.getStreamPosition(), '300');
    assert.equal(options.getDeadline()?.toDate().getTime(), 1_700_000_000_123);
    const events = request.getProposedMessagesList();
    assert.deepEqual(
      events.map((event) => JSON.parse(textOf(event.getData_asU8())) as unknown),
      [{ text: 'é😀"' }, { n: 2 }],
    );
    assert.equal(events[0]!.getId()?.getString(), ID);
    assert.equal(textOf(events[0]!.getCustomMetadata_asU8()), '{"actor":"Åsa"}');
    assert.equal(events[0]!.getMetadataMap().get('type'), 'noted');
    assert.equal(events[0]!.getMetadataMap().get('content-type'), 'application/json');
  });

  it('An append may be larger than what the writer has room for, and leaves the one before it whole', () => {
    const small = appended([eventOf({ n: 1 })], 'no_stream');
    const text = 'ä'.repeat(300_000);
    const large = appended([eventOf({ text })], 'no_stream');
    assert.equal(large.getOptions()?.hasNoStream(), true);
    const [event] = large.getProposedMessagesList();
    assert.equal(textOf(event!.getData_asU8()), JSON.stringify({ text }));
    assert.equal(textOf(small.getProposedMessagesList()[0]!.getData_asU8()), '{"n":1}');
  });

  it('A read names where it begins, its direction and its count', () => {
    const frame = readStreamRequest('job-1', { from: 0, backwards: true, count: 2 ** 40 });
    const options = streamsPb.ReadReq.deserializeBinary(messageIn(frame)).getOptions()!;
    assert.equal(options.getStream()?.getRevision(), '0');
    assert.equal(options.getReadDirection(), 1);
    assert.equal(options.getCount(), String(2 ** 40));
    assert.equal(options.getUuidOption()?.hasString(), true);
  });

  it('A subscription goes on after a position and leaves system streams out', () => {
    const frame = subscribeRequest(2n ** 45n);
    const options = streamsPb.ReadReq.deserializeBinary(messageIn(frame)).getOptions()!;
    assert.equal(options.hasSubscription(), true);
    assert.equal(options.getAll()?.getPosition()?.getCommitPosition(), String(2n ** 45n));
    assert.equal(options.getFilter()?.getStreamIdentifier()?.getRegex(), '^[^\\$].*');
  });

  for (const position of [0n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n + 3n, 2n ** 64n - 1n]) {
    it(`The position ${position} is written and read without loss`, () => {
      const request = streamsPb.ReadReq.deserializeBinary(messageIn(subscribeRequest(position)));
      const written = request.getOptions()?.getAll()?.getPosition();
      assert.equal(written?.getCommitPosition(), String(position));
      assert.equal(written?.getPreparePosition(), String(position));
      const checkpoint = new streamsPb.ReadResp.Checkpoint();
      checkpoint.setCommitPosition(String(position));
      const response = new streamsPb.ReadResp().setCheckpoint(checkpoint).serializeBinary();
      assert.equal(readResponse(Buffer.from(response)).checkpoint, position);
    });
  }
});

describe('What the log answers is read whichever form it has', () => {
  it('An answer may repeat its id as two signed halves', () => {
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
    assert.deepEqual(appendResponse(Buffer.from(response.serializeBinary())), {
      ...{ correlation: CORRELATION, revision: 7, position: 2n ** 63n + 1n, error: undefined },
    });
  });

  it('A message that is cut off is refused', () => {
    assert.throws(() => appendResponse(Buffer.from([0x0a, 0x05, 0x12])), /cut off/);
  });
});
