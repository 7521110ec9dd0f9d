import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMace } from '../session/session-provider';
import { Button } from '../ui/button';
import { downloadJson } from '../ui/download';
import { wordsOf } from '../ui/error-notice';

interface ReceiptButtonProps {
  readonly requestId: string;
  /** The number of the event in the request's stream. */
  readonly number: number;
  readonly title?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Downloads an event of a request as a signed document, which can be checked without the service (SPEC I6). */
export function ReceiptButton({ requestId, number, children, ...looks }: ReceiptButtonProps) {
  const mace = useMace();
  const save = useMutation({
    mutationFn: async () => {
      const receipt = await mace.actionRequests.receipt(requestId, number);
      downloadJson(`receipt-${requestId}-${number}.json`, receipt);
    },
  });
  return (
    <>
      <Button kind="quiet" {...looks} disabled={save.isPending} onClick={() => save.mutate()}>
        {children}
      </Button>
      {save.isError && <span role="alert">{wordsOf(save.error).title}</span>}
    </>
  );
}
