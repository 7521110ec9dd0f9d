import type { JobStateAfter } from '#client/index.js';
import { Message } from '../../ui/message';
import { VisibleText } from '../../ui/visible-text';
import { wordsOf } from '../replay/event-words';
import type { Compared } from './align';
import styles from './compare.module.css';
import type { Comparison, Side } from './use-comparison';

const MAX_WORDS = 300;
type Props = { readonly comparison: Comparison };

const Words = ({ of }: { readonly of: Compared | undefined }) =>
  of === undefined ? <>no event</> : <VisibleText text={saidBy(of).slice(0, MAX_WORDS)} />;

export const saidBy = ({ event, found }: Compared): string => found ?? wordsOf(event);

/** The first place at which the histories part, as soon as it is known. */
export function FirstDifference({ comparison: { left, right, first, isWhole } }: Props) {
  if (first === undefined)
    return isWhole ? (
      <Message kind="good" title="The two histories are the same">
        All {left.events.length.toLocaleString('en')} events have the same tick, type and content.
      </Message>
    ) : null;
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

const endRows = (left: JobStateAfter, right: JobStateAfter): readonly Row[] => [
  ['Status', left.status, right.status],
  ['Events', text(left.version + 1), text(right.version + 1)],
  ['Last tick', text(left.tick), text(right.tick)],
  ['Last goal', left.cwm.topic, right.cwm.topic],
  ['Working memory', text(left.wm.length), text(right.wm.length)],
  ['Consolidated memory', text(left.cwm.items.length), text(right.cwm.items.length)],
  ['Episodes', text(left.episodes), text(right.episodes)],
];

/** Goals, constants and ends; constants that are equal are only counted. */
export function AboutBoth({ comparison: { left, right } }: Props) {
  const constants = constantRows(left, right);
  const different = constants.filter(([, one, other]) => one !== other);
  const rows: readonly Row[] = [
    ['First goal', text(started(left)['goal']), text(started(right)['goal'])],
    ...different,
    ...endRows(left.end, right.end),
  ];
  return (
    <div className={styles.scroller} role="region" aria-label="Both jobs" tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <td />
            <th scope="col">{left.seed}</th>
            <th scope="col">{right.seed}</th>
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
