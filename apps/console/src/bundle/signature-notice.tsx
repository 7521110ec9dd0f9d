import { Message } from '../ui/message';
import type { SignatureFinding } from './signature';

interface SignatureNoticeProps {
  readonly signature: SignatureFinding | undefined;
  readonly of: 'bundle' | 'receipt' | 'file';
}

/** Says what the check of a signature has found. It is green only for a key that the reader trusts. */
export function SignatureNotice({ signature, of }: SignatureNoticeProps) {
  switch (signature?.kind) {
    case undefined:
      return <Message title="○ The signature is not checked yet" />;
    case 'valid':
      return signature.trusted ? (
        <Message kind="good" title="✓ Signed by a key that you trust">
          <p>
            Key <code>{signature.keyId}</code>
          </p>
        </Message>
      ) : (
        <Message kind="warning" title="△ Signed, but by a key that is not among your trusted keys">
          <p>
            Key <code>{signature.keyId}</code> stands in the {of} itself, so it proves nothing about
            who wrote it. Add the keys of the service that you trust.
          </p>
        </Message>
      );
    case 'invalid':
      return (
        <Message kind="bad" title="✗ The signature is wrong">
          {of === 'receipt'
            ? 'The receipt was changed after it was signed.'
            : 'The first line was changed after it was signed.'}
        </Message>
      );
    case 'unsigned':
      return (
        <Message kind="warning" title="△ Not signed">
          The {of} does not say who wrote it. Ask for a signed one.
        </Message>
      );
    case 'not_checked':
      return (
        <Message kind="warning" title="○ The signature was not checked">
          {signature.reason}
        </Message>
      );
  }
}
