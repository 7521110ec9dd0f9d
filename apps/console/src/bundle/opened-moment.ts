import { isSealed } from '#domain/held.js';
import type { Json } from '#domain/json.js';
import type { RecordedEvent } from '#domain/recorded-event.js';
import { parseLine } from '#domain/replay/bundle.js';
import { type MomentReport, verifyMoment } from '#domain/replay/moment-file.js';
import { deciderOf } from '#domain/replay/stream-rules.js';
import { semDecider } from '#domain/sem/sem.decider.js';
import { currentFact } from '#domain/sem/state.js';
import { eventOf } from '#domain/upcast.js';
import { signatureOf } from './signature';

/** A stream in a moment's file. */
export interface MomentStream {
  readonly stream: string;
  readonly events: number;
  /** Of a fact that was there: its value, if it is not personal data. */
  readonly fact?: { readonly value: Json } | 'sealed' | 'deleted';
}

/** A moment's file that was read and verified. Its streams are listed only if the whole file is intact. */
export interface OpenedMoment {
  readonly report: MomentReport;
  readonly streams: readonly MomentStream[];
}

/** @param lines all lines of the file, without line feeds */
export async function openedMoment(lines: readonly string[]): Promise<OpenedMoment> {
  const report = await verifyMoment(deciderOf, each(lines), {
    // The page checks it with the keys that the reader trusts.
    statement: async () => undefined,
    bundle: async (header) =>
      (await signatureOf(header, new Set())).kind === 'invalid' ? 'wrong_signature' : undefined,
  });
  return { report, streams: report.problem === undefined ? streamsIn(lines, report) : [] };
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

function streamsIn(lines: readonly string[], { bundles }: MomentReport): MomentStream[] {
  let place = 1;
  return bundles.flatMap(({ header }): readonly MomentStream[] => {
    if (header === undefined) return [];
    const { stream, event_count } = header;
    const events = lines.slice(place + 1, place + 1 + event_count);
    place += 1 + event_count;
    const isFact = stream.startsWith(`${semDecider.category}-`);
    return [{ stream, events: event_count, ...(isFact && { fact: factIn(stream, events) }) }];
  });
}

function factIn(stream: string, lines: readonly string[]): NonNullable<MomentStream['fact']> {
  let state = semDecider.initialState(stream);
  for (const line of lines) {
    const stored = parseLine(line)?.value as unknown as RecordedEvent;
    state = semDecider.evolve(state, eventOf(semDecider, stored));
  }
  const fact = currentFact(state);
  if (fact === undefined) return 'deleted';
  return isSealed(fact) ? 'sealed' : { value: fact.value };
}
