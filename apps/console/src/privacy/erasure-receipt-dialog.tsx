import { useRead } from '../data/queries';
import { Answered } from '../ui/answered';
import { Dialog } from '../ui/dialog';
import { Receipt } from './receipt';

interface ErasureReceiptDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function ErasureReceiptDialog({ id, onClose }: ErasureReceiptDialogProps) {
  const receipt = useRead(['erasure-receipt', id], (mace, call) =>
    mace.privacy.erasureReceipt(id, call),
  );
  return (
    <Dialog
      title="Receipt of the erasure"
      about="The service signed it. The subject can check it with the public key in it."
      onClose={onClose}
    >
      <Answered query={receipt} what="the receipt">
        {(answer) => <Receipt receipt={answer} onClose={onClose} />}
      </Answered>
    </Dialog>
  );
}
