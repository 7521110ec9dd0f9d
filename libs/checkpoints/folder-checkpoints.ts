import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { chunksOf } from '#files/regular-file.js';
import { type CheckpointFile, type CheckpointPlace, PlaceFailed } from './place.js';

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

const failureOf = (cause: unknown): PlaceFailed => {
  if (cause instanceof PlaceFailed) return cause;
  const isFull = ['ENOSPC', 'EDQUOT'].includes(codeOf(cause));
  return new PlaceFailed(isFull ? 'no_room' : 'refused', { cause });
};

/** Keeps the files of checkpoints in a folder, which is made if it is missing. */
export class FolderCheckpoints implements CheckpointPlace {
  constructor(private readonly folder: string) {}

  pathOf({ name }: Pick<CheckpointFile, 'name'>): string {
    return join(this.folder, name);
  }

  async keep(file: CheckpointFile, path: string): Promise<{ readonly locked_until: null }> {
    await this.write(file, createReadStream(path) as AsyncIterable<Buffer>);
    return { locked_until: null };
  }

  /** Writes a file whose bytes are given, as `keep` does. */
  async write(
    file: Pick<CheckpointFile, 'name' | 'sha256'>,
    chunks: AsyncIterable<Buffer | string>,
  ): Promise<void> {
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      if (await this.has(file)) return;
      const draft = await this.draft(chunks);
      await this.name(draft, file);
    } catch (cause) {
      throw failureOf(cause);
    }
  }

  /** Writes a file that has no name yet, and returns its path. */
  async draft(chunks: AsyncIterable<Buffer | string>): Promise<string> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const draft = join(this.folder, `${randomBytes(8).toString('hex')}.part`);
    try {
      await pipeline(chunks, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }));
      return draft;
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** Gives a draft its name. The file is complete as soon as it has it. @throws PlaceFailed for another file of this name */
  async name(draft: string, file: Pick<CheckpointFile, 'name' | 'sha256'>): Promise<void> {
    try {
      await link(draft, this.pathOf(file));
      await synced(this.folder);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      await this.has(file);
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** True if the folder has the file. @throws PlaceFailed for another file of this name */
  private async has({ name, sha256 }: Pick<CheckpointFile, 'name' | 'sha256'>): Promise<boolean> {
    const found = await hashOf(join(this.folder, name));
    if (found !== undefined && found !== sha256) throw new PlaceFailed('other_file');
    return found !== undefined;
  }

  async read(file: CheckpointFile): Promise<AsyncIterable<Buffer> | undefined> {
    const path = this.pathOf(file);
    const found = await hashOf(path).catch((cause: unknown) => {
      throw new PlaceFailed('refused', { cause });
    });
    return found === file.sha256 ? chunksOf(path, { maxBytes: file.bytes }) : undefined;
  }
}

/** Returns the SHA-256 of a file; undefined if there is none. */
async function hashOf(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of chunksOf(path, { links: 'refuse' })) hash.update(chunk);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  return hash.digest('hex');
}

/** Syncs a folder to disk, because a new file name is durable only after that. */
async function synced(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
