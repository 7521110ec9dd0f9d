import { GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import {
  type ArtifactStore,
  type ArtifactUrl,
  ArtifactsUnavailable,
  artifactUrl,
  hashOfUrl,
  verifiedText,
} from './artifact-store.js';
import { objectIn, type S3Place } from './s3-place.js';
import { s3Client } from './s3-client.js';

/** The time in ms for one request, of which a put or a get makes two at most. */
const TIMEOUT_MS = 30_000;
/** An artifact comes from a request, which has at most 1 MB, and is sealed; so this is never the limit of a text. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Stores artifacts as objects `<prefix>/<sha256>` in an S3-compatible store. */
export class S3Artifacts implements ArtifactStore {
  private readonly client: S3Client;

  constructor(
    private readonly place: S3Place,
    timeoutMs = TIMEOUT_MS,
  ) {
    this.client = s3Client({ timeoutMs, maxBytes: MAX_BYTES });
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
    return objectIn(this.place, hashOfUrl(url));
  }
}
