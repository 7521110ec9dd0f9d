import { type Check } from './replay/replay-banner';
import styles from './verdict-chip.module.css';
import badge from '../ui/badge.module.css';

/** What is known of a job’s record. A replay says more than the chain of hashes, which the page knows from the start. */
export interface Verdict {
  readonly kind: 'plain' | 'good' | 'bad';
  readonly words: string;
  readonly why: string;
}

interface Known {
  readonly check: Check | undefined;
  readonly isPending: boolean;
  readonly hasFailed: boolean;
  /** The number of the job's last event. */
  readonly last: number;
  /** The first event that does not fit the chain; null without one. */
  readonly brokenAt: number | null;
}

export function verdictOf({ check, isPending, hasFailed, last, brokenAt }: Known): Verdict {
  if (isPending) return plain('○ Checking …', 'The service decides every event again.');
  if (check !== undefined) return verdictOfCheck(check, last);
  if (brokenAt !== null)
    return {
      ...{ kind: 'bad', words: `✗ Broken at event ${brokenAt}` },
      why: 'Found when the events were read. Replay says what was expected there.',
    };
  return plain(
    '○ Not checked',
    hasFailed
      ? 'The replay did not come to an end, so it says nothing.'
      : 'Replay decides every event again from the recorded inputs, and compares.',
  );
}

const plain = (words: string, why: string): Verdict => ({ kind: 'plain', words, why });

function verdictOfCheck({ report, by, at }: Check, last: number): Verdict {
  const why = `Checked by ${by}, ${at}.`;
  const number = report.divergence?.number ?? 0;
  if (report.identical) {
    const upTo = report.events_checked > last ? '' : ` up to event ${report.events_checked - 1}`;
    return { kind: 'good', words: `✓ Identical${upTo}`, why };
  }
  const what = report.code === 'INTEGRITY_FAILURE' ? 'Broken' : 'Diverged';
  return { kind: 'bad', words: `✗ ${what} at event ${number}`, why };
}

interface VerdictChipProps {
  readonly verdict: Verdict;
  /** True if what was found is shown below; undefined if there is nothing to show. */
  readonly isOpen: boolean | undefined;
  readonly toggle: () => void;
}

const classesOf = ({ kind }: Verdict): string => `${badge['badge']} ${badge[kind]} ${styles.chip}`;

/** The verdict in a few words, where what it rests on stands beside it. */
export const VerdictWords = ({ verdict }: Pick<VerdictChipProps, 'verdict'>) => (
  <span className={classesOf(verdict)} title={verdict.why}>
    {verdict.words}
  </span>
);

/** The verdict in a few words, which is read out when it changes; a press shows what it rests on. */
export function VerdictChip({ verdict, isOpen, toggle }: VerdictChipProps) {
  const { words, why } = verdict;
  return (
    <span role="status">
      {isOpen === undefined ? (
        <VerdictWords verdict={verdict} />
      ) : (
        <button
          type="button"
          className={classesOf(verdict)}
          title={why}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {words} <span aria-hidden>{isOpen ? '▴' : '▾'}</span>
        </button>
      )}
    </span>
  );
}
