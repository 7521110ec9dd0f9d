import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import styles from './requests.module.css';

const IN_BOTH = [
  ['j', 'Next request'],
  ['k', 'Previous request'],
  ['z', 'Undo the last vote, within 5 seconds'],
  ['?', 'Show these keys'],
] as const;
const IN_QUEUE = [
  ['Enter', 'Open the request'],
  ['Space', 'Select the request, or take it off the selection'],
  ['R', 'Reject the selected requests'],
  ['A', 'Approve the selected requests, after you have typed how many'],
  ['/', 'Search. Enter goes back to the list, Esc also clears the search'],
] as const;
const ON_REQUEST = [
  ['a', 'Approve, and show the next one that waits. A high risk asks for your reason first'],
  ['A', 'Approve with a reason in your own words'],
  ['r', 'Reject. 1 to 6 choose the reason'],
  ['t', 'Reasons to pick from, in an open form. While you type: Alt and the arrow down'],
  ['e', 'Propose other words'],
  ['x', 'Abstain, and show the next one that waits'],
  ['q', 'Ask the proposer'],
  ['Ctrl Enter', 'Send what you have typed'],
  ['Esc', 'Leave the form. What you have typed is kept'],
  ['u', 'Back to the queue'],
] as const;

export const KeysDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keys" about="The keys do nothing while you type." onClose={onClose}>
    <KeyList title="Everywhere" keys={IN_BOTH} />
    <KeyList title="In the queue" keys={IN_QUEUE} />
    <KeyList title="On a request" keys={ON_REQUEST} />
    <Button kind="primary" onClick={onClose}>
      Close
    </Button>
  </Dialog>
);

interface KeyListProps {
  readonly title: string;
  readonly keys: readonly (readonly [string, string])[];
}

const KeyList = ({ title, keys }: KeyListProps) => (
  <section>
    <h3>{title}</h3>
    <dl className={styles.keys}>
      {keys.map(([key, words]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  </section>
);
