import type { BundleFinding, BundleProblem } from '#domain/replay/bundle-suspect.js';

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

/** Says what is wrong with a bundle, and where. */
export function findingWords({ problem, line, number }: BundleFinding): string {
  const places = [
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(number === undefined ? [] : [`event ${number}`]),
  ];
  return places.length === 0 ? WORDS[problem] : `${WORDS[problem]} (${places.join(', ')})`;
}
