import type { BundleReport } from '#domain/replay/verify-bundle.js';
import { CheckBanner } from '../jobs/replay/replay-banner';
import { Button } from '../ui/button';
import { Message } from '../ui/message';
import { findingWords } from './bundle-words';
import type { SignatureFinding } from './signature';
import { SignatureNotice } from './signature-notice';

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
  const title = finding?.line === undefined ? 'broken' : `broken at line ${finding.line}`;
  if (finding !== undefined && finding.problem !== 'diverged')
    return (
      <Message kind="bad" title={`✗ The bundle is ${title}`}>
        <p>{findingWords(finding)}</p>
        {finding.number !== undefined && finding.number > 0 && move !== undefined && (
          <Button onClick={() => move((finding.number ?? 1) - 1)}>
            Go to the last event before it
          </Button>
        )}
      </Message>
    );
  const by = 'you, in this browser';
  return (
    <>
      <SignatureNotice signature={signature} of="bundle" />
      {replay === undefined ? (
        <Message title="The bundle has no event">There is nothing to check.</Message>
      ) : (
        <CheckBanner
          check={{ report: replay, by, at: checkedAt }}
          last={replay.events_checked - 1}
          move={move}
          isProven={signature?.kind === 'valid' && signature.trusted}
        />
      )}
    </>
  );
}
