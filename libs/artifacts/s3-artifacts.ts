import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  type ArtifactStore,
  type ArtifactUrl,
  ArtifactsUnavailable,
  artifactUrl,
  hashOfUrl,
  verifiedText,
} from './artifact-store.js';
import { boundedRequests } from './s3-requests.js';

/** The time in ms for one request, of which a put or a get makes two at most. */
const TIMEOUT_MS = 30_000;
/** An artifact comes from a request, which has at most 1 MB, and is sealed; so this is never the limit of a text. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Where the artifacts are: a bucket and a prefix of their keys. */
interface S3Place {
  readonly bucket: string;
  readonly prefix: string;
}

/**
 * Stores artifacts as objects `<prefix>/<sha256>` in an S3-compatible store. Region, endpoint and credentials come
 * from the standard AWS variables (AWS_REGION, AWS_ENDPOINT_URL_S3, AWS_ACCESS_KEY_ID, …).
 */
export class S3Artifacts implements ArtifactStore {
  private readonly client: S3Client;

  constructor(
    private readonly place: S3Place,
    timeoutMs = TIMEOUT_MS,
  ) {
    this.client = new S3Client({
      // With the bucket in the path, the URL works with every compatible store and needs no DNS name.
      forcePathStyle: true,
      maxAttempts: 2,
      region: process.env['AWS_REGION'] ?? 'us-east-1',
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: boundedRequests({ timeoutMs, maxBytes: MAX_BYTES }),
    });
  }

  async put(text: string): Promise<ArtifactUrl> {
    const url = artifactUrl(text);
    try {
      await this.client.send(
        new PutObjectCommand({
          ...this.keyOf(url),
          Body: Buffer.from(text, 'utf8'),
          ContentType: 'text/plain; charset=utf-8',
        }),
      );
    } catch (cause) {
      throw new ArtifactsUnavailable('an artifact could not be written', { cause });
    }
    return url;
  }

  async get(url: ArtifactUrl): Promise<string | undefined> {
    const key = this.keyOf(url);
    let bytes: Uint8Array;
    try {
      const { Body } = await this.client.send(new GetObjectCommand(key));
      bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
    } catch (cause) {
      if (cause instanceof NoSuchKey) return undefined;
      throw new ArtifactsUnavailable('an artifact could not be read', { cause });
    }
    return verifiedText(hashOfUrl(url), bytes);
  }

  private keyOf(url: ArtifactUrl): { readonly Bucket: string; readonly Key: string } {
    const { bucket, prefix } = this.place;
    const hash = hashOfUrl(url);
    return { Bucket: bucket, Key: prefix === '' ? hash : `${prefix}/${hash}` };
  }
}
