import type { MaceClient } from '#client/index.js';
import { hasRole } from '../session/session';
import { useSession } from '../session/session-provider';
import { SaveBundle } from '../ui/save-bundle';
import { useMoment } from './use-moment';

/** What a file of the past has: a job with what it had read, a person, or the facts under a prefix. */
type Subject = Omit<Parameters<MaceClient['momentFile']>[0], 'at'>;

interface ExportMomentProps {
  readonly of: Subject;
  /** What the file has, as the button says it. */
  readonly words: string;
}

/** Downloads it as it was at the moment of the page, or as it is now. */
export function ExportMoment({ of, words }: ExportMomentProps) {
  const moment = useMoment();
  const maySee = hasRole(useSession(), 'admin', 'auditor', 'council');
  return (
    maySee && (
      <SaveBundle
        name={`memory-${moment.at ?? 'now'}`}
        words={words}
        lines={(mace) => mace.momentFile({ ...moment, ...of })}
      />
    )
  );
}
