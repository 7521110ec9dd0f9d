import { setTimeout as delay } from 'node:timers/promises';
import type { IntegrityFinding, IntegrityReport } from '#client/integrity.js';
import { EventStoreUnavailable } from '#event-store/event-store.js';
import { couldNotCheck, EXIT } from '../exit-code.js';
import { connect, type ServiceOptions } from '../service/connection.js';
import { openEventStore } from '../service/event-store.js';
import { coloursFor } from '../terminal/colour.js';
import { counted, printJson } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';

/** The pause between two requests for the progress of a verification, in ms. */
const POLL_MS = 1_000;

interface VerifyLogOptions extends ServiceOptions {
  readonly json?: boolean;
  readonly decisions?: boolean;
  readonly eventStore?: string;
}

type Result = Pick<IntegrityReport, 'events' | 'streams' | 'decided' | 'found' | 'findings'>;

/**
 * `mace verify --log`: checks every event of the event log, in the service or without it, and prints the
 * findings (SPEC I6).
 */
export async function verifyEventLog(options: VerifyLogOptions): Promise<void> {
  const { eventStore, json } = options;
  const result =
    eventStore === undefined
      ? await verifiedByService(options)
      : await verifiedHere(eventStore, options);
  if (json) printJson(result);
  else print(result);
  if (result.found > 0) process.exitCode = EXIT.broken;
}

async function verifiedByService(options: VerifyLogOptions): Promise<Result> {
  const client = await connect(options, { sub: 'mace-verify', roles: ['auditor'] });
  const progress = new LogProgress();
  let report = await client.integrity.verify({ decisions: options.decisions ?? false });
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

async function verifiedHere(url: string, { decisions = false }: VerifyLogOptions): Promise<Result> {
  const store = await openEventStore('--event-store', url);
  // The rules are loaded only here, because importing them above would slow down every other command.
  const { verifyLog } = await import('#event-store/verify-log.js');
  const findings: IntegrityFinding[] = [];
  const progress = new LogProgress();
  let [events, decided] = [0, 0];
  try {
    const verified = await verifyLog(store, {
      withDecisions: () => decisions,
      onEvents: (checked) => progress.show((events += checked), decided),
      onDecided: (streams) => progress.show(events, (decided += streams)),
      onFinding: (finding) => findings.push(finding),
    });
    progress.finish();
    return { ...verified, found: findings.length, findings };
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

const SAYS: Readonly<Record<IntegrityFinding['problem'], string>> = {
  missing: 'is missing',
  repeated: 'stands a second time, or in the wrong place',
  wrong_hash: 'has a hash that does not follow from its content and its predecessor',
  wrong_event_id: 'has an id that does not follow from its stream, number and type',
  wrong_appended_id: 'has an id in the event store that does not follow from its command',
  unknown_category: 'belongs to a stream of a category that this release does not know',
  unknown_type: 'has a type that this release does not know',
  unreadable: 'has a version or a form that this release cannot read',
  row_missing: 'has no row in a read model',
  row_outdated: 'has rows in a read model that do not show it',
  row_unknown: 'is not in the log, but a read model has rows of it',
  diverged: 'is not what the rules make of the recorded inputs',
};

function print({ events, streams, decided, found, findings }: Result): void {
  const { green, red, dim } = coloursFor(process.stdout);
  for (const { stream, number, problem } of findings)
    console.log(`${red(problem)}  ${stream}  event ${number} ${dim(SAYS[problem])}`);
  if (findings.length < found)
    console.log(dim(`and ${counted(found - findings.length, 'finding')} more`));
  const replayed = decided === 0 ? '' : `, ${counted(decided, 'stream')} replayed`;
  const outcome = found === 0 ? green('no findings') : red(counted(found, 'finding'));
  console.log(
    `${counted(events, 'event')} of ${counted(streams, 'stream')} checked${replayed}: ${outcome}`,
  );
}
