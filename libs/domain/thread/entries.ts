import type { ChannelVersions } from './events.js';

/** A checkpoint in the list of a thread's events. */
export interface CheckpointEntry {
  readonly kind: 'checkpoint';
  /** The number of the event. */
  readonly event: number;
  readonly checkpoint_id: string;
  readonly parent_checkpoint_id: string | null;
  readonly channel_versions: ChannelVersions;
  /** The channels that the step has changed: true if the event holds a value, false if it is empty. */
  readonly changes: ReadonlyMap<string, boolean>;
  readonly digest: string;
  readonly before: Entry | undefined;
}

/** Writes in the list of a thread's events. */
export interface WritesEntry {
  readonly kind: 'writes';
  readonly event: number;
  readonly checkpoint_id: string;
  readonly task_id: string;
  readonly indexes: readonly number[];
  readonly digest: string;
  readonly before: Entry | undefined;
}

/**
 * The last event of a thread, linked to those before it, so that a new one costs the same however long the thread
 * is. A deletion begins a new list.
 */
export type Entry = CheckpointEntry | WritesEntry;

/** Yields the entries, newest first. */
export function* entriesOf(last: Entry | undefined): Generator<Entry> {
  for (let entry = last; entry !== undefined; entry = entry.before) yield entry;
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
  for (const entry of entriesOf(last)) {
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
