import { Message } from '../../ui/message';
import { VisibleText } from '../../ui/visible-text';
import type { ShownState } from '../record/job-record';
import { wordsOf } from '../replay/event-words';
import type { Compared } from './align';
import styles from './compare.module.css';
import { changedParts, lengthWords } from './same-job';
import type { Comparison, Side } from './use-comparison';

const MAX_WORDS = 300;

interface Props {
  readonly comparison: Comparison;
  /** True if the signature of each file is by a key that the reader trusts. */
  readonly areTrusted: boolean;
}

const Words = ({ of }: { readonly of: Compared | undefined }) =>
  of === undefined ? <>no event</> : <VisibleText text={saidBy(of).slice(0, MAX_WORDS)} />;

export const saidBy = ({ event, found }: Compared): string => found ?? wordsOf(event);

/** The first place at which the histories part, as soon as it is known. */
export function FirstDifference({ comparison, areTrusted }: Props) {
  const { left, right, isSameJob, first, isWhole } = comparison;
  if (first === undefined) return isWhole ? <NoDifference {...{ comparison, areTrusted }} /> : null;
  const [one, other] = [left.events[first], right.events[first]];
  const tick = Math.min(one?.tick ?? Infinity, other?.tick ?? Infinity);
  return (
    <Message kind="warning" title={`First difference at tick ${tick}`}>
      <p>
        Left, event {first}: <Words of={one} />
      </p>
      <p>
        Right, event {first}: <Words of={other} />
      </p>
      {isSameJob && one !== undefined && other !== undefined && (
        <p>
          One event of the same job, and these parts of it differ:{' '}
          <VisibleText text={changedParts(one.event, other.event).join(', ').slice(0, MAX_WORDS)} />
          . Each hash covers the events before it, so later hashes differ too where they were made
          again.
        </p>
      )}
      {isSameJob && isWhole && <p>{lengthWords(left, right)}</p>}
    </Message>
  );
}

/** It is green only if both histories are whole and proven, and come from whom the reader trusts. */
function NoDifference({ comparison: { left, right, isSameJob }, areTrusted }: Props) {
  const isProven = [left, right].every(({ end, isIntact }) => end !== undefined && isIntact);
  const kind = isProven && areTrusted ? 'good' : 'warning';
  const shorter = isSameJob ? lengthWords(left, right) : undefined;
  const count = Math.min(left.events.length, right.events.length);
  const events = count === 1 ? 'one event' : `${count.toLocaleString('en')} events`;
  return shorter !== undefined ? (
    <Message
      kind={kind}
      title={`The ${events} that both have ${count === 1 ? 'is' : 'are'} the same`}
    >
      {shorter}
    </Message>
  ) : (
    <Message kind={kind} title="The two histories are the same">
      All {count.toLocaleString('en')} events have the same{' '}
      {isSameJob ? 'content, times and hashes.' : 'tick, type and content.'}
    </Message>
  );
}

type Row = readonly [name: string, left: string, right: string];

const started = ({ events }: Side): Readonly<Record<string, unknown>> =>
  events[0]?.event.type === 'job_started' ? events[0].event.data : {};

const text = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '–' : JSON.stringify(value);

function constantRows(left: Side, right: Side): readonly Row[] {
  const [one, other] = [left, right].map(
    (side) => (started(side)['constants'] ?? {}) as Readonly<Record<string, unknown>>,
  );
  const names = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])];
  return names.map((name) => [name, text(one?.[name]), text(other?.[name])]);
}

const ENDS: readonly (readonly [string, (end: ShownState) => string])[] = [
  ['Status', ({ status }) => status],
  ['Last tick', ({ tick }) => text(tick)],
  ['Last goal', ({ cwm }) => cwm.topic],
  ['Working memory', ({ wm }) => text(wm.length)],
  ['Consolidated memory', ({ cwm }) => text(cwm.items.length)],
  ['Episodes', ({ episodes }) => text(episodes)],
];

const endRows = (left: Side, right: Side): readonly Row[] => [
  ['Events', text(left.events.length), text(right.events.length)],
  ...ENDS.map(([name, of]): Row => {
    const [one, other] = [left, right].map(({ end }) => (end ? of(end) : 'not proven'));
    return [name, one ?? '', other ?? ''];
  }),
];

/** Goals, constants and ends; constants that are equal are only counted. */
export function AboutBoth({ comparison: { left, right } }: Pick<Props, 'comparison'>) {
  const constants = constantRows(left, right);
  const different = constants.filter(([, one, other]) => one !== other);
  const rows: readonly Row[] = [
    ['First goal', text(started(left)['goal']), text(started(right)['goal'])],
    ...different,
    ...endRows(left, right),
  ];
  return (
    <div className={styles.scroller} role="region" aria-label="Both jobs" tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <td />
            <th scope="col">
              <VisibleText text={left.name} />
            </th>
            <th scope="col">
              <VisibleText text={right.name} />
            </th>
            <th scope="col">Is it the same?</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, one, other]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <VisibleText text={one.slice(0, MAX_WORDS)} />
              </td>
              <td>
                <VisibleText text={other.slice(0, MAX_WORDS)} />
              </td>
              <td>{one === other ? 'same' : 'differs'}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Other constants</th>
            <td colSpan={2}>{constants.length - different.length} constants</td>
            <td>same</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
