import { Link } from '@tanstack/react-router';
import type { Dossier } from '#client/index.js';

type SourceEventAt = Dossier['source_event'];

const JOB = 'job-';

/** Where something stands in the log. An event of a job leads to the job's replay, at that event. */
export function SourceEvent({ at: { stream, number, position } }: { readonly at: SourceEventAt }) {
  const words = `event ${number} of ${stream}`;
  return (
    <span title={`Position ${position} in the log`}>
      {stream.startsWith(JOB) ? (
        <Link to="/jobs/$seed" params={{ seed: stream.slice(JOB.length) }} search={{ at: number }}>
          {words}
        </Link>
      ) : (
        words
      )}
    </span>
  );
}
