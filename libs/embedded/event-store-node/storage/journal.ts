import { join } from 'node:path';
import {
  type FoundGroup,
  groupsIn,
  groupSize,
  type JournalBytes,
  JournalFile,
  readJournalFile,
} from './journal-file.js';

export const JOURNAL_FILES = ['journal-0', 'journal-1'] as const;

export interface PlacedRecord {
  readonly position: number;
  readonly record: Buffer;
}

/** The groups in both files of a journal, and the damage of the files themselves. */
export interface FoundJournal {
  readonly folder: string;
  readonly seed: number;
  readonly groups: readonly [readonly FoundGroup[], readonly FoundGroup[]];
  /** The file that is missing or shorter than it was made. */
  readonly cut: string | undefined;
  /** The file whose head is damaged. The other file has the same head. */
  readonly headless: string | undefined;
}

/** Reads both files of a journal; undefined if neither is a file of this layout. */
export async function readJournal(folder: string): Promise<FoundJournal | undefined> {
  const files = (await Promise.all(
    JOURNAL_FILES.map((name) => readJournalFile(join(folder, name))),
  )) as [JournalBytes, JournalBytes];
  const seed = files[0].seed ?? files[1].seed;
  if (seed === undefined) return undefined;
  const nameOf = (isFound: (file: JournalBytes) => boolean): string | undefined =>
    JOURNAL_FILES[files.findIndex(isFound)];
  return {
    folder,
    seed,
    groups: [groupsIn(files[0].bytes, seed), groupsIn(files[1].bytes, seed)],
    cut: nameOf((file) => !file.isWhole),
    headless: nameOf((file) => file.seed === undefined),
  };
}

/** Events that were acknowledged, since the journal has later ones, and that are in no whole group. */
export interface Missing {
  readonly from: number;
  readonly to: number;
  /** The file in which they were. */
  readonly path: string;
}

/** The records of a journal that continue a log, and what is missing after them. */
export interface Continuation {
  readonly records: readonly PlacedRecord[];
  readonly missing: Missing | undefined;
}

/** Finds the records that continue a log whose last event is at the position `last`. */
export function continuationOf({ folder, groups }: FoundJournal, last: number): Continuation {
  const ordered = groups
    .flatMap((inFile, file) => inFile.map((group) => ({ ...group, file })))
    .sort((a, b) => a.firstPosition - b.firstPosition);
  const records: PlacedRecord[] = [];
  let end = last;
  for (const group of ordered) {
    if (group.firstPosition > end + 1) {
      // Before the first group of a file comes the last group of the other file.
      const file = group.isFirstInFile ? 1 - group.file : group.file;
      const path = join(folder, JOURNAL_FILES[file]!);
      return { records, missing: { from: end + 1, to: group.firstPosition - 1, path } };
    }
    for (const [index, record] of group.records.entries()) {
      if (group.firstPosition + index !== end + 1) continue;
      end += 1;
      records.push({ position: end, record });
    }
  }
  return { records, missing: undefined };
}

/** Returns the position of the last event that was acknowledged, as far as the journal shows it. */
export const lastIn = ({ groups }: FoundJournal): number =>
  groups
    .flat()
    .reduce(
      (last, { firstPosition, records }) => Math.max(last, firstPosition + records.length - 1),
      0,
    );

/**
 * Makes an append durable with one small sequential write. The journal has two files, which it uses in turn: a
 * file is used again when the database holds all its records.
 */
export class Journal {
  private constructor(
    /** The seed of the node's checksums. */
    readonly seed: number,
    private current: JournalFile,
    private other: JournalFile,
  ) {}

  /** Makes the files of a new journal, whose first group has the position `nextPosition`. */
  static async create(folder: string, seed: number, nextPosition: number): Promise<void> {
    for (const name of JOURNAL_FILES) {
      await JournalFile.create(join(folder, name), seed, nextPosition);
    }
  }

  static async open(folder: string, { seed, groups }: FoundJournal): Promise<Journal> {
    const files = await Promise.all(
      JOURNAL_FILES.map((name, index) =>
        JournalFile.open(join(folder, name), seed, groups[index]!),
      ),
    );
    const [older, newer] = files.sort((a, b) => a.lastPosition - b.lastPosition) as [
      JournalFile,
      JournalFile,
    ];
    return new Journal(seed, newer, older);
  }

  /**
   * True if the journal has room for a group of this size, given that the database holds everything up
   * to `stored`. If false, the database must first store more records.
   */
  hasRoom(bytes: number, stored: number): boolean {
    return this.current.hasRoom(bytes) || this.other.lastPosition <= stored;
  }

  /** Writes a group to disk. Once it resolves, the group survives a crash. */
  async write(firstPosition: number, records: readonly Buffer[], stored: number): Promise<void> {
    if (!this.current.hasRoom(groupSize(records))) {
      if (this.other.lastPosition > stored) throw new Error('The journal has no room for a group');
      [this.current, this.other] = [this.other, this.current];
      this.current.reuse();
    }
    await this.current.write(firstPosition, records);
  }

  async close(): Promise<void> {
    await Promise.all([this.current.close(), this.other.close()]);
  }
}
