import { useMutation } from '@tanstack/react-query';
import { useMace } from '../session/session-provider';
import { Button } from '../ui/button';
import { wordsOf } from '../ui/error-notice';

interface ReceiptButtonProps {
  readonly requestId: string;
  /** The number of the event in the request's stream. */
  readonly number: number;
}

/** Downloads an event of a request as a signed document, which can be checked without the service (SPEC I6). */
export function ReceiptButton({ requestId, number }: ReceiptButtonProps) {
  const mace = useMace();
  const save = useMutation({
    mutationFn: async () => {
      const receipt = await mace.actionRequests.receipt(requestId, number);
      download(JSON.stringify(receipt, null, 2), `receipt-${requestId}-${number}.json`);
    },
  });
  return (
    <>
      <Button kind="quiet" disabled={save.isPending} onClick={() => save.mutate()}>
        Download the receipt
      </Button>
      {save.isError && <span role="alert">{wordsOf(save.error).title}</span>}
    </>
  );
}

function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
