import { hasRole } from '../session/session';
import { useSession } from '../session/session-provider';
import { PageHeader } from '../ui/page-header';
import { useTimePassing } from '../ui/use-time-passing';
import { VisibleText } from '../ui/visible-text';
import { CouncilParts } from './council-parts';
import { OperatorParts } from './operator-parts';
import { OwnParts } from './own-parts';
import styles from './start-page.module.css';
import { WatcherParts } from './watcher-parts';

/** Shows what wants attention now, for each role of the person. Each part asks by itself and fails by itself. */
export function StartPage() {
  const session = useSession();
  useTimePassing();
  const isAdmin = hasRole(session, 'admin');
  return (
    <>
      <PageHeader
        title="What wants attention now"
        about={
          <>
            You are signed in as <VisibleText text={session.sub} />, with the role{' '}
            {session.roles.join(', ')}.
          </>
        }
      />
      <div className={styles.parts}>
        {hasRole(session, 'council', 'admin') && <CouncilParts />}
        {hasRole(session, 'auditor', 'admin') && <WatcherParts />}
        {isAdmin && <OperatorParts />}
        {hasRole(session, 'agent', 'user') && <OwnParts />}
      </div>
    </>
  );
}
