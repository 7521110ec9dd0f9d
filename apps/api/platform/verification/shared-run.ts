import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { OwnTables } from '#read-model/own-tables.js';
import type { Postgres } from '#read-model/postgres.js';

const TABLES = readFileSync(new URL('./tables.sql', import.meta.url), 'utf8');
const ADD = {
  name: 'verification_add',
  text: 'insert into verification.run (subject) values ($1) on conflict do nothing',
};

const HEARTBEAT_MS = 1_000;
/** A run without a heartbeat for this time has lost its process. */
const SILENCE = `interval '10 seconds'`;

const BEGIN = {
  name: 'verification_begin',
  text: `update verification.run
    set run_id = $2, beat_at = now(), decisions = $3, progress = $4
    where subject = $1 and (beat_at is null or beat_at < now() - ${SILENCE})
      and ($5::float8 is null or ended_at <= now() - $5 * interval '1 millisecond')
    returning 1`,
};

const BEAT = {
  name: 'verification_beat',
  text: `update verification.run set beat_at = now(), progress = $3
    where subject = $1 and run_id = $2 returning decisions`,
};

const END = {
  name: 'verification_end',
  text: `update verification.run
    set run_id = null, beat_at = null, ended_at = now(), progress = null, last = coalesce($3, last)
    where subject = $1 and run_id = $2`,
};

const LEAVE = {
  name: 'verification_leave',
  text: `update verification.run set run_id = null, beat_at = null, progress = null
    where subject = $1 and run_id = $2`,
};

const ASK_FOR_DECISIONS = {
  name: 'verification_ask_for_decisions',
  text: `update verification.run set decisions = true where subject = $1 and run_id is not null`,
};

const READ = {
  name: 'verification_read',
  text: `select last, case when beat_at >= now() - ${SILENCE} then progress end as running
    from verification.run where subject = $1`,
};

/** The state of a verification that all instances share. */
export interface SharedReports<Report> {
  /** The report of the last run that succeeded. */
  readonly last: Report | undefined;
  /** The progress of the current run, at most a second old. */
  readonly running: Report | undefined;
}

/** A run that this process holds. */
export interface HeldRun<Report> {
  /** Publishes the report, and lets the next run begin; without a report, the run has failed. */
  end(report?: Report): Promise<void>;
  /** Gives the run up, so that another instance begins anew at once. */
  leave(): Promise<void>;
}

/**
 * Ensures that one instance at a time runs a verification, and shares its progress and result with all
 * instances. Every method fails with `PostgresUnavailable`.
 */
export class SharedRun<Report> {
  private readonly tables: OwnTables;
  private isMade = false;

  /** @param subject what is verified, such as `event_log` */
  constructor(
    private readonly postgres: Postgres,
    private readonly subject: string,
  ) {
    this.tables = new OwnTables(postgres, 'verification', TABLES);
  }

  /**
   * Begins a run. Resolves with undefined if an instance runs the verification already, or if the last run
   * ended less than `dueAfterMs` ago.
   * @param progress returns the progress that other instances see
   * @param onDecisions called when a caller of another instance asks for the decisions as well
   */
  async begin(
    progress: () => Report,
    { dueAfterMs = null, decisions = false }: { dueAfterMs?: number | null; decisions?: boolean },
    onDecisions: () => void = () => undefined,
  ): Promise<HeldRun<Report> | undefined> {
    await this.make();
    const run = randomUUID();
    const begun = [this.subject, run, decisions, JSON.stringify(progress()), dueAfterMs];
    if ((await this.postgres.query(BEGIN, begun)).length === 0) return undefined;
    const beat = async (): Promise<void> => {
      const values = [this.subject, run, JSON.stringify(progress())];
      const [row] = await this.postgres.query<{ decisions: boolean }>(BEAT, values);
      if (row?.decisions) onDecisions();
    };
    // If Postgres is away, the next heartbeat tries again.
    const timer = setInterval(() => void beat().catch(() => undefined), HEARTBEAT_MS);
    timer.unref();
    return {
      end: async (report) => {
        clearInterval(timer);
        const text = report === undefined ? null : JSON.stringify(report);
        await this.postgres.query(END, [this.subject, run, text]);
      },
      leave: async () => {
        clearInterval(timer);
        await this.postgres.query(LEAVE, [this.subject, run]);
      },
    };
  }

  /** Asks the current run, on whichever instance, for the decisions as well. */
  async askForDecisions(): Promise<void> {
    await this.postgres.query(ASK_FOR_DECISIONS, [this.subject]);
  }

  async read(): Promise<SharedReports<Report>> {
    await this.make();
    const [row] = await this.postgres.query<{ last: Report | null; running: Report | null }>(READ, [
      this.subject,
    ]);
    return { last: row?.last ?? undefined, running: row?.running ?? undefined };
  }

  private async make(): Promise<void> {
    if (this.isMade) return;
    await this.tables.make();
    await this.postgres.query(ADD, [this.subject]);
    this.isMade = true;
  }
}
