import type { BundleReport } from '#domain/replay/verify-bundle.js';
import type { BundleFinding } from '#domain/replay/bundle-suspect.js';
import type { BundleProblem } from '#domain/replay/bundle-suspect.js';
import { type Check, CheckBanner } from '../jobs/replay/replay-banner';
import { Button } from '../ui/button';
import { Message } from '../ui/message';
import type { SignatureFinding } from './signature';
import { SignatureNotice } from './signature-notice';

const WORDS: Readonly<Record<BundleProblem, string>> = {
  not_a_bundle:
    'The file is not a bundle: its first line does not name a stream, a count and a head.',
  not_canonical: 'A line was written anew: its value fits, but not its bytes.',
  edited: 'A line was changed.',
  deleted: 'An event is missing.',
  inserted: 'A line was added.',
  reordered: 'A line was moved.',
  wrong_count: 'The first line names another number of events than the file has.',
  wrong_head: 'The first line names another last hash than the events have.',
  wrong_stream: 'The first line names another stream than the events.',
  wrong_end: 'The first line and the events disagree on whether the stream has ended.',
  wrong_signature: 'The first line was changed after it was signed.',
  other_key: 'The signature is by a key that you do not trust.',
  unsigned: 'The first line has no signature.',
  diverged: 'The chain is whole, but the rules give another event than the recorded one.',
};

export const brokenTitle = ({ line }: BundleFinding): string =>
  `✗ The bundle is ${line === undefined ? 'broken' : `broken at line ${line}`}`;

/** Says what is wrong with a bundle, and where. */
export function findingWords({ problem, line, number }: BundleFinding): string {
  const places = [
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(number === undefined ? [] : [`event ${number}`]),
  ];
  return places.length === 0 ? WORDS[problem] : `${WORDS[problem]} (${places.join(', ')})`;
}

/** The replay that the verifier did when the file was opened. */
export const checkInBrowser = (report: Check['report'], at: string): Check => ({
  ...{ report, at, by: 'you, in this browser' },
});

export const isTrusted = (signature: SignatureFinding | undefined): boolean =>
  signature?.kind === 'valid' && signature.trusted;

interface VerdictProps {
  readonly report: BundleReport;
  readonly signature: SignatureFinding | undefined;
  readonly checkedAt: string;
  readonly move?: ((to: number) => void) | undefined;
}

/**
 * What the check of a bundle has found. It is green only if the content is whole and a key that the reader trusts has
 * signed it, because anybody can write a bundle that is consistent in itself.
 */
export function Verdict({ report, signature, checkedAt, move }: VerdictProps) {
  const { finding, replay } = report;
  if (finding !== undefined && finding.problem !== 'diverged')
    return (
      <Message kind="bad" title={brokenTitle(finding)}>
        <p>{findingWords(finding)}</p>
        {finding.number !== undefined && finding.number > 0 && move !== undefined && (
          <Button onClick={() => move((finding.number ?? 1) - 1)}>
            Go to the last event before it
          </Button>
        )}
      </Message>
    );
  return (
    <>
      <SignatureNotice signature={signature} of="bundle" />
      {replay === undefined ? (
        <Message title="The bundle has no event">There is nothing to check.</Message>
      ) : (
        <CheckBanner
          check={checkInBrowser(replay, checkedAt)}
          last={replay.events_checked - 1}
          move={move}
          isProven={isTrusted(signature)}
        />
      )}
    </>
  );
}
