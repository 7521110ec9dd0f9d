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
  /** How large what is stored may get; Infinity: as large as the disk. */
  readonly quotaBytes: number;
  /** The disk refused what had to be written: the process should end, and start again from what is on disk. */
  readonly onBroken: (error: unknown) => void;
}

export interface EventStoreNode {
  readonly port: number;
  close(): Promise<void>;
}

const STREAMS = '/event_store.client.streams.Streams';
const FEATURES = '/event_store.client.server_features.ServerFeatures/GetSupportedMethods';

/** Serves EventStoreDB's protocol on a folder. Whatever is not served answers UNIMPLEMENTED. */
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
    const listening = await server.listen(port, host);
    return {
      port: listening,
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
