import type { JobHandle } from '#client/jobs.js';
import { CommandFailure, EXIT } from '../exit-code.js';
import { FileBytes } from '#files/file-bytes.js';
import { everyLineIn, type Line, MAX_LINE_MIB } from '#files/lines.js';
import { MaceError, isMaceError } from '#client/mace-error.js';
import type { MaceClient } from '#client/mace-client.js';
import type { MappingOptions } from './mapping-options.js';
import { BadLine, parseRecording } from './recording.js';
import { type MappedRun, recordingToCommands } from './recording-to-commands.js';

/**
 * Sends a mapped run. Resolves when the job has ended in the state that the mapping predicted, with true if it had
 * ended before. The Idempotency-Keys depend only on the run, so after an interrupted import the service repeats its first
 * answers, and only the remaining requests add events (SPEC I7).
 */
async function importRun(
  client: MaceClient,
  { start, batches, events }: MappedRun,
  signal: AbortSignal,
): Promise<boolean> {
  const key = (part: string) => ({ idempotencyKey: `import:${start.job_seed}:${part}`, signal });
  const job = client.job(start.job_seed);
  const hadEnded = await hasEnded(job, signal);
  await client.jobs.start(start, key('start'));
  for (const [index, commands] of batches.entries())
    await job.batch(commands, key(`commands:${index}`));
  const { version } = await job.get({}, { signal });
  if (version + 1 !== events)
    throw new CommandFailure(
      EXIT.broken,
      `the service has ${version + 1} events where the rules of this version make ${events}`,
    );
  return hadEnded;
}

async function hasEnded(job: JobHandle, signal: AbortSignal): Promise<boolean> {
  try {
    return (await job.get({}, { signal })).status === 'ended';
  } catch (error) {
    if (isMaceError(error, 'NOT_FOUND', 'PERMISSION_DENIED')) return false;
    throw error;
  }
}

/** True for an error that has to do with the service or the token, and so with every run. */
const isOfEveryRun = ({ status, code }: MaceError): boolean =>
  status === 401 || status === 429 || (status >= 500 && code !== 'INTERNAL');

/** Returns why the service did not record this run; undefined if the error has to do with every run. */
function refusalOf(error: unknown): string | undefined {
  if (error instanceof CommandFailure) return error.message;
  if (!(error instanceof MaceError) || isOfEveryRun(error)) return undefined;
  switch (error.code) {
    case 'JOB_EXISTS':
      return 'a job with this seed exists already, and was not made by this import; give the run another job_seed';
    case 'IDEMPOTENCY_MISMATCH':
      return 'a job with this seed was imported from another recording, or by another version; give the run another job_seed';
    default:
      return `${error.code}: ${error.developerMessage} (trace ${error.traceId})`;
  }
}

export interface FailedLine {
  /** The number of the line, counted from 1. */
  readonly line: number;
  readonly job_seed: string | null;
  /** The code of SPEC §10; null if the service's state differs from the mapping. */
  readonly error_code: string | null;
  readonly reason: string;
}

/**
 * The result of an import. It counts all runs of the file that are now completely imported, even if an
 * earlier import has sent them.
 */
export interface ImportSummary {
  runs: number;
  /** How many of the runs were complete before this import. */
  already_there: number;
  events: number;
  promotions: number;
  episodes: number;
  references: number;
  /** How often something of the imported runs was left out, by the reason. */
  readonly skipped: Record<string, number>;
  /** The lines of which something was left out, by the reason. */
  readonly skipped_lines: Record<string, number[]>;
  readonly failed: FailedLine[];
}

export interface ImportFileOptions extends MappingOptions {
  /** The number of runs sent at the same time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called after each line, whether the import of the line succeeded or not. */
  readonly onLine: (summary: ImportSummary) => void;
}

/**
 * Imports every line of a file. A bad or refused line is counted, and the import continues. It stops if
 * the service cannot be reached or the signal aborts.
 */
export async function importFile(
  client: MaceClient,
  path: string,
  options: ImportFileOptions,
): Promise<ImportSummary> {
  const summary: ImportSummary = {
    runs: 0,
    already_there: 0,
    events: 0,
    promotions: 0,
    episodes: 0,
    references: 0,
    skipped: {},
    skipped_lines: {},
    failed: [],
  };
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const runs = mappedLines(path, options, summary);
  const worker = async (): Promise<void> => {
    for await (const { line, run } of runs) {
      signal.throwIfAborted();
      await importLine(client, line, run, signal, summary);
      options.onLine(summary);
    }
  };
  const workers = Array.from({ length: options.concurrency }, worker);
  await Promise.all(workers).catch(async (error: unknown) => {
    failed.abort();
    await Promise.allSettled(workers);
    throw error;
  });
  summary.failed.sort((left, right) => left.line - right.line);
  for (const lines of Object.values(summary.skipped_lines))
    lines.sort((left, right) => left - right);
  return summary;
}

/** Yields the lines of a file without the byte order mark that it may begin with. */
export async function* recordingLines(path: string): AsyncGenerator<Line> {
  let isFirst = true;
  for await (const line of everyLineIn(new FileBytes(path))) {
    yield isFirst && 'text' in line ? { text: line.text.replace(/^\uFEFF/, '') } : line;
    isFirst = false;
  }
}

export const isBlank = (line: Line): boolean => 'text' in line && line.text.trim() === '';

function textOf(line: Line): string {
  if ('text' in line) return line.text;
  const isTooLong = line.problem === 'too_long';
  throw new BadLine(isTooLong ? `longer than ${MAX_LINE_MIB} MiB` : 'not UTF-8');
}

/** Maps the runs of a file one at a time. Lines that are not recordings are counted in the summary. */
async function* mappedLines(
  path: string,
  options: ImportFileOptions,
  summary: ImportSummary,
): AsyncGenerator<{ line: number; run: MappedRun }> {
  const seeds = new Set<string>();
  let line = 0;
  for await (const read of recordingLines(path)) {
    line += 1;
    if (isBlank(read)) continue;
    try {
      const recording = parseRecording(textOf(read));
      if (seeds.has(recording.job_seed))
        throw new BadLine('its job_seed stands in an earlier line');
      seeds.add(recording.job_seed);
      yield { line, run: recordingToCommands(recording, options) };
    } catch (error) {
      if (!(error instanceof BadLine)) throw error;
      const error_code = 'INVALID_INPUT';
      const reason = `${error_code}: ${error.message}`;
      summary.failed.push({ line, job_seed: null, error_code, reason });
      options.onLine(summary);
    }
  }
}

async function importLine(
  client: MaceClient,
  line: number,
  run: MappedRun,
  signal: AbortSignal,
  summary: ImportSummary,
): Promise<void> {
  try {
    if (await importRun(client, run, signal)) summary.already_there += 1;
  } catch (error) {
    const reason = refusalOf(error);
    if (reason === undefined) throw error;
    const error_code = error instanceof MaceError ? error.code : null;
    summary.failed.push({ line, job_seed: run.start.job_seed, error_code, reason });
    return;
  }
  summary.runs += 1;
  summary.events += run.events;
  summary.promotions += run.promotions;
  summary.episodes += run.episodes;
  summary.references += run.references;
  for (const [reason, times] of run.skipped) {
    summary.skipped[reason] = (summary.skipped[reason] ?? 0) + times;
    (summary.skipped_lines[reason] ??= []).push(line);
  }
}
