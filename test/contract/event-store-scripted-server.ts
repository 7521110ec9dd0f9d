import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import grpcStreams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streamsPb, {
  type BatchAppendReq,
  type BatchAppendResp,
  type ReadReq,
  type ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import {
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerWritableStream,
} from '@grpc/grpc-js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';

export type Appends = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;
export type Reads = ServerWritableStream<ReadReq, ReadResp>;

export interface Script {
  onAppend?(request: BatchAppendReq, call: Appends): void;
  onSubscribe?(call: Reads, afterPosition: string | undefined): void;
  onRead?(call: Reads): void;
}

/** A server that misbehaves as it is told, where a real one would have to be made to. Reads find nothing. */
export interface ScriptedServer {
  readonly url: string;
  stop(): void;
}

export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const server = new Server();
  server.addService(grpcStreams.StreamsService, {
    read: (call: Reads) => {
      const options = call.request.getOptions()!;
      if (options.hasSubscription()) {
        call.write(confirmation());
        script.onSubscribe?.(call, options.getAll()?.getPosition()?.getCommitPosition());
      } else if (script.onRead !== undefined) script.onRead(call);
      else call.end();
    },
    batchAppend: (call: Appends) => {
      call.on('data', (request: BatchAppendReq) => script.onAppend?.(request, call));
      call.on('end', () => call.end());
      call.on('error', () => undefined);
    },
    append: () => undefined,
    delete: () => undefined,
    tombstone: () => undefined,
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { url: `esdb://127.0.0.1:${port}?tls=false`, stop: () => server.forceShutdown() };
}

const confirmation = (): ReadResp => {
  const confirmed = new streamsPb.ReadResp.SubscriptionConfirmation();
  confirmed.setSubscriptionId('scripted');
  return new streamsPb.ReadResp().setConfirmation(confirmed);
};

const answerTo = (request: BatchAppendReq): BatchAppendResp => {
  const response = new streamsPb.BatchAppendResp();
  response.setCorrelationId(request.getCorrelationId());
  response.setStreamIdentifier(request.getOptions()?.getStreamIdentifier());
  return response;
};

export function success(request: BatchAppendReq, revision: number): BatchAppendResp {
  const done = new streamsPb.BatchAppendResp.Success();
  done.setCurrentRevision(String(revision));
  done.setNoPosition(new sharedPb.Empty());
  return answerTo(request).setSuccess(done);
}

export function failure(
  request: BatchAppendReq,
  code: number,
  details?: { readonly type: string; readonly bytes: Uint8Array },
): BatchAppendResp {
  const status = new statusPb.Status();
  status.setCode(code);
  if (details !== undefined) {
    const any = new anyPb.Any();
    any.pack(details.bytes, details.type);
    status.setDetails(any);
  }
  return answerTo(request).setError(status);
}

/** An event of $all, in the stream `scripted`, whose number is its position. */
export function eventAt(position: number): ReadResp {
  const id = new sharedPb.UUID();
  id.setString('00000000-0000-4000-8000-000000000000');
  const stream = new sharedPb.StreamIdentifier();
  stream.setStreamName(Uint8Array.from(Buffer.from('scripted')));
  const record = new streamsPb.ReadResp.ReadEvent.RecordedEvent();
  record.setId(id);
  record.setStreamIdentifier(stream);
  record.setStreamRevision(String(position));
  record.setCommitPosition(String(position));
  record.setPreparePosition(String(position));
  record.getMetadataMap().set('type', 'noted').set('content-type', 'application/json');
  record.setData(Uint8Array.from(Buffer.from('{}')));
  const event = new streamsPb.ReadResp.ReadEvent();
  event.setEvent(record);
  event.setNoPosition(new sharedPb.Empty());
  return new streamsPb.ReadResp().setEvent(event);
}
