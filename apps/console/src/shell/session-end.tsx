import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { onSignInElsewhere } from '../session/other-tabs';
import { isSamePerson, type Session } from '../session/session';
import { useSession, useSessionState } from '../session/session-provider';
import { TokenForm } from '../sign-in/token-form';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import styles from './shell.module.css';

const MINUTE_MS = 60_000;
const WARN_MS = 5 * MINUTE_MS;
const LOOK_EVERY_MS = 1_000;

/** Says that the session ends soon, and asks to sign in again, over the page, when it has ended. */
export function SessionEnd() {
  const { isOver } = useSessionState();
  const minutesLeft = useMinutesLeft();
  const [isAsked, setAsked] = useState(false);
  const [isClosed, setClosed] = useState(false);
  const isOpen = isAsked || (isOver && !isClosed);
  useEffect(() => {
    if (!isOver) setClosed(false);
  }, [isOver]);
  const close = (): void => {
    setAsked(false);
    setClosed(true);
  };
  const text = isOver
    ? 'Your session has ended.'
    : minutesLeft === undefined
      ? undefined
      : `Your session ends in ${minutesLeft === 1 ? 'a minute' : `${minutesLeft} minutes`}.`;
  return (
    <>
      <div role="status">
        {text !== undefined && (
          <div className={styles.banner}>
            <p>{text} Sign in again to go on; what you have typed is kept.</p>
            <Button onClick={() => setAsked(true)}>Sign in again</Button>
          </div>
        )}
      </div>
      {isOpen && <SignInAgain onClose={close} />}
    </>
  );
}

/** Returns the minutes until the session ends, if they are few. Ends the session at its time. */
function useMinutesLeft(): number | undefined {
  const { expiresAt } = useSession();
  const { end, isOver } = useSessionState();
  const [minutesLeft, setMinutesLeft] = useState<number>();
  useEffect(() => {
    const look = (): void => {
      const left = (expiresAt ?? Infinity) - Date.now();
      setMinutesLeft(left < WARN_MS ? Math.max(1, Math.ceil(left / MINUTE_MS)) : undefined);
      if (left <= 0 && !isOver) end();
    };
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [expiresAt, end, isOver]);
  return minutesLeft;
}

/** Returns a name as a shell takes it. */
const quoted = (name: string): string =>
  /^[\w@.:-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;

/** Takes a new token of the same person, who then goes on here. Another person starts at the start page. */
function SignInAgain({ onClose }: { readonly onClose: () => void }) {
  const session = useSession();
  const { signIn } = useSessionState();
  const router = useRouter();
  const { sub, roles, userId } = session;
  useEffect(
    () =>
      onSignInElsewhere((next) => {
        if (!isSamePerson(next, session)) return;
        signIn(next);
        onClose();
      }),
    [session, signIn, onClose],
  );
  const goOn = (next: Session): void => {
    signIn(next);
    onClose();
    if (!isSamePerson(next, session)) void router.navigate({ to: '/' });
  };
  const user = userId === undefined ? '' : ` --user-id ${quoted(userId)}`;
  return (
    <Dialog
      title="Sign in again"
      about={`Sign in as ${sub} to go on here: nothing on this page is lost. Another person starts at the start page.`}
      onClose={onClose}
    >
      <TokenForm onSession={goOn} />
      <p>This command, on the machine of the service, prints a link to paste here:</p>
      <pre className={styles.command}>
        npx mace console --role {roles.join(' ')} --sub {quoted(sub)}
        {user} --no-open
      </pre>
      <p>
        <a href="/console/sign-in" target="_blank" rel="noreferrer">
          Sign in in another tab
        </a>{' '}
        also works: this page then goes on by itself.
      </p>
      <div>
        <Button kind="quiet" onClick={() => signIn(undefined)}>
          Sign out
        </Button>
      </div>
    </Dialog>
  );
}
