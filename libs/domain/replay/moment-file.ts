import { canonicalJson } from '../determinism/canonical-json.js';
import { runningSha256 } from '../determinism/hash.js';
import { isHeader, isObject, parseLine, type SignedHeader, bundleHeaderLine } from './bundle.js';
import type { SignatureProblem } from './bundle-suspect.js';
import type { Signed } from './receipt.js';
import {
  type BundleDecider,
  type BundleReport,
  type SignatureCheck,
  verifyBundle,
} from './verify-bundle.js';
import type { DomainEvent } from '../decider.js';

/** How the first line of a moment's file names itself. */
export const MOMENT = 'mace-moment-1';

/**
 * The first line of a file with what the log held at a time (SPEC W5). The signed bundles of streams follow, each with the
 * events up to the position.
 */
export type MomentStatement = {
  readonly document: typeof MOMENT;
  /** The time that was asked for, ISO 8601 UTC. */
  readonly at: string;
  /** The position and the hash of the last event at that time, and whether none can come before it any more. */
  readonly position: string;
  readonly hash: string;
  readonly final: boolean;
  readonly created_at: string;
  /** The number of the bundles that follow. */
  readonly streams: number;
  /** The number of streams that belong here and whose events are hidden from the caller. */
  readonly left_out: number;
  /** The SHA-256 of the bundles' first lines, each with a line feed. */
  readonly headers_hash: string;
};

export type SignedMoment = MomentStatement & Signed;

/** Returns the hash that covers which streams a file has, how many events of each, and their last hashes. */
export function headersHash(headers: Iterable<SignedHeader>): string {
  const hash = runningSha256();
  for (const header of headers) hash.update(`${bundleHeaderLine(header)}\n`);
  return hash.digest('hex');
}

export type MomentProblem =
  /** The first line is not the statement of a moment, byte for byte. */
  | 'not_a_moment'
  | Exclude<SignatureProblem, 'unsigned'>
  /** The file is of a later version, which this release cannot check. */
  | 'later_version'
  /** The bundles are others than the first line says. */
  | 'wrong_streams'
  /** One of the bundles is broken. */
  | 'broken_stream';

export interface MomentReport {
  readonly statement?: SignedMoment;
  /** The report of each bundle, in the order of the file, up to the first broken one. */
  readonly bundles: readonly BundleReport[];
  readonly problem?: MomentProblem;
}

/** True for a first line that says that it is a moment's file. */
export const claimsToBeMoment = (line: string): boolean =>
  /"document"\s*:\s*"mace-moment-/.test(line.slice(0, 4_096));

/** The checks of signatures, which the caller passes, because Node and browsers have different cryptography. */
export interface MomentChecks {
  readonly statement: (
    statement: SignedMoment,
  ) => Promise<Exclude<SignatureProblem, 'unsigned'> | undefined>;
  readonly bundle: SignatureCheck;
}

/** Verifies a moment's file, given as lines without line feeds: its statement, and every bundle that follows. */
export async function verifyMoment<State, Command, Event extends DomainEvent>(
  decider: BundleDecider<State, Command, Event>,
  lines: AsyncIterable<string>,
  checks: MomentChecks,
): Promise<MomentReport> {
  const reader = new LineReader(lines);
  const first = (await reader.next()) ?? '';
  const statement = statementIn(first);
  if (statement === undefined)
    return { bundles: [], problem: isOfLaterVersion(first) ? 'later_version' : 'not_a_moment' };
  const forged = await checks.statement(statement);
  if (forged !== undefined) return { statement, bundles: [], problem: forged };
  const bundles: BundleReport[] = [];
  const hash = runningSha256();
  for (let line = await reader.next(); line !== undefined; line = await reader.next()) {
    if (bundles.length === statement.streams) return { statement, bundles, problem: OTHERS };
    hash.update(`${line}\n`);
    bundles.push(await verifyBundle(decider, reader.bundleAfter(line), checks.bundle));
    if (bundles.at(-1)?.intact !== true) return { statement, bundles, problem: 'broken_stream' };
  }
  const isWhole =
    bundles.length === statement.streams && hash.digest('hex') === statement.headers_hash;
  return { statement, bundles, ...(isWhole ? {} : { problem: OTHERS }) };
}

const OTHERS = 'wrong_streams' satisfies MomentProblem;

/** Reads lines one by one, and the bundle that begins with a line. */
class LineReader {
  readonly #lines: AsyncIterator<string>;

  constructor(lines: AsyncIterable<string>) {
    this.#lines = lines[Symbol.asyncIterator]();
  }

  async next(): Promise<string | undefined> {
    const next = await this.#lines.next();
    return next.done === true ? undefined : next.value;
  }

  /** Yields a bundle's first line, and as many lines after it as it says. */
  async *bundleAfter(header: string): AsyncGenerator<string> {
    yield header;
    const value = parseLine(header)?.value ?? null;
    for (let left = isHeader(value) ? value.event_count : 0; left > 0; left -= 1) {
      const line = await this.next();
      if (line === undefined) return;
      yield line;
    }
  }
}

function isOfLaterVersion(line: string): boolean {
  const value = parseLine(line)?.value ?? null;
  return isObject(value) && value['document'] !== MOMENT && claimsToBeMoment(line);
}

const TEXTS = ['at', 'position', 'hash', 'created_at', 'headers_hash'] as const;
const SIGNED = ['key_id', 'public_key', 'signature'] as const;

function statementIn(line: string): SignedMoment | undefined {
  const parsed = parseLine(line);
  if (parsed?.exact !== true || !isObject(parsed.value)) return undefined;
  const { value } = parsed;
  const isStatement =
    value['document'] === MOMENT &&
    [...TEXTS, ...SIGNED].every((name) => typeof value[name] === 'string') &&
    typeof value['final'] === 'boolean' &&
    Number.isSafeInteger(value['streams']) &&
    Number.isSafeInteger(value['left_out']);
  return isStatement ? (value as SignedMoment) : undefined;
}

/** Returns the first line of a moment's file. */
export const momentLine = (statement: SignedMoment): string => canonicalJson(statement);
