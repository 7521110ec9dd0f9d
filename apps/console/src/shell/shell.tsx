import { Link, Navigate, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Live } from '../live/live';
import { hasRole } from '../session/session';
import { useSessionState } from '../session/session-provider';
import { Button } from '../ui/button';
import { VisibleText } from '../ui/visible-text';
import { PAGES } from './pages';
import { ServiceBanner } from './service-banner';
import { SessionEnd } from './session-end';
import styles from './shell.module.css';
import { ThemeChoice } from './theme-choice';

/** The frame: navigation, who is signed in, and the page. */
export function Shell() {
  const { session, isOver, signIn } = useSessionState();
  if (session === undefined) return <Navigate to="/sign-in" replace />;
  return (
    <Live isOn={!isOver}>
      <div className={styles.shell}>
        <a className={styles.skip} href="#page">
          Skip to the page
        </a>
        <header className={styles.header}>
          <Link to="/" className={styles.brand}>
            <img src="/console/mark.svg" alt="" width={24} height={24} /> MACE Memory
          </Link>
          <nav aria-label="Pages" className={styles.pages}>
            {PAGES.filter(({ roles }) => hasRole(session, ...roles)).map(({ to, name }) => (
              <Link
                key={to}
                to={to}
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
            <ThemeChoice />
            <Button kind="quiet" onClick={() => signIn(undefined)}>
              Sign out
            </Button>
          </div>
        </header>
        <ServiceBanner />
        <SessionEnd />
        <Main />
      </div>
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
