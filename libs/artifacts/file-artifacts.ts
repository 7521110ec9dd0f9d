import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readRegular } from '#files/regular-file.js';
import {
  type ArtifactStore,
  type ArtifactUrl,
  ArtifactBroken,
  ArtifactsUnavailable,
  artifactUrl,
  hashOfUrl,
  verifiedText,
} from './artifact-store.js';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/**
 * Stores artifacts as files in a folder, named like `ab/ab12…`. A file is written under a temporary name
 * and then renamed, so it is always complete.
 */
export class FileArtifacts implements ArtifactStore {
  constructor(private readonly folder: string) {}

  async put(text: string): Promise<ArtifactUrl> {
    const url = artifactUrl(text);
    if (await this.has(url)) return url;
    const path = this.pathOf(url);
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const draft = `${path}.${randomBytes(6).toString('hex')}`;
      try {
        await writeDurably(draft, text);
        await rename(draft, path);
      } finally {
        await rm(draft, { force: true });
      }
      await syncFolder(dirname(path));
      await syncFolder(this.folder);
    } catch (cause) {
      throw new ArtifactsUnavailable('an artifact could not be written', { cause });
    }
    return url;
  }

  async get(url: ArtifactUrl): Promise<string | undefined> {
    const path = this.pathOf(url);
    let bytes: Buffer;
    try {
      bytes = await readRegular(path, Infinity);
    } catch (cause) {
      if (codeOf(cause) === 'ENOENT') return undefined;
      throw new ArtifactsUnavailable('an artifact could not be read', { cause });
    }
    return verifiedText(hashOfUrl(url), bytes);
  }

  /** True if the file exists and is intact. A damaged file is written again. */
  private async has(url: ArtifactUrl): Promise<boolean> {
    try {
      return (await this.get(url)) !== undefined;
    } catch (cause) {
      if (cause instanceof ArtifactBroken) return false;
      throw cause;
    }
  }

  private pathOf(url: ArtifactUrl): string {
    const hash = hashOfUrl(url);
    return join(this.folder, hash.slice(0, 2), hash);
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text, 'utf8');
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Syncs a folder to disk, because a new file name is durable only after that. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
