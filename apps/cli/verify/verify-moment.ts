import { type MomentProblem, type SignedMoment, verifyMoment } from '#domain/replay/moment-file.js';
import { deciderOf } from '#domain/replay/stream-rules.js';
import { signatureCheck, signatureProblem } from '#platform/signing/bundle-signature.js';
import { couldNotCheck } from '../exit-code.js';
import { FileBytes } from '#files/file-bytes.js';
import { linesIn } from '#files/lines.js';

type Finding = Exclude<MomentProblem, 'later_version'> | 'no_line_feed';

/** The result of an offline check of a moment's file. */
export interface MomentVerification {
  readonly file: string;
  readonly intact: boolean;
  readonly moment: Pick<
    SignedMoment,
    'at' | 'position' | 'hash' | 'final' | 'streams' | 'left_out'
  > | null;
  /** The number of events in all bundles. */
  readonly events: number;
  readonly key_id: string | null;
  readonly pinned: boolean;
  readonly finding: {
    readonly problem: Finding;
    readonly sentence: string;
  } | null;
}

const SAYS: Readonly<Record<Finding, string>> = {
  not_a_moment: 'the first line is not as it was written, byte for byte',
  wrong_signature: 'the first line was edited: its signature is not valid for what it says',
  other_key: 'the first line is signed by a key that is not among the given ones',
  wrong_streams:
    'the file has other streams than its first line says: one was added, cut off or replaced',
  broken_stream: 'was changed: check it as a bundle of its own for the event',
  no_line_feed: 'the last line has no line feed: the file was cut off',
};

/** Verifies a moment's file: its statement, and every bundle in it. */
export async function verifyMomentFile(
  file: string,
  keys?: ReadonlySet<string>,
): Promise<MomentVerification> {
  const bytes = new FileBytes(file);
  const {
    statement,
    bundles,
    problem: found,
  } = await verifyMoment(deciderOf, linesIn(bytes), {
    statement: (content) => signatureProblem(content, keys),
    bundle: signatureCheck(keys),
  });
  if (found === 'later_version')
    throw couldNotCheck(`${file} is of a later version, which this release cannot check.`);
  const problem = found ?? (bytes.endWithLineFeed ? undefined : 'no_line_feed');
  const broken = bundles.at(-1)?.header?.stream ?? 'a stream';
  return {
    file,
    intact: problem === undefined,
    moment: statement === undefined ? null : momentOf(statement),
    events: bundles.reduce((sum, { replay }) => sum + (replay?.events_checked ?? 0), 0),
    key_id: statement?.key_id ?? null,
    pinned: problem === undefined && keys !== undefined,
    finding:
      problem === undefined
        ? null
        : {
            problem,
            sentence: problem === 'broken_stream' ? `${broken} ${SAYS[problem]}` : SAYS[problem],
          },
  };
}

const momentOf = ({ at, position, hash, final, streams, left_out }: SignedMoment) => ({
  ...{ at, position, hash, final, streams, left_out },
});
