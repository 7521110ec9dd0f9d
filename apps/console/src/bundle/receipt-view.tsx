import {
  accessOf,
  isEventReceipt,
  type Receipt,
  type ReceiptProblem,
  type ReceiptReport,
  requestOf,
} from '#domain/replay/receipt.js';
import { JsonView } from '../ui/json-view';
import { Message } from '../ui/message';
import { Facts } from '../ui/section';
import { NameInFile, TimeInFile } from './name-in-file';
import type { SignatureFinding } from './signature';
import { SignatureNotice } from './signature-notice';

const WORDS: Readonly<Record<ReceiptProblem, string>> = {
  too_large: 'The file is larger than a receipt can be, which is 8 MB at most.',
  not_whole: 'The file is not one JSON document: it was cut off, or changed.',
  repeated_field: 'A field stands there twice, so two readers could see different values.',
  not_a_receipt: 'A field of a receipt is missing, or has another form.',
  later_version:
    'The receipt is of a later version than this page knows. Open it in a newer console.',
  wrong_hash: 'The event was changed: its hash does not follow from what it says.',
  wrong_signature: 'The receipt was changed after it was signed.',
  other_key: 'The signature is by a key that you do not trust.',
};

interface ReceiptViewProps {
  readonly report: ReceiptReport;
  readonly signature: SignatureFinding | undefined;
}

/** A receipt and what its check has found. Nothing of it is shown if it is broken. */
export function ReceiptView({ report: { receipt, problem }, signature }: ReceiptViewProps) {
  if (problem === 'later_version')
    return (
      <Message kind="warning" title="○ The receipt was not checked">
        {WORDS[problem]}
      </Message>
    );
  if (problem !== undefined || receipt === undefined)
    return (
      <Message kind="bad" title="✗ The receipt is broken">
        {WORDS[problem ?? 'not_a_receipt']}
      </Message>
    );
  return (
    <>
      <SignatureNotice signature={signature} of="receipt" />
      {signature !== undefined && signature.kind !== 'invalid' && <Content receipt={receipt} />}
    </>
  );
}

function Content({ receipt }: { readonly receipt: Receipt }) {
  const { event } = receipt;
  const request = requestOf(receipt);
  const ofRequest = request === null ? {} : { Request: <NameInFile text={request} /> };
  const place = (
    <>
      event {event.number} of <NameInFile text={event.stream} />, position{' '}
      <NameInFile text={event.position} />
    </>
  );
  if (!isEventReceipt(receipt))
    return (
      <>
        <Facts
          of={{
            ...ofRequest,
            Event: place,
            Hash: <NameInFile text={receipt.event.hash} />,
            'Erasure of': <NameInFile text={receipt.subject} />,
            Erased: <TimeInFile at={receipt.erased_at} />,
          }}
        />
        <JsonView value={receipt} label="The receipt, verbatim" />
      </>
    );
  const { type, data, metadata } = receipt.event;
  const access = accessOf(receipt);
  return (
    <>
      <Facts
        of={{
          ...ofRequest,
          ...(access !== undefined && {
            'Unredacted read of': <NameInFile text={access.stream} />,
            By: <NameInFile text={access.sub} />,
            Reason: access.reason === null ? 'none was given' : <NameInFile text={access.reason} />,
          }),
          Event: place,
          Hash: (
            <>
              <code>{metadata.hash}</code>, as it follows from the event
            </>
          ),
          Type: <NameInFile text={type} />,
          Recorded: <TimeInFile at={metadata.recorded_at} />,
        }}
      />
      <JsonView value={data} label="The event, verbatim" />
    </>
  );
}
