import { mkdir } from 'node:fs/promises';
import { type CallHandler, GrpcServer, type Method } from './protocol/grpc-server.js';
import { append, batchAppend } from './service/append.js';
import { deleteStream } from './service/delete.js';
import { read } from './service/read.js';
import { serverFeatures } from './service/server-features.js';
import { EventLog } from './storage/event-log.js';

export interface NodeOptions {
  readonly folder: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The most bytes to store; Infinity: limited by the disk. */
  readonly quotaBytes: number;
  /** Called when a write to disk failed: the process should end and restart from the data on disk. */
  readonly onBroken: (error: unknown) => void;
}

export interface EventStoreNode {
  readonly port: number;
  close(): Promise<void>;
}

const STREAMS = '/event_store.client.streams.Streams';
const FEATURES = '/event_store.client.server_features.ServerFeatures/GetSupportedMethods';

/** Serves EventStoreDB's protocol from a folder. Methods outside its map answer UNIMPLEMENTED. */
export async function startNode({
  folder,
  host,
  port,
  quotaBytes,
  onBroken,
}: NodeOptions): Promise<EventStoreNode> {
  await mkdir(folder, { recursive: true });
  const log = await EventLog.open(folder, { quotaBytes, onBroken });
  const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
    [`${STREAMS}/Read`, (call) => read(log, call)],
    [`${STREAMS}/Append`, (call) => append(log, call)],
    [`${STREAMS}/BatchAppend`, (call) => batchAppend(log, call)],
    [`${STREAMS}/Delete`, (call) => deleteStream(log, call, 'delete')],
    [`${STREAMS}/Tombstone`, (call) => deleteStream(log, call, 'tombstone')],
    [FEATURES, (call): CallHandler => serverFeatures([...methods.keys()], call)],
  ]);
  const server = new GrpcServer(methods);
  try {
    const boundPort = await server.listen(port, host);
    return {
      port: boundPort,
      close: async () => {
        await server.close();
        await log.close();
      },
    };
  } catch (error) {
    await log.close();
    throw error;
  }
}
