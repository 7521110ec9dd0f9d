import { Link, useMatch, useNavigate, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import type { QueueSearch } from '../action-requests/queue-search';
import { type KeyList, KeysHelp, useKeyList } from '../keys/keys-help';
import { useKeys, useTwoKeys } from '../keys/use-keys';
import { hasRole } from '../session/session';
import { useSession } from '../session/session-provider';
import { PAGES } from './pages';
import styles from './shell.module.css';

/** The keys of every page: `g` and a letter go to another page, `?` shows all keys. */
export function PageKeys() {
  const session = useSession();
  const navigate = useNavigate();
  const pages = PAGES.filter(({ roles }) => hasRole(session, ...roles));
  useTwoKeys(
    'g',
    Object.fromEntries(pages.map(({ key, to }) => [key, () => void navigate({ to })])),
  );
  const everywhere = {
    title: 'On every page',
    keys: [
      ...pages.map(({ key, name }) => [`g ${key}`, `Go to ${name}`] as const),
      ['z', 'Undo the last vote, within 5 seconds'],
      ['?', 'Show these keys'],
    ] as const,
  };
  return <KeysHelp everywhere={everywhere} />;
}

const BACK_KEYS: KeyList = {
  title: 'After a request',
  keys: [['u', 'Back to the request from which you came']],
};

const REQUEST = '/shell/requests/$id';
const QUEUE = '/shell/requests';

/** The way back to the request from which the person came, until they are in the queue again. */
export function BackToRequest() {
  const routeId = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId });
  const request = useMatch({
    ...{ from: REQUEST, shouldThrow: false },
    select: ({ params: { id }, search }) => ({ id, search }),
  });
  const [left, leave] = useState<typeof request>();
  const next = routeId === QUEUE ? undefined : (request ?? left);
  if (next?.id !== left?.id || next?.search !== left?.search) leave(next);
  const navigate = useNavigate();
  const back = request === undefined && next !== undefined && wayTo(next);
  useKeyList(back ? BACK_KEYS : undefined);
  useKeys({ u: back ? () => void navigate(back) : undefined });
  return (
    back && (
      <nav className={styles.back} aria-label="Way back">
        <Link {...back}>
          Back to the request <kbd>u</kbd>
        </Link>
      </nav>
    )
  );
}

const wayTo = ({ id, search }: { readonly id: string; readonly search: QueueSearch }) =>
  ({ to: '/requests/$id', params: { id }, search }) as const;
