import { createHash } from 'node:crypto';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { StreamHead } from '#event-store/log-check.js';
import { isValidlySigned, type Signature } from '#platform/signing/signature.js';
import { FileBytes } from '#files/file-bytes.js';
import { linesIn } from '#files/lines.js';

/** The statement of a checkpoint file, which its signature covers (docs/checkpoints.md). */
export interface Checkpoint {
  readonly kind: 'log_checkpoint';
  readonly version: 1;
  /** The time at which the log was read, ISO 8601 UTC. */
  readonly created_at: string;
  /** The commit position of the log's last event, in decimal digits. */
  readonly position: string;
  /** The number of events up to `position`, those of other programs included. */
  readonly events: number;
  /** The number of streams, each of which has one line. */
  readonly streams: number;
  /** The SHA-256 of all lines after the first, each with its line feed, as hex digits. */
  readonly heads_hash: string;
}

export type SignedCheckpoint = Checkpoint & Signature;

/** The reasons why a checkpoint file is refused. */
export type CheckpointProblem =
  | 'not_a_checkpoint'
  | 'wrong_signature'
  | 'too_many_streams'
  | 'other_key'
  | 'wrong_heads'
  | 'no_line_feed';

export type CheckpointReport =
  | { readonly checkpoint: SignedCheckpoint; readonly heads: readonly StreamHead[] }
  | { readonly problem: CheckpointProblem };

export const headLine = ({ stream, number, hash }: StreamHead): string =>
  canonicalJson({ stream, number, hash });

/** Yields the lines of a checkpoint file, without their line feeds. */
export function* checkpointLines(
  checkpoint: SignedCheckpoint,
  heads: readonly StreamHead[],
): Generator<string> {
  yield canonicalJson(checkpoint);
  for (const head of heads) yield headLine(head);
}

/** The most characters of a line: more than the longest name of a stream has. */
const MAX_LINE = 64 * 1024;

/** What is wrong with a file, in words that follow its name. */
export const CHECKPOINT_PROBLEMS: Readonly<Record<CheckpointProblem, string>> = {
  not_a_checkpoint: 'the first line is not the statement of a checkpoint',
  wrong_signature: 'the first line was edited: its signature is not valid for what it says',
  too_many_streams:
    'the first line names more streams than are compared here; run mace verify --log --since',
  other_key: 'the first line is signed by a key that is not among the given ones',
  wrong_heads: 'a line was edited, deleted, inserted or moved, or the file was cut off',
  no_line_feed: 'the last line has no line feed: the file was cut off',
};

export interface ReadCheckpointOptions {
  /** The ids of keys, one of which must have signed the file; by default, any key. */
  readonly trusted?: ReadonlySet<string> | undefined;
  /** The most streams whose heads the caller holds in memory: anybody can sign a file with many. */
  readonly maxStreams?: number;
}

/**
 * Reads a checkpoint file and verifies its form, its signature and the hash of its heads. Fails if the file cannot be
 * read.
 */
export async function readCheckpoint(
  file: string | FileBytes,
  { trusted, maxStreams = Infinity }: ReadCheckpointOptions = {},
): Promise<CheckpointReport> {
  const bytes = typeof file === 'string' ? new FileBytes(file) : file;
  const hash = createHash('sha256');
  const heads: StreamHead[] = [];
  let checkpoint: SignedCheckpoint | undefined;
  for await (const line of linesIn(bytes)) {
    if (line.length > MAX_LINE) return { problem: checkpoint ? 'wrong_heads' : 'not_a_checkpoint' };
    if (checkpoint === undefined) {
      checkpoint = statementIn(line);
      if (checkpoint === undefined) return { problem: 'not_a_checkpoint' };
      if (!(await isValidlySigned(checkpoint))) return { problem: 'wrong_signature' };
      if (checkpoint.streams > maxStreams) return { problem: 'too_many_streams' };
      continue;
    }
    hash.update(`${line}\n`);
    const head = parsed(line);
    if (!isHead(head) || heads.length === checkpoint.streams) return { problem: 'wrong_heads' };
    heads.push(head);
  }
  if (checkpoint === undefined) return { problem: 'not_a_checkpoint' };
  if (hash.digest('hex') !== checkpoint.heads_hash || heads.length !== checkpoint.streams)
    return { problem: 'wrong_heads' };
  if (!bytes.endWithLineFeed) return { problem: 'no_line_feed' };
  if (trusted !== undefined && !trusted.has(checkpoint.key_id)) return { problem: 'other_key' };
  return { checkpoint, heads };
}

type Fields = Readonly<Record<string, unknown>>;

function parsed(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

const TEXTS = ['created_at', 'position', 'heads_hash', 'key_id', 'public_key', 'signature'];

/** Returns the statement in the first line, if the line has its form, byte for byte. */
function statementIn(line: string): SignedCheckpoint | undefined {
  const value = parsed(line);
  if (value?.['kind'] !== 'log_checkpoint' || value['version'] !== 1) return undefined;
  if (TEXTS.some((name) => typeof value[name] !== 'string')) return undefined;
  if (!Number.isSafeInteger(value['streams'])) return undefined;
  if (canonicalJson(value) !== line) return undefined;
  return value as unknown as SignedCheckpoint;
}

const HASH = /^[0-9a-f]{64}$/;

const isHead = (value: Fields | undefined): value is Fields & StreamHead =>
  typeof value?.['stream'] === 'string' &&
  typeof value['hash'] === 'string' &&
  HASH.test(value['hash']) &&
  Number.isSafeInteger(value['number']);
