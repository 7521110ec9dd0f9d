import grpcGossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossipPb, { type ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import grpcFeatures from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import featuresPb, {
  type SupportedMethods,
} from '@eventstore/db-client/generated/serverfeatures_pb.js';
import sharedPb, { type Empty } from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import grpcStreams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streamsPb, {
  type BatchAppendReq,
  type BatchAppendResp,
  type ReadReq,
  type ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import {
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  Metadata,
  status,
  type StatusObject,
} from '@grpc/grpc-js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';

export type Appends = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;
export type Reads = ServerWritableStream<ReadReq, ReadResp>;

export interface Script {
  /** The leader's port in answers to gossip; undefined if gossip must fail. */
  leaderPort?(): number | undefined;
  /** The server's version and methods; by default 24.10.14 with BatchAppend. */
  readonly features?: { readonly version: string; readonly methods: readonly string[] };
  /** Returns how the node refuses a call that requires a leader; undefined if the node is the leader. */
  refusal?(): Partial<StatusObject> | undefined;
  onAppend?(request: BatchAppendReq, call: Appends): void;
  onSubscribe?(call: Reads, afterPosition: string | undefined): void;
  onRead?(call: Reads): void;
}

/** A server that misbehaves as the test scripts it. Without `onRead`, a read finds no event. */
export interface ScriptedServer {
  readonly url: string;
  readonly port: number;
  /** Stops as a server does that is restarted: it sends GOAWAY, takes no connection, and keeps its open calls. */
  stopGently(): void;
  stop(): void;
}

export async function startScriptedServer(
  script: Script,
  { host = '127.0.0.1', credentials = ServerCredentials.createInsecure() } = {},
): Promise<ScriptedServer> {
  const server = new Server();
  server.addService(grpcStreams.StreamsService, {
    read: (call: Reads) => {
      const refusal = isForLeader(call) ? script.refusal?.() : undefined;
      if (refusal) return call.emit('error', refusal);
      const options = call.request.getOptions()!;
      if (options.hasSubscription()) {
        call.write(confirmation());
        script.onSubscribe?.(call, options.getAll()?.getPosition()?.getCommitPosition());
      } else if (script.onRead !== undefined) script.onRead(call);
      else call.end();
      return undefined;
    },
    batchAppend: (call: Appends) => {
      const refusal = isForLeader(call) ? script.refusal?.() : undefined;
      if (refusal) return call.emit('error', refusal);
      call.on('data', (request: BatchAppendReq) => script.onAppend?.(request, call));
      call.on('end', () => call.end());
      call.on('error', () => undefined);
      return undefined;
    },
    append: () => undefined,
    delete: () => undefined,
    tombstone: () => undefined,
  });
  server.addService(grpcFeatures.ServerFeaturesService, {
    getSupportedMethods: (_: unknown, answer: sendUnaryData<SupportedMethods>) =>
      answer(null, featuresOf(script)),
  });
  server.addService(grpcGossip.GossipService, {
    read: (_: ServerUnaryCall<Empty, ClusterInfo>, answer: sendUnaryData<ClusterInfo>) => {
      const leader = script.leaderPort?.();
      if (leader === undefined) answer({ code: status.UNAVAILABLE, details: 'no gossip' });
      else answer(null, clusterLedBy(host, leader));
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:0`, credentials, (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    port,
    url: `esdb://${host}:${port}?tls=false`,
    stopGently: () => server.tryShutdown(() => undefined),
    stop: () => server.forceShutdown(),
  };
}

function featuresOf({ features }: Script): SupportedMethods {
  const { version, methods } = features ?? { version: '24.10.14', methods: ['batchappend'] };
  const list = methods.map((name) =>
    new featuresPb.SupportedMethod()
      .setServiceName('event_store.client.streams.streams')
      .setMethodName(name),
  );
  return new featuresPb.SupportedMethods().setEventStoreServerVersion(version).setMethodsList(list);
}

const isForLeader = ({ metadata }: Reads | Appends): boolean =>
  metadata.get('requires-leader').includes('true');

/** The answer of a node that is not the leader and names the leader's port. */
export function notLeader(port: number, host = '127.0.0.1'): Partial<StatusObject> {
  const metadata = new Metadata();
  metadata.set('exception', 'not-leader');
  metadata.set('leader-endpoint-host', host);
  metadata.set('leader-endpoint-port', String(port));
  return { code: status.NOT_FOUND, details: 'Leader info available', metadata };
}

/** The answers of a node during an election. */
export const ELECTION: readonly Partial<StatusObject>[] = [
  { code: status.UNAVAILABLE, details: 'Server Is Not Ready' },
  { code: status.UNKNOWN, details: 'No leader info available in response' },
];

export function clusterLedBy(host: string, port: number): ClusterInfo {
  const id = new sharedPb.UUID();
  id.setString('00000000-0000-4000-8000-000000000000');
  const endPoint = new gossipPb.EndPoint().setAddress(host).setPort(port);
  const leader = new gossipPb.MemberInfo().setInstanceId(id).setHttpEndPoint(endPoint);
  leader.setState(gossipPb.MemberInfo.VNodeState.LEADER).setIsAlive(true);
  return new gossipPb.ClusterInfo().setMembersList([leader]);
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
  const failed = new statusPb.Status();
  failed.setCode(code);
  if (details !== undefined) {
    const any = new anyPb.Any();
    any.pack(details.bytes, details.type);
    failed.setDetails(any);
  }
  return answerTo(request).setError(failed);
}

/**
 * Makes an event of the stream `scripted` whose position equals its number, with a text of `length`
 * characters.
 */
export function eventAt(position: number, length = 0): ReadResp {
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
  const data = length === 0 ? {} : { text: 'x'.repeat(length) };
  record.setData(Uint8Array.from(Buffer.from(JSON.stringify(data))));
  const event = new streamsPb.ReadResp.ReadEvent();
  event.setEvent(record);
  event.setNoPosition(new sharedPb.Empty());
  return new streamsPb.ReadResp().setEvent(event);
}
