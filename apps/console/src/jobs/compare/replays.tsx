import { useState } from 'react';
import { brokenTitle, checkInBrowser, findingWords, isTrusted } from '../../bundle/verdict';
import { Button } from '../../ui/button';
import { ErrorNotice } from '../../ui/error-notice';
import { Instant } from '../../ui/instant';
import { VisibleText } from '../../ui/visible-text';
import { type Check, UNPROVEN } from '../replay/replay-banner';
import { checkOf } from '../replay/report-file';
import { useCheck } from '../use-check';
import { type Verdict, verdictOf, VerdictWords } from '../verdict-chip';
import type { ComparedSide } from './compared-side';
import styles from './compare.module.css';
import { hasJob, isBroken, type OpenedBundleFile, type SideChoice } from './use-side';

/** What is known of a replay of one side. */
interface Result {
  readonly verdict: Verdict;
  readonly check?: Check | undefined;
}

export interface ReplaysProps {
  readonly left: SideChoice & { readonly side: ComparedSide };
  readonly right: SideChoice & { readonly side: ComparedSide };
}

/** The reports of a replay of each side, beside each other. */
export function Replays({ left, right }: ReplaysProps) {
  const [one, other] = [useReplay(left), useReplay(right)];
  const missing = [left, right].filter(({ report }) => report === undefined).length;
  const isPending = one.isPending || other.isPending;
  const replay = (): void => {
    one.replay();
    other.replay();
  };
  return (
    <section aria-labelledby="replays">
      <div className={styles.choice}>
        <h2 id="replays">Replays</h2>
        {missing > 0 && (
          <Button disabled={isPending} onClick={replay}>
            {isPending ? 'Replaying …' : missing === 2 ? 'Replay both' : 'Replay the other'}
          </Button>
        )}
      </div>
      {one.error !== null && <ErrorNotice error={one.error} />}
      {other.error !== null && <ErrorNotice error={other.error} />}
      <ReportTable names={[left.side.name, right.side.name]} results={[one.result, other.result]} />
      {missing < 2 && <p className={styles.note}>Nobody has signed a saved report.</p>}
    </section>
  );
}

/** A saved report is shown at once. A file was replayed when it was opened, and its report is shown when asked for. */
function useReplay({ side, opened, signature, report }: ReplaysProps['left']) {
  const check = useCheck(side.seed);
  const [isAsked, setAsked] = useState(false);
  const file = opened !== undefined && hasJob(opened) ? opened : undefined;
  const resultOf = (): Result => {
    if (report !== undefined) return resultOfSaved(checkOf(report));
    if (file === undefined) return resultOfCheck(check);
    return isAsked ? resultOfFile(file, isTrusted(signature)) : resultOfCheck({});
  };
  const replay = (): void => {
    if (report !== undefined) return;
    if (file === undefined) check.mutate();
    else setAsked(true);
  };
  return { isPending: check.isPending, error: check.error, result: resultOf(), replay };
}

interface Checking {
  readonly data?: Check | undefined;
  readonly isPending?: boolean;
  readonly isError?: boolean;
}

const resultOfCheck = ({ data, isPending = false, isError = false }: Checking): Result => ({
  check: data,
  verdict: verdictOf({
    ...{ check: data, isPending, hasFailed: isError, brokenAt: null },
    last: (data?.report.events_checked ?? 0) - 1,
  }),
});

/** Nothing is green that nobody has signed. */
function resultOfSaved(check: Check): Result {
  const { verdict } = resultOfCheck({ data: check });
  return { check, verdict: verdict.kind === 'good' ? { ...verdict, kind: 'plain' } : verdict };
}

function resultOfFile({ report, checkedAt }: OpenedBundleFile, isProven: boolean): Result {
  const { finding, replay } = report;
  const check = replay && checkInBrowser(replay, checkedAt);
  if (finding !== undefined && isBroken(report))
    return {
      check,
      verdict: { kind: 'bad', words: brokenTitle(finding), why: findingWords(finding) },
    };
  const result = resultOfCheck({ data: check });
  if (isProven || result.verdict.kind !== 'good') return result;
  return { check, verdict: { ...result.verdict, kind: 'plain', words: UNPROVEN } };
}

type Pair<Value> = readonly [left: Value, right: Value];

/** What two reports are compared by. */
const COMPARED: readonly (readonly [name: string, of: (check: Check) => string | number])[] = [
  ['Events', ({ report }) => report.events_checked],
  ['Hash of the last event', ({ report }) => report.head_hash],
  ['Content hash', ({ report }) => report.content_hash],
  ['Hash of the final state', ({ report }) => report.state_hash ?? 'not reached'],
  [
    'First divergence',
    ({ report: { divergence } }) =>
      divergence === undefined ? 'none' : `event ${divergence.number}`,
  ],
];

interface ReportTableProps {
  readonly names: Pair<string>;
  readonly results: Pair<Result>;
}

function ReportTable({ names, results }: ReportTableProps) {
  const [one, other] = results;
  const areBoth = one.check !== undefined && other.check !== undefined;
  const isSame = (left: unknown, right: unknown): string =>
    !areBoth ? '–' : left === right ? 'same' : 'differs';
  return (
    <div
      className={styles.scroller}
      role="region"
      aria-label="Reports of both replays"
      tabIndex={0}
    >
      <table className={styles.table}>
        <thead>
          <tr>
            <td />
            {names.map((name, place) => (
              <th key={place} scope="col">
                <VisibleText text={name} />
              </th>
            ))}
            <th scope="col">Is it the same?</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Verdict</th>
            {results.map(({ verdict }, place) => (
              <td key={place}>
                <VerdictWords verdict={verdict} />
              </td>
            ))}
            <td>{isSame(one.verdict.words, other.verdict.words)}</td>
          </tr>
          {COMPARED.map(([name, of]) => {
            const [left, right] = [one.check && of(one.check), other.check && of(other.check)];
            return (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <Value of={left} />
                </td>
                <td>
                  <Value of={right} />
                </td>
                <td>{isSame(left, right)}</td>
              </tr>
            );
          })}
          <tr>
            <th scope="row">Replayed</th>
            {results.map(({ check }, place) => (
              <td key={place}>{check === undefined ? '–' : <Replayed check={check} />}</td>
            ))}
            <td />
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function Value({ of }: { readonly of: string | number | undefined }) {
  if (typeof of === 'string') return <VisibleText text={of} />;
  return <>{of?.toLocaleString('en') ?? '–'}</>;
}

/** When, by whom, and by which version of the service. */
const Replayed = ({ check: { at, by, version } }: { readonly check: Check }) => (
  <>
    <Instant at={at} /> by <VisibleText text={version === undefined ? by : `${by} ${version}`} />
  </>
);
