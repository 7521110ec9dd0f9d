import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { OwnTables } from '#read-model/own-tables.js';
import type { Postgres } from '#read-model/postgres.js';

const TABLES = readFileSync(new URL('./tables.sql', import.meta.url), 'utf8');
const ADD_SUBJECT = 'insert into verification.run (subject) values ($1) on conflict do nothing';

const HEARTBEAT_MS = 1_000;
/** A run without a heartbeat for this time has lost its process. */
const SILENCE = `interval '10 seconds'`;

/** The number of past runs of which a subject keeps the figures. */
const KEPT_RUNS = 100;

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

// The report of a run joins the history in the statement that ends the run.
const END = {
  name: 'verification_end',
  text: `with ended as (
      update verification.run
      set run_id = null, beat_at = null, ended_at = now(), progress = null, last = coalesce($3, last)
      where subject = $1 and run_id = $2 returning subject
    ), forgotten as (
      delete from verification.past_run where run_id in (
        select run_id from verification.past_run where subject = $1
        order by ended_at desc offset ${KEPT_RUNS - 1})
    )
    insert into verification.past_run (subject, run_id, report)
    select subject, $2, $4::jsonb from ended where $4::jsonb is not null`,
};

const PAST = {
  name: 'verification_past',
  text: `select report from verification.past_run where subject = $1 order by ended_at desc`,
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
  /**
   * Ends the run, and publishes its report if it has one. The next run begins when it is due.
   * @param kept what the history keeps of the report; by default, the whole report
   */
  end(report?: Report, kept?: object): Promise<void>;
  /**
   * Ends a run that failed. If `stopping` is aborted, the run failed because this process stops, and another
   * instance begins anew at once. If Postgres is away, the run ends because its heartbeats are missing.
   */
  fail(stopping: AbortSignal): Promise<void>;
}

/**
 * Ensures that one instance at a time runs a verification, and shares its progress and result with all
 * instances. Every method fails with `PostgresUnavailable`.
 */
export class SharedRun<Report> {
  private readonly tables: OwnTables;

  /** @param subject what is verified, such as `event_log` */
  constructor(
    private readonly postgres: Postgres,
    private readonly subject: string,
  ) {
    this.tables = new OwnTables(postgres, 'verification', TABLES, (tx) =>
      tx.query(ADD_SUBJECT, [subject]),
    );
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
    await this.tables.make();
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
    const end = async (report?: Report, kept?: object): Promise<void> => {
      clearInterval(timer);
      const [text, keptText] =
        report === undefined
          ? [null, null]
          : [report, kept ?? report].map((one) => JSON.stringify(one));
      await this.postgres.query(END, [this.subject, run, text, keptText]);
    };
    const leave = async (): Promise<void> => {
      clearInterval(timer);
      await this.postgres.query(LEAVE, [this.subject, run]);
    };
    const fail = (stopping: AbortSignal): Promise<void> =>
      (stopping.aborted ? leave() : end()).catch(() => undefined);
    return { end, fail };
  }

  /** Asks the current run, on whichever instance, for the decisions as well. */
  async askForDecisions(): Promise<void> {
    await this.postgres.query(ASK_FOR_DECISIONS, [this.subject]);
  }

  /** Returns what the history keeps of past runs, the newest first. */
  async past<Kept extends object = Report & object>(): Promise<Kept[]> {
    await this.tables.make();
    const rows = await this.postgres.query<{ report: Kept }>(PAST, [this.subject]);
    return rows.map(({ report }) => report);
  }

  async read(): Promise<SharedReports<Report>> {
    await this.tables.make();
    const [row] = await this.postgres.query<{ last: Report | null; running: Report | null }>(READ, [
      this.subject,
    ]);
    return { last: row?.last ?? undefined, running: row?.running ?? undefined };
  }
}
