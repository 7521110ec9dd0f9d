import { privateFolder } from '../private-folder.js';
import { forgetAddress, keepAddress } from './address.js';
import { type CallHandler, GrpcServer, type Method } from './protocol/grpc-server.js';
import { Refused, Status } from './protocol/status.js';
import { nodeSecret, nodeUrl, secretCheck } from './secret.js';
import { append } from './service/append.js';
import { batchAppend } from './service/batch-append.js';
import { deleteStream } from './service/delete.js';
import { gossip } from './service/gossip.js';
import { read } from './service/read.js';
import { serverFeatures } from './service/server-features.js';
import { refuseUnknown } from './service/unserved.js';
import { openLog } from './storage/open-log.js';

export interface NodeOptions {
  readonly folder: string;
  readonly host: string;
  /** The port; 0 means any free port. */
  readonly port: number;
  /** The maximum bytes of stored data. With Infinity, only the disk is the limit. */
  readonly quotaBytes: number;
  /** Called if a write to disk has failed. The process should then end, and start again from the data on disk. */
  readonly onBroken: (error: unknown) => void;
  /** Receives a sentence about each thing that the start mends or converts, and about the progress of long steps. */
  readonly onNotice: (sentence: string) => void;
  /** Serves the events that are whole, refuses writes, and changes none of the store's files. */
  readonly skipDamaged: boolean;
}

export interface EventStoreNode {
  readonly port: number;
  /** The connection string, with the node's secret. */
  readonly url: string;
  close(): Promise<void>;
}

const STREAMS = '/event_store.client.streams.Streams';
const GOSSIP = '/event_store.client.gossip.Gossip/Read';
const FEATURES = '/event_store.client.server_features.ServerFeatures/GetSupportedMethods';

/** The official client calls these methods without the name of its connection; they show nothing stored. */
const OPEN: ReadonlySet<string> = new Set([GOSSIP, FEATURES]);

const stranger = (): Refused =>
  new Refused(
    Status.unauthenticated,
    'The embedded event store wants its secret as connectionName in the connection string (see the file secret in its folder)',
  );

/**
 * Serves EventStoreDB's protocol from a folder. Methods that this node does not implement answer
 * UNIMPLEMENTED. Fails with `DamagedStore` if the files of the folder are damaged and cannot be mended.
 */
export async function startNode({
  folder,
  host,
  port,
  ...options
}: NodeOptions): Promise<EventStoreNode> {
  await privateFolder(folder);
  await forgetAddress(folder);
  const secret = await nodeSecret(folder);
  const log = await openLog(folder, options);
  // The library gives the files of the database more rights than their folder has.
  await privateFolder(folder);
  const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
    [`${STREAMS}/Read`, (call) => read(log, call)],
    [`${STREAMS}/Append`, (call) => append(log, call)],
    [`${STREAMS}/BatchAppend`, (call) => batchAppend(log, call)],
    [`${STREAMS}/Delete`, (call) => deleteStream(log, call, 'delete')],
    [`${STREAMS}/Tombstone`, (call) => deleteStream(log, call, 'tombstone')],
    [GOSSIP, gossip],
    [FEATURES, (call): CallHandler => serverFeatures([...methods.keys()], call)],
  ]);
  const isSecret = secretCheck(secret);
  const server = new GrpcServer(methods, refuseUnknown, (path, { 'connection-name': name }) =>
    OPEN.has(path) || isSecret(String(name ?? '')) ? undefined : stranger(),
  );
  try {
    const boundPort = await server.listen(port, host);
    await keepAddress(folder, host, boundPort);
    return {
      port: boundPort,
      url: nodeUrl(host, boundPort, secret),
      close: async () => {
        await forgetAddress(folder);
        await server.close();
        await log.close();
      },
    };
  } catch (error) {
    await log.close();
    throw error;
  }
}
