import type { ChannelVersions } from './events.js';

interface Linked {
  readonly before: Entry | undefined;
  /**
   * Only in the oldest entry that a deletion has left: the newest one that it has hidden. Later checkpoints may go on
   * with its values.
   */
  readonly hidden?: Entry;
}

/** A checkpoint in the list of a thread's events. */
export interface CheckpointEntry extends Linked {
  readonly kind: 'checkpoint';
  readonly event: number;
  /** The number of the event that first put a checkpoint with this id: checkpoints are in the order of these. */
  readonly first: number;
  readonly checkpoint_id: string;
  readonly parent_checkpoint_id: string | null;
  readonly channel_versions: ChannelVersions;
  /** The channels that the step has changed: true if the event holds a value, false if it is empty. */
  readonly changes: ReadonlyMap<string, boolean>;
  readonly digest: string;
}

/** Writes in the list of a thread's events. */
export interface WritesEntry extends Linked {
  readonly kind: 'writes';
  readonly event: number;
  readonly checkpoint_id: string;
  readonly task_id: string;
  readonly indexes: readonly number[];
  readonly digest: string;
}

/**
 * The last event of a thread, linked to those before it, so that a new one costs the same however long the thread
 * is. A deletion begins a new list, or shortens it to what was put after the events that it hides.
 */
export type Entry = CheckpointEntry | WritesEntry;

/** Yields the entries, newest first. */
export function* entriesOf(last: Entry | undefined): Generator<Entry> {
  for (let entry = last; entry !== undefined; entry = entry.before) yield entry;
}

/** Yields the entries, newest first, and then those that are hidden and may hold their values. */
export function* withHidden(last: Entry | undefined): Generator<Entry> {
  for (let entry = last; entry !== undefined; entry = entry.before ?? entry.hidden) yield entry;
}

/** Returns the list without the entries up to an event. */
export function entriesAfter(last: Entry | undefined, event: number): Entry | undefined {
  const kept: Entry[] = [];
  let hidden = last;
  for (; hidden !== undefined && hidden.event > event; hidden = hidden.before) kept.push(hidden);
  if (hidden === undefined) return last;
  return kept.reduceRight<Entry | undefined>(
    (before, entry) => (before === undefined ? { ...entry, before, hidden } : { ...entry, before }),
    undefined,
  );
}

/**
 * Returns the digest of a request that repeats one whose values nobody can open any more; `event` is the number of the
 * event that holds these.
 */
export const againDigest = (digest: string, event: number): string => `${digest}/${event}`;

/** True if two events record the same request, also if one of them repeats it after an erasure. */
export const isSameRequest = (one: string, other: string): boolean =>
  one.split('/', 1)[0] === other.split('/', 1)[0];

/** Returns the checkpoint with an id. Of two with the same id, the later one counts. */
export function checkpointIn(last: Entry | undefined, id: string): CheckpointEntry | undefined {
  for (const entry of entriesOf(last))
    if (entry.kind === 'checkpoint' && entry.checkpoint_id === id) return entry;
  return undefined;
}

/** Returns the writes after a checkpoint, oldest first. */
export function writesIn(last: Entry | undefined, checkpointId: string): WritesEntry[] {
  const found: WritesEntry[] = [];
  for (const entry of entriesOf(last))
    if (entry.kind === 'writes' && entry.checkpoint_id === checkpointId) found.push(entry);
  return found.reverse();
}

/**
 * Returns the events that hold the values of a checkpoint's channels. A value is in the checkpoint's own event, or
 * else in the nearest ancestor's that changed the channel to this version; a copy of a checkpoint finds it with the
 * original. A channel without a value is left out.
 */
export function valueEventsOf(
  last: Entry | undefined,
  checkpoint: CheckpointEntry,
  channels: readonly string[] = Object.keys(checkpoint.channel_versions),
): ReadonlyMap<string, number> {
  const nearest = new Map<string, CheckpointEntry>();
  const elsewhere = new Map<string, CheckpointEntry>();
  let ancestor: string | null = checkpoint.checkpoint_id;
  for (const entry of withHidden(last)) {
    if (nearest.size === channels.length) break;
    if (entry.kind !== 'checkpoint' || entry.event > checkpoint.event) continue;
    const isAncestor = entry.checkpoint_id === ancestor;
    if (isAncestor) ancestor = entry.parent_checkpoint_id;
    const found = isAncestor ? nearest : elsewhere;
    for (const channel of channels)
      if (!found.has(channel) && hasSameChange(entry, channel, checkpoint))
        found.set(channel, entry);
  }
  const places = new Map<string, number>();
  for (const channel of channels) {
    const entry = nearest.get(channel) ?? elsewhere.get(channel);
    if (entry?.changes.get(channel) === true) places.set(channel, entry.event);
  }
  return places;
}

const hasSameChange = (
  { changes, channel_versions }: CheckpointEntry,
  channel: string,
  checkpoint: CheckpointEntry,
): boolean =>
  changes.has(channel) && channel_versions[channel] === checkpoint.channel_versions[channel];
