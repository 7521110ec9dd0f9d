import type { ReactNode } from 'react';
import type { Json, ReplayReport } from '#client/index.js';
import { Button } from '../../ui/button';
import { Instant } from '../../ui/instant';
import { JsonView } from '../../ui/json-view';
import { Message } from '../../ui/message';
import { Terms } from '../../ui/terms';
import styles from './replay.module.css';

export interface Check {
  readonly report: Omit<ReplayReport, 'divergence'> & {
    readonly divergence?: {
      readonly number: number;
      readonly expected?: unknown;
      readonly actual?: unknown;
    };
  };
  /** Who asked for it, and where it ran. */
  readonly by: string;
  /** The time of the answer, ISO 8601 in UTC. */
  readonly at: string;
  /** The version of the service that replayed; undefined for a browser, and if the service does not say it. */
  readonly version?: string;
}

interface CheckBannerProps {
  readonly check: Check;
  /** The number of the record's last event. */
  readonly last: number;
  readonly move?: ((to: number) => void) | undefined;
  /** False if nobody has proven who recorded the events, as in a bundle without a trusted signature. */
  readonly isProven?: boolean;
  /** What can be done with the report. */
  readonly children?: ReactNode;
}

/** What a replay has found. It is green only if every event was decided again and found identical. */
export function CheckBanner({ check, last, move, isProven = true, children }: CheckBannerProps) {
  const { report } = check;
  const { divergence } = report;
  if (report.identical)
    return (
      <Message
        kind={isProven ? 'good' : 'warning'}
        title={identicalTitle(report.events_checked, last, isProven)}
      >
        <p>
          The rules gave every one of these events again, from the recorded inputs.
          {!isProven && ' Somebody who knows the rules could have written all of them.'}
        </p>
        <Facts check={check} last={last} />
        {children}
      </Message>
    );
  const number = divergence?.number ?? 0;
  const title =
    report.code === 'INTEGRITY_FAILURE'
      ? `✗ Broken at event ${number}`
      : `✗ Diverged at event ${number}`;
  return (
    <Message kind="bad" title={title}>
      <p>
        {report.code === 'INTEGRITY_FAILURE'
          ? 'The hash of this event does not fit its content and the event before it. Somebody changed, removed or moved an event.'
          : 'The rules give another event for the recorded inputs than the one that is recorded.'}
      </p>
      <div className={styles.sideBySide}>
        <div>
          <p className={styles.term}>Expected</p>
          <JsonView label="Expected" value={asJson(divergence?.expected)} />
        </div>
        <div>
          <p className={styles.term}>Actual</p>
          <JsonView label="Actual" value={asJson(divergence?.actual)} />
        </div>
      </div>
      {move !== undefined && <Button onClick={() => move(number)}>Go to event {number}</Button>}
      <Facts check={check} last={last} />
      {children}
    </Message>
  );
}

export const UNPROVEN = '△ Identical, but its origin is not proven';

/** The title says up to where the events were checked, if more have come since. */
function identicalTitle(checked: number, last: number, isProven: boolean): string {
  if (!isProven) return UNPROVEN;
  return checked > last ? '✓ Identical' : `✓ Identical up to event ${checked - 1}`;
}

const asJson = (value: unknown): Json => (value ?? null) as Json;

/** Who checked what, and when. */
function Facts({ check: { report, by, at }, last }: Pick<CheckBannerProps, 'check' | 'last'>) {
  const unchecked = last + 1 - report.events_checked;
  const hashes = [
    ['Head of the chain', report.head_hash],
    ['Content hash', report.content_hash],
    ['Hash of the final state', report.state_hash ?? 'not reached'],
  ] as const;
  return (
    <>
      <p>
        Checked by {by}, <Instant at={at} />: {report.events_checked.toLocaleString('en')} events,
        their chain and their content.
        {unchecked > 0 && ` ${unchecked.toLocaleString('en')} more are not checked.`}
        {report.owed > 0 && ` The job’s end still has to write ${report.owed} events.`}
      </p>
      <details className={styles.facts}>
        <summary>What was checked</summary>
        <Terms terms={hashes.map(([name, hash]) => [name, name, <code>{hash}</code>])} />
      </details>
    </>
  );
}
