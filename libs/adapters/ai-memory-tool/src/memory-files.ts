import {
  carriableText,
  isErased,
  isMaceError,
  type Json,
  type MaceClient,
  type Note,
} from '@mace-memory/client';
import { MemoryToolError } from './memory-error.js';
import { pathOf, shownComponent } from './memory-path.js';

/** A file: a note whose value is its text. */
export interface MemoryFile {
  /** The path below the root, by components. */
  readonly path: readonly string[];
  /** Undefined if it was erased. */
  readonly text: string | undefined;
  /** The version of the note. */
  readonly version: number;
}

/** A note that another program wrote may have any value. */
const textOf = (value: Json): string | undefined =>
  isErased(value) ? undefined : typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/**
 * Files as notes below a namespace: a file's directory is a namespace, its name a key. Directories exist as long as
 * there is a file in them.
 */
export class MemoryFiles {
  constructor(
    private readonly mace: MaceClient,
    private readonly root: readonly string[],
  ) {}

  /** Returns the file at this path; undefined if it does not exist. */
  async read(path: readonly string[]): Promise<MemoryFile | undefined> {
    const note = await this.#note(path);
    return note && { path, text: textOf(note.value), version: note.version };
  }

  /** Returns the file with this path, or the one that a listing shows under this path; undefined without one. */
  async find(path: readonly string[]): Promise<MemoryFile | undefined> {
    const file = await this.read(path);
    if (file !== undefined) return file;
    const shown = pathOf(path);
    const plain = path.filter((component) => component === shownComponent(component));
    if (plain.length < path.length || !/[∕∖␀․٪]/.test(shown)) return undefined;
    return (await this.below([])).find((one) => pathOf(one.path.map(shownComponent)) === shown);
  }

  /** Returns all files below a directory, at any depth. */
  async below(directory: readonly string[]): Promise<MemoryFile[]> {
    const prefix = [...this.root, ...directory];
    return orIfInvalid([], async () => {
      const files: MemoryFile[] = [];
      for await (const { namespace, key, value, version } of this.mace.notes.all({ prefix })) {
        const path = [...namespace.slice(this.root.length), key];
        files.push({ path, text: textOf(value), version });
      }
      return files;
    });
  }

  async isDirectory(path: readonly string[]): Promise<boolean> {
    if (path.length === 0) return true;
    const prefix = [...this.root, ...path];
    return orIfInvalid(false, async () => {
      const { notes } = await this.mace.notes.list({ prefix, limit: 1 });
      return notes.length > 0;
    });
  }

  /** Writes a new file. Returns its version; undefined if the file exists already. */
  async create(path: readonly string[], text: string): Promise<number | undefined> {
    // An erased file does not exist for the model, but its note does.
    const erased = await this.#note(path);
    const ifVersion = erased !== undefined && isErased(erased.value) ? erased.version : 0;
    return this.write(path, text, ifVersion);
  }

  /** Writes a file that has this version. Returns the new one; undefined if the file has changed since. */
  async write(path: readonly string[], given: string, ifVersion: number) {
    const { namespace, key } = this.nameOf(path);
    const { text } = carriableText(given);
    try {
      return (await this.mace.notes.put(namespace, key, text, { ifVersion })).version;
    } catch (error) {
      if (isMaceError(error, 'VERSION_CONFLICT')) return undefined;
      if (isMaceError(error, 'INVALID_INPUT'))
        throw new MemoryToolError(`Error: The file was not written: ${error.message}`);
      throw error;
    }
  }

  /** Deletes a file that has this version. Returns false if the file has changed since; true if it is gone. */
  async remove({ path, version: ifVersion }: Omit<MemoryFile, 'text'>): Promise<boolean> {
    const { namespace, key } = this.nameOf(path);
    try {
      await this.mace.notes.delete(namespace, key, { ifVersion });
      return true;
    } catch (error) {
      if (!isMaceError(error, 'VERSION_CONFLICT')) throw error;
      return (await this.read(path)) === undefined;
    }
  }

  /** Returns the namespace and the key of a file. */
  nameOf(path: readonly string[]): { namespace: string[]; key: string } {
    return { namespace: [...this.root, ...path.slice(0, -1)], key: path.at(-1) ?? '' };
  }

  #note(path: readonly string[]): Promise<Note | undefined> {
    const { namespace, key } = this.nameOf(path);
    return orIfInvalid(undefined, () => this.mace.notes.get(namespace, key));
  }
}

/** Returns what a read finds; `nothing` for a name beyond the limits of notes, which no file has. */
async function orIfInvalid<Found>(nothing: Found, read: () => Promise<Found>): Promise<Found> {
  try {
    return await read();
  } catch (error) {
    if (isMaceError(error, 'INVALID_INPUT')) return nothing;
    throw error;
  }
}
