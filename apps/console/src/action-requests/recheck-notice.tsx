import type { Dossier } from '#client/index.js';
import { Message } from '../ui/message';

/** What has changed while the request waits, or would refuse it now. It stands above everything else. */
export function RecheckNotice({ recheck }: { readonly recheck: Dossier['recheck'] }) {
  if (recheck.length === 0) return null;
  return (
    <Message title="Before you spend time on this" kind="warning">
      <ul>
        {recheck.map(({ code, text, evidence }) => (
          <li key={code}>
            {text}
            {evidence !== undefined && evidence.length > 0 && (
              <> (evidence {evidence.map((index) => index + 1).join(', ')})</>
            )}
          </li>
        ))}
      </ul>
    </Message>
  );
}
