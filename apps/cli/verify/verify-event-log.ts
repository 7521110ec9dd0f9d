import { setTimeout as delay } from 'node:timers/promises';
import {
  CHECKPOINT_PROBLEMS,
  readCheckpoint,
  type SignedCheckpoint,
} from '#checkpoints/checkpoint-file.js';
import type { LogFinding } from '#checkpoints/compare-log.js';
import type { IntegrityReport } from '#client/integrity.js';
import { EventStoreUnavailable } from '#event-store/event-store.js';
import type { StreamHead } from '#event-store/log-check.js';
import { couldNotCheck, EXIT, CommandFailure } from '../exit-code.js';
import { connect, type ServiceOptions } from '../service/connection.js';
import { namedEventStore } from '../service/event-store.js';
import { coloursFor } from '../terminal/colour.js';
import { counted, printJson } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import { findingLine } from './finding-line.js';
import { signer } from './signer.js';
import { trustedKeys } from './trusted-keys.js';

/** A checkpoint file that was read for `--since`. */
interface Since {
  readonly heads: readonly StreamHead[];
  readonly statement: Pick<SignedCheckpoint, 'created_at' | 'position' | 'streams' | 'key_id'> & {
    readonly file: string;
    /** True if the reader named the keys to trust, and one of them signed the file. */
    readonly pinned: boolean;
  };
}

/**
 * Reads the checkpoint file of `--since`. The command ends with exit code 1 if the file was edited or has
 * another signer, and with 2 if it cannot be read.
 */
async function sinceFile(file: string, keys: ReadonlySet<string> | undefined): Promise<Since> {
  const report = await readCheckpoint(file, { trusted: keys }).catch((error: Error) => {
    throw couldNotCheck(`The checkpoint ${file} cannot be read: ${error.message}.`);
  });
  if ('problem' in report)
    throw new CommandFailure(
      EXIT.broken,
      `BROKEN  ${file}\n        ${CHECKPOINT_PROBLEMS[report.problem]}`,
    );
  const { created_at, position, streams, key_id } = report.checkpoint;
  return {
    heads: report.heads,
    statement: { file, created_at, position, streams, key_id, pinned: keys !== undefined },
  };
}

/** The pause between two requests for the progress of a verification, in ms. */
const POLL_MS = 1_000;

interface VerifyLogOptions extends ServiceOptions {
  readonly json?: boolean;
  readonly decisions?: boolean;
  readonly eventStore?: string;
  readonly since?: string;
  readonly key?: string;
}

interface Result extends Pick<IntegrityReport, 'events' | 'streams' | 'decided' | 'found'> {
  readonly findings: readonly LogFinding[];
  /** The checkpoint of `--since`. */
  readonly since?: Since['statement'];
}

/**
 * `mace verify --log`: checks every event of the event log, in the service or without it, and prints the
 * findings (SPEC I6).
 */
export async function verifyEventLog(options: VerifyLogOptions): Promise<void> {
  const { eventStore, since, key, json } = options;
  if (key !== undefined && since === undefined)
    throw couldNotCheck('With --log, --key needs --since: it pins the signer of the checkpoint.');
  const result =
    eventStore === undefined && since === undefined
      ? await verifiedByService(options)
      : await verifiedHere(options);
  if (json) printJson(result);
  else print(result);
  if (result.found > 0) process.exitCode = EXIT.broken;
}

async function verifiedByService(options: VerifyLogOptions): Promise<Result> {
  const client = await connect(options, { sub: 'mace-verify', roles: ['auditor'] });
  const progress = new LogProgress();
  let report = await client.integrity.verify({
    decisions: options.decisions ?? false,
    means: 'command_line',
  });
  const { started_at } = report;
  while (report.finished_at === null) {
    progress.show(report.events, report.decided);
    await delay(POLL_MS);
    const { running, last } = await client.integrity.findings();
    const found = [last, running].find((candidate) => candidate?.started_at === started_at);
    if (found === null || found === undefined)
      throw couldNotCheck('The service no longer runs this verification; its log says why.');
    report = found;
  }
  progress.finish();
  return report;
}

async function verifiedHere(options: VerifyLogOptions): Promise<Result> {
  const { eventStore, decisions = false, since: file, key } = options;
  const keys = key === undefined ? undefined : await trustedKeys(key);
  const since = file === undefined ? undefined : await sinceFile(file, keys);
  const store = await namedEventStore(eventStore);
  // The rules are loaded only here, because importing them above would slow down every other command.
  const [{ verifyLog }, { compareLog }] = await Promise.all([
    import('#event-store/verify-log.js'),
    import('#checkpoints/compare-log.js'),
  ]);
  const findings: LogFinding[] = [];
  const progress = new LogProgress();
  const reading = new Progress('Reading streams', since?.statement.streams);
  let [events, decided] = [0, 0];
  const steps = {
    withDecisions: () => decisions,
    onEvents: (checked: number) => progress.show((events += checked), decided),
    onDecided: (streams: number) => progress.show(events, (decided += streams)),
    onFinding: (finding: LogFinding) => findings.push(finding),
    onStreams: (streams: number) => reading.advance(streams),
  };
  try {
    const verified = await (since === undefined
      ? verifyLog(store, steps)
      : compareLog(store, since.heads, steps));
    progress.finish();
    reading.finish();
    const result = { ...verified, found: findings.length, findings };
    return since === undefined ? result : { ...result, since: since.statement };
  } catch (error) {
    if (error instanceof EventStoreUnavailable) throw couldNotCheck(error.message);
    throw error;
  } finally {
    await store.close();
  }
}

/** The progress of a verification: first its events, then the streams that are decided again. */
class LogProgress {
  readonly #events = new Progress('Verifying events');
  readonly #decisions = new Progress('Replaying streams');
  #shown = { events: 0, decided: 0 };

  show(events: number, decided: number): void {
    this.#events.advance(events - this.#shown.events);
    if (decided > 0) this.#decisions.advance(decided - this.#shown.decided);
    this.#shown = { events, decided };
  }

  finish(): void {
    this.#events.finish();
    this.#decisions.finish();
  }
}

function print({ events, streams, decided, found, findings, since }: Result): void {
  const { green, red, dim } = coloursFor(process.stdout);
  for (const finding of findings) console.log(findingLine(finding));
  if (findings.length < found)
    console.log(dim(`and ${counted(found - findings.length, 'finding')} more`));
  const replayed = decided === 0 ? '' : `, ${counted(decided, 'stream')} replayed`;
  const outcome = found === 0 ? green('no findings') : red(counted(found, 'finding'));
  console.log(
    `${counted(events, 'event')} of ${counted(streams, 'stream')} checked${replayed}: ${outcome}`,
  );
  if (since === undefined) return;
  console.log(
    `compared with the checkpoint of ${since.created_at}: ${counted(since.streams, 'stream')} up to position ${since.position}`,
  );
  console.log(signer(since));
}
