import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { serviceHealth } from '../session/service-health';
import styles from './shell.module.css';

/** Says why the service cannot do its work, as long as it cannot. Then the pages read again what failed. */
export function ServiceBanner() {
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
