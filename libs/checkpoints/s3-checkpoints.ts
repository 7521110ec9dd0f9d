import {
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { OutsideFailed } from '#bounded/outside.js';
import { inSlices } from '#bounded/slices.js';
import { s3Client } from '#artifacts/s3-client.js';
import { objectIn, type S3Place } from '#artifacts/s3-place.js';
import type { Slices } from '#domain/slices.js';
import { readRegular } from '#files/regular-file.js';
import { type CheckpointFile, type CheckpointPlace, PlaceFailed } from './place.js';

/** The ms for a request, and those for each MB of a file beside them. */
const TIMEOUT_MS = 15_000;
const MS_PER_MB = 1_000;
const MB = 1024 * 1024;
/** The maximum bytes of an answer beside a file. */
const MAX_BYTES = 256 * 1024;

const DAY_MS = 86_400_000;
/** The name of the metadata of an object that has the hash of its file. */
const HASH = 'sha256';

interface S3Options {
  /** The days for which the bucket's object lock lets nobody delete a file. */
  readonly lockDays: number | undefined;
  readonly timeoutMs?: number;
}

/** Keeps the files of checkpoints in a bucket of an S3-compatible store. */
export class S3Checkpoints implements CheckpointPlace {
  constructor(
    private readonly place: S3Place,
    private readonly options: S3Options,
  ) {}

  async keep(
    file: CheckpointFile,
    path: string,
  ): Promise<{ readonly locked_until: string | null }> {
    const client = this.clientFor(file.bytes);
    try {
      const kept = await this.kept(client, file);
      if (kept !== undefined) return kept;
      const bytes = await readRegular(path, file.bytes);
      const until = this.lockedUntil();
      const put = new PutObjectCommand({ ...this.putOf(file, until), Body: bytes });
      signWith(put, file);
      await client.send(put);
      return { locked_until: until?.toISOString() ?? null };
    } catch (cause) {
      if (cause instanceof PlaceFailed) throw cause;
      // Another instance may have been first.
      const kept = isConflict(cause) ? await this.kept(client, file) : undefined;
      if (kept !== undefined) return kept;
      throw new PlaceFailed(problemOf(cause), { cause });
    } finally {
      client.destroy();
    }
  }

  async read(file: CheckpointFile): Promise<AsyncIterable<Buffer> | undefined> {
    const client = this.clientFor(file.bytes);
    try {
      const { Body } = await client.send(new GetObjectCommand(objectIn(this.place, file.name)));
      const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
      return (await inSlices(hashOf(bytes))) === file.sha256 ? oneOf(bytes) : undefined;
    } catch (cause) {
      if (statusOf(cause) === 404) return undefined;
      throw new PlaceFailed(problemOf(cause), { cause });
    } finally {
      client.destroy();
    }
  }

  /** Returns until when an object that is there already is locked. @throws PlaceFailed for another file of this name */
  private async kept(client: S3Client, file: CheckpointFile) {
    try {
      const found = await client.send(new HeadObjectCommand(objectIn(this.place, file.name)));
      if (found.Metadata?.[HASH] !== file.sha256 || found.ContentLength !== file.bytes)
        throw new PlaceFailed('other_file');
      return { locked_until: found.ObjectLockRetainUntilDate?.toISOString() ?? null };
    } catch (cause) {
      if (statusOf(cause) === 404) return undefined;
      if (cause instanceof PlaceFailed) throw cause;
      throw new PlaceFailed(problemOf(cause), { cause });
    }
  }

  private putOf(file: CheckpointFile, until: Date | undefined): PutObjectCommandInput {
    return {
      ...objectIn(this.place, file.name),
      ContentType: 'application/x-ndjson',
      Metadata: { [HASH]: file.sha256 },
      // A put with a lock needs a checksum, whose algorithm some stores want named.
      ChecksumAlgorithm: 'SHA256',
      ChecksumSHA256: Buffer.from(file.sha256, 'hex').toString('base64'),
      // The bucket refuses to overwrite an object.
      IfNoneMatch: '*',
      ...(until && { ObjectLockMode: 'COMPLIANCE', ObjectLockRetainUntilDate: until }),
    };
  }

  private lockedUntil(): Date | undefined {
    const { lockDays } = this.options;
    return lockDays === undefined ? undefined : new Date(Date.now() + lockDays * DAY_MS);
  }

  private clientFor(bytes: number): S3Client {
    const { timeoutMs = TIMEOUT_MS } = this.options;
    return s3Client({
      timeoutMs: timeoutMs + Math.ceil(bytes / MB) * MS_PER_MB,
      maxBytes: Math.max(bytes, MAX_BYTES),
    });
  }
}

/** Signs a request with the hash of its body that is known, so that a large body is not hashed in one piece. */
const signWith = (put: PutObjectCommand, { sha256 }: CheckpointFile): void =>
  put.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { readonly headers: Record<string, string> };
      headers['x-amz-content-sha256'] = sha256;
      return next(args);
    },
    { step: 'build', name: 'knownHash' },
  );

function* hashOf(bytes: Buffer): Slices<string> {
  const hash = createHash('sha256');
  for (let from = 0; from < bytes.length; from += MB) {
    hash.update(bytes.subarray(from, from + MB));
    yield;
  }
  return hash.digest('hex');
}

async function* oneOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

const statusOf = (cause: unknown): number | undefined =>
  (cause as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata
    ?.httpStatusCode;

const isConflict = (cause: unknown): boolean => [409, 412].includes(statusOf(cause) ?? 0);

const problemOf = (cause: unknown) => {
  const status = statusOf(cause) ?? 0;
  if (cause instanceof OutsideFailed || status === 0 || status >= 500) return 'unreachable';
  return status === 507 ? 'no_room' : 'refused';
};
