import type { ErasureReceipt } from '#client/index.js';
import { Button } from '../ui/button';
import { downloadJson } from '../ui/download';
import { Instant } from '../ui/instant';
import { Facts, Row } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';

interface ReceiptProps {
  readonly receipt: ErasureReceipt;
  readonly onClose: () => void;
}

/** A signed receipt with its manifest: what nobody can open any more. */
export function Receipt({ receipt, onClose }: ReceiptProps) {
  const { request_id, subject, destroyed_keys, manifest, erased_at, event } = receipt;
  return (
    <>
      <Facts
        facts={[
          ['Subject', <VisibleText key="subject" text={subject} />],
          ['Erased', <Instant key="at" at={erased_at} />],
          ['Destroyed keys', <VisibleText key="keys" text={destroyed_keys.join(', ') || 'none'} />],
          ['Events that nobody can open', manifest.events.toLocaleString('en')],
          ['Streams', manifest.streams.toLocaleString('en')],
          ['Hash of the manifest', <code key="hash">{manifest.hash}</code>],
          ['Event', `${event.stream} ${event.number}, position ${event.position}`],
          ['Signed by', <code key="key">{receipt.key_id}</code>],
        ]}
      />
      <Row>
        <Button
          kind="primary"
          onClick={() => downloadJson(`erasure-receipt-${request_id}.json`, receipt)}
        >
          Download the signed receipt
        </Button>
        <Button onClick={onClose}>Close</Button>
      </Row>
    </>
  );
}
