import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import styles from './replay.module.css';
import { KEYS } from './use-keys';

export const KeysDialog = ({ close }: { readonly close: () => void }) => (
  <Dialog title="Keys" about="They work anywhere on this page, except in a field." onClose={close}>
    <dl className={styles.keys}>
      {KEYS.map(([keys, what]) => (
        <div key={keys}>
          <dt>
            {keys.split(' ').map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <Button onClick={close}>Close</Button>
  </Dialog>
);
