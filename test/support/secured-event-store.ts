import grpcGossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import grpcFeatures from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import sharedPb, { type Empty } from '@eventstore/db-client/generated/shared_pb.js';
import grpcStreams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streamsPb, {
  type AppendReq,
  type AppendResp,
  type BatchAppendReq,
  type BatchAppendResp,
  type DeleteReq,
  type DeleteResp,
  type ReadReq,
  type ReadResp,
  type TombstoneReq,
  type TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import codePb from '@eventstore/db-client/generated/code_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import {
  credentials,
  Metadata,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
  type StatusObject,
} from '@grpc/grpc-js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { notLeader } from '../contract/event-store-scripted-server.js';
import { CertificateAuthority } from './certificate-authority.js';
import { Accounts } from './secured-event-store-accounts.js';
import { StreamAccess } from './secured-event-store-access.js';
import { temporaryFolder } from './temporary-folder.js';

/** An EventStoreDB with TLS, users and rights, as far as the tests need it. */
export interface SecuredEventStore {
  /** The connection string of a user. */
  urlFor(user: string, password: string): string;
  readonly accounts: Accounts;
  /** Starts another node with the same users and log. It refuses what only a leader may answer. */
  follower(refusal?: Partial<StatusObject>): Promise<SecuredEventStore>;
  stop(): void;
}

type Stream = { getStreamName_asU8(): Uint8Array } | undefined;
const nameOf = (stream: Stream): string =>
  Buffer.from(stream?.getStreamName_asU8() ?? []).toString('utf8');

const failure = (code: status, exception: string): Error => {
  const metadata = new Metadata();
  metadata.set('exception', exception);
  return Object.assign(new Error(exception), { code, details: exception, metadata });
};
const DENIED = failure(status.PERMISSION_DENIED, 'access-denied');
const STRANGER = failure(status.UNAUTHENTICATED, 'not-authenticated');

/**
 * Starts a server that checks users and rights as EventStoreDB does (`StreamAccess`), and passes what is allowed
 * on to an embedded node, which stores it.
 */
export async function startSecuredEventStore(nodeUrl: string): Promise<SecuredEventStore> {
  const { host, searchParams } = new URL(nodeUrl.replace('esdb:', 'http:'));
  const insecure = credentials.createInsecure();
  const streams = new grpcStreams.StreamsClient(host, insecure);
  const own = new Metadata();
  own.set('connection-name', searchParams.get('connectionName') ?? '');

  const accounts = new Accounts();
  const access = new StreamAccess((stream) => lastJson(streams, own, stream));

  /** Resolves if the caller may do this; otherwise fails as the server would. */
  const check = async (metadata: Metadata, right: '$r' | '$w' | '$d', stream: string) => {
    const names = accounts.namesOf(metadata);
    if (names === undefined) throw STRANGER;
    if (!(await access.allows(names, right, stream))) throw DENIED;
  };

  const certificates = new CertificateAuthority();
  const { certificate, key } = certificates.issue(['localhost']);
  const folder = temporaryFolder('authority');
  const authority = join(folder.path, 'ca.crt');
  writeFileSync(authority, certificates.certificate);
  const ca = encodeURIComponent(authority);
  const pair = { cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) };
  const servers: Server[] = [];

  const start = async (interceptors: ServerInterceptor[]): Promise<SecuredEventStore> => {
    const server = new Server({ interceptors });
    servers.push(server);
    addServices(server);
    const port = await new Promise<number>((resolve, reject) => {
      const tls = ServerCredentials.createSsl(null, [pair]);
      server.bindAsync('localhost:0', tls, (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
    return {
      accounts,
      urlFor: (user, password) =>
        `esdb://${user}:${encodeURIComponent(password)}@localhost:${port}?tlsCAFile=${ca}`,
      follower: (refusal = notLeader(port, 'localhost')) => start([refusingAsFollower(refusal)]),
      stop: () => {
        for (const each of servers) each.forceShutdown();
        for (const client of [streams, features, gossip]) client.close();
        folder.remove();
      },
    };
  };

  const features = new grpcFeatures.ServerFeaturesClient(host, insecure);
  const gossip = new grpcGossip.GossipClient(host, insecure);
  return start([]);

  function addServices(server: Server): void {
    server.addService(grpcStreams.StreamsService, {
      read: (call: ServerWritableStream<ReadReq, ReadResp>) => {
        const { request, metadata } = call;
        const stream = request.getOptions()?.getStream()?.getStreamIdentifier();
        const name = stream === undefined ? '$all' : nameOf(stream);
        check(metadata, '$r', name).then(
          () => {
            const passed = streams.read(request, own);
            passed.on('data', (response: ReadResp) => call.write(response));
            passed.on('error', (error) => call.emit('error', error));
            passed.on('end', () => call.end());
            call.on('cancelled', () => passed.cancel());
          },
          (error: unknown) => call.emit('error', error),
        );
      },
      batchAppend: (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>) => {
        const passed = streams.batchAppend(own);
        passed.on('data', (response: BatchAppendResp) => call.write(response));
        passed.on('error', (error) => call.emit('error', error));
        passed.on('end', () => call.end());
        let before = Promise.resolve();
        call.on('data', (request: BatchAppendReq) => {
          const stream = nameOf(request.getOptions()?.getStreamIdentifier());
          before = before
            .then(() => check(call.metadata, '$w', stream))
            .then(
              () => void passed.write(request),
              (error: unknown) =>
                error === DENIED
                  ? void call.write(deniedAppend(request))
                  : call.emit('error', error),
            )
            .then(() => undefined);
        });
        call.on('end', () => void before.then(() => passed.end()));
        call.on('cancelled', () => passed.cancel());
      },
      append: (
        call: ServerReadableStream<AppendReq, AppendResp>,
        answer: sendUnaryData<AppendResp>,
      ) => {
        const requests: AppendReq[] = [];
        call.on('data', (request: AppendReq) => requests.push(request));
        call.on('end', () => {
          const stream = nameOf(requests[0]?.getOptions()?.getStreamIdentifier());
          check(call.metadata, '$w', stream).then(
            () => {
              const passed = streams.append(own, answer);
              for (const request of requests) passed.write(request);
              passed.end();
            },
            (error: Error) => answer(error),
          );
        });
      },
      delete: (call: ServerUnaryCall<DeleteReq, DeleteResp>, answer: sendUnaryData<DeleteResp>) => {
        const stream = nameOf(call.request.getOptions()?.getStreamIdentifier());
        check(call.metadata, '$d', stream).then(
          () => streams.delete(call.request, own, answer),
          (error: Error) => answer(error),
        );
      },
      tombstone: (
        call: ServerUnaryCall<TombstoneReq, TombstoneResp>,
        answer: sendUnaryData<TombstoneResp>,
      ) => {
        const stream = nameOf(call.request.getOptions()?.getStreamIdentifier());
        check(call.metadata, '$d', stream).then(
          () => streams.tombstone(call.request, own, answer),
          (error: Error) => answer(error),
        );
      },
    });
    server.addService(grpcFeatures.ServerFeaturesService, {
      getSupportedMethods: (
        { request }: ServerUnaryCall<Empty, SupportedMethods>,
        answer: sendUnaryData<SupportedMethods>,
      ) => features.getSupportedMethods(request, own, answer),
    });
    server.addService(grpcGossip.GossipService, {
      read: (
        { request }: ServerUnaryCall<Empty, ClusterInfo>,
        answer: sendUnaryData<ClusterInfo>,
      ) => gossip.read(request, own, answer),
    });
    accounts.serveOn(server);
  }
}

/** Refuses every call that requires a leader. */
const refusingAsFollower =
  (refusal: Partial<StatusObject>): ServerInterceptor =>
  (_, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, pass) =>
            metadata.get('requires-leader').includes('true')
              ? call.sendStatus({ code: status.UNKNOWN, details: '', ...refusal })
              : pass(metadata),
        }),
    });

function deniedAppend(request: BatchAppendReq): BatchAppendResp {
  const details = new anyPb.Any();
  details.pack(new Uint8Array(), 'event_store.client.AccessDenied');
  const failed = new statusPb.Status().setCode(codePb.Code.PERMISSION_DENIED).setDetails(details);
  return new streamsPb.BatchAppendResp()
    .setCorrelationId(request.getCorrelationId())
    .setStreamIdentifier(request.getOptions()?.getStreamIdentifier())
    .setError(failed);
}

/** Reads the JSON of a stream's last event; undefined if the stream has no event. */
function lastJson(
  streams: InstanceType<typeof grpcStreams.StreamsClient>,
  own: Metadata,
  name: string,
): Promise<unknown> {
  const options = new streamsPb.ReadReq.Options();
  const { StreamOptions, ReadDirection, UUIDOption } = streamsPb.ReadReq.Options;
  const identifier = new sharedPb.StreamIdentifier();
  identifier.setStreamName(Uint8Array.from(Buffer.from(name)));
  const stream = new StreamOptions().setStreamIdentifier(identifier).setEnd(new sharedPb.Empty());
  options.setStream(stream).setReadDirection(ReadDirection.BACKWARDS).setCount('1');
  options.setNoFilter(new sharedPb.Empty());
  options.setUuidOption(new UUIDOption().setString(new sharedPb.Empty()));
  return new Promise((resolve, reject) => {
    let last: unknown;
    const reading = streams.read(new streamsPb.ReadReq().setOptions(options), own);
    reading.on('data', (response: ReadResp) => {
      const record = response.getEvent()?.getEvent();
      if (record !== undefined)
        last = JSON.parse(Buffer.from(record.getData_asU8()).toString('utf8'));
    });
    reading.on('error', reject);
    reading.on('end', () => resolve(last));
  });
}
