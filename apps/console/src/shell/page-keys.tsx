import { Link, useMatch, useNavigate, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { type QueueSearch, queueSearchOf } from '../action-requests/queue-search';
import { VOTE_KEYS } from '../action-requests/key-tables';
import { KeyHint } from '../keys/key-hint';
import { keyList, type KeyTable } from '../keys/key-table';
import { HELP_KEYS, KeysHelp, useKeyList } from '../keys/keys-help';
import { useKeys, useTwoKeys } from '../keys/use-keys';
import { GO_KEYS } from '../go-to/go-to';
import { MOMENT_KEYS } from '../moment/moment-menu';
import { hasRole } from '../session/session';
import { useSession } from '../session/session-provider';
import { ELSEWHERE, PAGES } from './pages';
import styles from './shell.module.css';

/** The keys of every page: `g` and a letter go to another page, `?` shows all keys. */
export function PageKeys() {
  const session = useSession();
  const navigate = useNavigate();
  const keys = PAGES.filter(({ roles }) => hasRole(session, ...roles)).map(({ key, name, to }) => ({
    ...{ key: `g ${key}`, words: `Go to ${name}` },
    does: () => void navigate({ to, ...ELSEWHERE }),
  }));
  useTwoKeys(keys);
  return (
    <KeysHelp
      everywhere={keyList('On every page', keys, GO_KEYS, MOMENT_KEYS, VOTE_KEYS, HELP_KEYS)}
    />
  );
}

const BACK_KEYS = {
  back: { key: 'u', words: 'Back to the request from which you came' },
} as const satisfies KeyTable;
const BACK_LIST = keyList('After a request', BACK_KEYS);

const REQUEST = '/shell/requests/$id';
const QUEUE = '/shell/requests';

/** The way back to the request from whose links the person came, until they go elsewhere or are in the queue again. */
export function BackToRequest() {
  const routeId = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId });
  const isElsewhere = useRouterState({ select: ({ location }) => location.state.isElsewhere });
  const request = useMatch({
    ...{ from: REQUEST, shouldThrow: false },
    select: ({ params: { id }, search }) => ({ id, search: queueSearchOf({ ...search }) }),
  });
  const [left, leave] = useState<typeof request>();
  const next = routeId === QUEUE ? undefined : (request ?? (isElsewhere ? undefined : left));
  if (next?.id !== left?.id || next?.search !== left?.search) leave(next);
  const navigate = useNavigate();
  const back = request === undefined && next !== undefined && wayTo(next);
  useKeyList(back ? BACK_LIST : undefined);
  useKeys(BACK_KEYS, { back: back ? () => void navigate(back) : undefined });
  return (
    back && (
      <nav className={styles.back} aria-label="Way back">
        <Link {...back}>
          Back to the request <KeyHint of={BACK_KEYS.back} />
        </Link>
      </nav>
    )
  );
}

const wayTo = ({ id, search }: { readonly id: string; readonly search: QueueSearch }) =>
  ({ to: '/requests/$id', params: { id }, search }) as const;
