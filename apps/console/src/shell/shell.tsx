import { Link, Navigate, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useSyncExternalStore, useState } from 'react';
import { HeldVotesProvider } from '../action-requests/held-votes-provider';
import { VoteTray } from '../action-requests/vote-tray';
import { GoTo } from '../go-to/go-to';
import { Live } from '../live/live';
import { MomentMenu } from '../moment/moment-menu';
import { MomentStrip } from '../moment/moment-strip';
import { serviceHealth } from '../session/service-health';
import { hasRole } from '../session/session';
import { useSessionState } from '../session/session-provider';
import { Button } from '../ui/button';
import { Options } from '../ui/field';
import { VisibleText } from '../ui/visible-text';
import { BackToRequest, PageKeys } from './page-keys';
import { ELSEWHERE, PAGES } from './pages';
import { SessionEnd } from './session-end';
import styles from './shell.module.css';
import { useQueryClient } from '@tanstack/react-query';
import { chooseTheme, storedTheme, type Theme, THEMES } from './theme';

/** The frame: navigation, who is signed in, and the page. */
export function Shell() {
  const { session, isOver, signIn } = useSessionState();
  if (session === undefined) return <Navigate to="/sign-in" replace />;
  return (
    <Live isOn={!isOver}>
      <HeldVotesProvider isOn={!isOver}>
        <div className={styles.shell}>
          <a className={styles.skip} href="#page">
            Skip to the page
          </a>
          <header className={styles.header}>
            <Link to="/" {...ELSEWHERE} className={styles.brand}>
              <img src="/console/mark.svg" alt="" width={24} height={24} /> MACE Memory
            </Link>
            <nav aria-label="Pages" className={styles.pages}>
              {PAGES.filter(({ roles }) => hasRole(session, ...roles)).map(({ to, name, key }) => (
                <Link
                  key={to}
                  to={to}
                  {...ELSEWHERE}
                  title={`Keys: g ${key}`}
                  className={styles.page}
                  activeProps={{ className: styles.active }}
                  activeOptions={{ exact: to === '/' }}
                >
                  {name}
                </Link>
              ))}
            </nav>
            <div className={styles.person}>
              <span title={`Signed in with the role ${session.roles.join(', ')}`}>
                <VisibleText text={session.sub} /> · {session.roles.join(', ')}
              </span>
              <GoTo />
              <MomentMenu />
              <ThemeChoice />
              <Button kind="quiet" onClick={() => signIn(undefined)}>
                Sign out
              </Button>
            </div>
          </header>
          <MomentStrip />
          <ServiceBanner />
          <SessionEnd />
          <BackToRequest />
          <Main />
          <VoteTray />
          <PageKeys />
        </div>
      </HeldVotesProvider>
    </Live>
  );
}

/** The page. After a change of the page, it takes the focus, so that a screen reader reads its heading. */
function Main() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    main.current?.focus();
  }, [path]);
  return (
    <main id="page" ref={main} tabIndex={-1} className={styles.main}>
      <Outlet />
    </main>
  );
}

/** Says why the service cannot do its work, as long as it cannot. Then the pages read again what failed. */
function ServiceBanner() {
  const problems = useSyncExternalStore(serviceHealth.subscribe, serviceHealth.current);
  const queries = useQueryClient();
  const hadProblems = useRef(false);
  useEffect(() => {
    if (problems.length === 0 && hadProblems.current) void queries.invalidateQueries();
    hadProblems.current = problems.length > 0;
  }, [problems, queries]);
  return (
    <div role="status">
      {problems.length > 0 && (
        <div className={styles.banner}>
          <p>
            {problems.join(' ')} What you have typed is kept, and this page goes on by itself when
            the service does.
          </p>
        </div>
      )}
    </div>
  );
}

const NAMES: Readonly<Record<Theme, string>> = {
  system: 'System',
  light: 'Light',
  dark: 'Dark',
};

/** Lets a person choose the colours. The browser keeps the choice. */
function ThemeChoice() {
  const [theme, setTheme] = useState(storedTheme);
  return (
    <select
      aria-label="Colours"
      className={styles.theme}
      value={theme}
      onChange={({ target }) => {
        chooseTheme(target.value as Theme);
        setTheme(target.value as Theme);
      }}
    >
      <Options of={THEMES.map((each) => [each, NAMES[each]])} />
    </select>
  );
}
