import { Inject, Injectable } from '@nestjs/common';
import { type ArtifactStore, ArtifactsUnavailable, type ArtifactUrl } from '#artifacts/index.js';
import { Refusal } from '#domain/errors/refusal.js';
import { ARTIFACTS } from '../tokens.js';

const NO_ROOM = ['ENOSPC', 'EDQUOT'];

/** Puts and gets artifacts for requests: a failure of the artifact store becomes a refusal. */
@Injectable()
export class ArtifactTexts {
  constructor(@Inject(ARTIFACTS) private readonly store: ArtifactStore) {}

  /**
   * Returns a text; null if it is missing or does not match its hash. @throws Refusal READ_UNAVAILABLE if the
   * artifact store does not answer
   */
  async get(url: string): Promise<string | null> {
    try {
      return (await this.store.get(url as ArtifactUrl)) ?? null;
    } catch (cause) {
      if (!(cause instanceof ArtifactsUnavailable)) return null;
      throw new Refusal('READ_UNAVAILABLE', { reason: 'the artifact store does not answer' });
    }
  }

  /** Stores a text, and returns its URL. @throws Refusal MEMORY_WRITE_FAIL, STORAGE_FULL */
  async put(text: string): Promise<ArtifactUrl> {
    try {
      return await this.store.put(text);
    } catch (failure) {
      if (!(failure instanceof ArtifactsUnavailable)) throw failure;
      const code = (failure.cause as NodeJS.ErrnoException | undefined)?.code ?? '';
      const stream = 'the artifact store';
      throw new Refusal(NO_ROOM.includes(code) ? 'STORAGE_FULL' : 'MEMORY_WRITE_FAIL', { stream });
    }
  }
}
