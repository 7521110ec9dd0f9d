import type { MemoryFile } from './memory-files.js';
import { ERASED } from '@mace-memory/client';
import { shownComponent } from './memory-path.js';
import { bytesOf, sizeOf } from './text.js';

const DEPTH = 2;

const isShown = (name: string): boolean => !name.startsWith('.') && name !== 'node_modules';

/** A directory with what is in it, by name. */
interface Directory {
  size: number;
  /** A file is its size, or undefined if it was erased. */
  readonly entries: Map<string, Directory | number | undefined>;
}

const newDirectory = (): Directory => ({ size: 0, entries: new Map() });

function treeOf(files: readonly MemoryFile[], directory: readonly string[]): Directory {
  const root = newDirectory();
  for (const { path, text } of files) {
    const below = path.slice(directory.length).map(shownComponent);
    if (!below.every(isShown)) continue;
    const size = text === undefined ? undefined : bytesOf(text);
    let parent = root;
    parent.size += size ?? 0;
    for (const name of below.slice(0, -1)) {
      const known = parent.entries.get(name);
      const child = typeof known === 'object' ? known : newDirectory();
      child.size += size ?? 0;
      parent.entries.set(name, child);
      parent = child;
    }
    parent.entries.set(below.at(-1) ?? '', size);
  }
  return root;
}

function* linesOf({ entries }: Directory, path: string, depth: number): Generator<string> {
  for (const [name, entry] of [...entries].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const at = `${path}/${name}`;
    if (typeof entry !== 'object') yield `${entry === undefined ? ERASED : sizeOf(entry)}\t${at}`;
    else {
      yield `${sizeOf(entry.size)}\t${at}/`;
      if (depth < DEPTH) yield* linesOf(entry, at, depth + 1);
    }
  }
}

/** Returns the listing of a directory, two levels deep. */
export function listingOf(
  path: string,
  directory: readonly string[],
  files: readonly MemoryFile[],
) {
  const tree = treeOf(files, directory);
  return [
    `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`,
    `${sizeOf(tree.size)}\t${path}`,
    ...linesOf(tree, path, 1),
  ].join('\n');
}
