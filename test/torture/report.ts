import type { Round } from './round.js';

export interface FoundFault {
  /** The command that repeats the part of the run in which the fault was found. */
  readonly repeat: string;
  readonly text: string;
}

/** The totals of all rounds. */
export class Report {
  readonly found: FoundFault[] = [];
  private readonly totals = new Map<string, Map<string, number>>();
  private longestSilence = 0;

  constructor(
    private readonly seed: number,
    private readonly minutes: number,
  ) {}

  add(name: string, counts: Iterable<readonly [string, number]>): void {
    const totals = this.totals.get(name) ?? new Map<string, number>();
    for (const [key, value] of counts) totals.set(key, (totals.get(key) ?? 0) + value);
    this.totals.set(name, totals);
  }

  addRound({ journal, record, longestSilence }: Round): void {
    const outcomes = (['acknowledged', 'refused', 'unknown'] as const).map(
      (outcome) => [outcome, journal.count(outcome)] as const,
    );
    this.add('operations', [['total', journal.operations.length], ...outcomes]);
    this.add('signals', record.signals);
    this.add('faults', record.byKind);
    this.add('faults skipped', record.skipped);
    this.add('failed attempts', journal.failures);
    this.longestSilence = Math.max(this.longestSilence, longestSilence);
  }

  /** Returns the report as text; its last line says PASS or FAIL. */
  text(): string {
    const lines = [...this.totals]
      .filter(([, counts]) => counts.size > 0)
      .map(([name, counts]) => {
        const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
        return `${`${name}:`.padEnd(18)}${sorted.map(([key, value]) => `${key} ${value}`).join(', ')}`;
      });
    const found = this.found.map(
      ({ repeat, text }, index) => `\nFault ${index + 1}: ${text}\n  Repeat it with: ${repeat}`,
    );
    return [
      `seed:             ${this.seed}`,
      `minutes:          ${this.minutes}`,
      ...lines,
      `longest silence:  ${(this.longestSilence / 1000).toFixed(1)} s`,
      ...found,
      this.found.length === 0 ? 'PASS' : `FAIL: ${this.found.length} faults`,
    ].join('\n');
  }
}
