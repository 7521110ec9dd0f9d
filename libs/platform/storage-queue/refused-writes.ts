import { crc32 } from 'node:zlib';

/** The description of a refused write, for people and for the queue. */
export interface RefusedWriteLabel {
  readonly command_id: string;
  /** The name of the command, such as `PutFact`, for people. */
  readonly command: string;
  /** True if the request has an Idempotency-Key. The service then replays it without a person's decision. */
  readonly keyed: boolean;
  /** The first 16 hex digits of sha256(sub). */
  readonly caller: string;
  readonly stream: string;
  /** The HTTP method and path pattern, without ids. */
  readonly route: string;
  readonly trace_id: string;
  /** The time of the refusal, ISO 8601 UTC. */
  readonly refused_at: string;
}

/** A write that was refused because the log was full (SPEC F2). */
export interface RefusedWrite extends RefusedWriteLabel {
  /**
   * The `GatedRequest` as a compact JWE. It is sealed with the service's key, because it may contain
   * personal data. The seal covers the label as well.
   */
  readonly sealed: string;
}

export const QUEUE_FILE = 'refused-writes';

/** The folder in the data directory for the queue file of an instance, numbered from 1. */
export const queueFolder = (number: number): string =>
  number === 1 ? 'admin-queue' : `admin-queue-${number}`;

/** A record of the file is: length (4) · crc32 (4) · JSON. A length of zero ends the records. */
export const HEADER_BYTES = 8;

export function encodeRefusedWrite(write: RefusedWrite): Buffer {
  const json = Buffer.from(JSON.stringify(write));
  const record = Buffer.alloc(HEADER_BYTES + json.length);
  record.writeUInt32BE(json.length, 0);
  record.writeUInt32BE(crc32(json), 4);
  json.copy(record, HEADER_BYTES);
  return record;
}

/** Reads the records up to the first torn one. A torn record was never acknowledged. */
export function refusedWritesIn(bytes: Buffer): RefusedWrite[] {
  const records: RefusedWrite[] = [];
  for (let at = 0; at + HEADER_BYTES <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const json = bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length);
    if (length === 0 || crc32(json) !== bytes.readUInt32BE(at + 4)) break;
    records.push(JSON.parse(json.toString('utf8')) as RefusedWrite);
    at += HEADER_BYTES + length;
  }
  return records;
}
