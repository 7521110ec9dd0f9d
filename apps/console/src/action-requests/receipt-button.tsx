import type { ReactNode } from 'react';
import { SaveJson } from '../data/save-json';

interface ReceiptButtonProps {
  readonly requestId: string;
  /** The number of the event in the request's stream. */
  readonly number: number;
  readonly title?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Downloads an event of a request as a signed document, which can be checked without the service (SPEC I6). */
export const ReceiptButton = ({ requestId, number, ...looks }: ReceiptButtonProps) => (
  <SaveJson
    {...looks}
    file={`receipt-${requestId}-${number}.json`}
    read={(mace) => mace.actionRequests.receipt(requestId, number)}
  />
);
