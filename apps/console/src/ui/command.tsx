import { useAnnounce } from './announcer';
import { Button } from './button';
import styles from './command.module.css';

/** A command to copy into a terminal. */
export function Command({ text }: { readonly text: string }) {
  const announce = useAnnounce();
  const copy = (): void => {
    void navigator.clipboard
      .writeText(text)
      .then(() => announce('Copied.'))
      .catch(() => announce('The browser does not let the page copy. Select the text instead.'));
  };
  return (
    <div className={styles.command}>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <Button kind="quiet" onClick={copy} aria-label="Copy the command">
        Copy
      </Button>
    </div>
  );
}
