import { isMaceError, MaceUnreachable, type MaceError } from '#client/index.js';
import { Button } from './button';
import { Message } from './message';

const AGAIN = 'Try again. If it fails again, give an operator the trace id.';

/** What a person can do about a failure; the texts of the service say what happened. */
const ADVICE: Readonly<Partial<Record<MaceError['code'], string>>> = {
  UNAUTHENTICATED: 'Sign in again. What you have typed is kept.',
  PERMISSION_DENIED: 'Sign in with a role that may do this, or ask somebody who has one.',
  RATE_LIMITED: 'Wait a minute, then try again.',
  VERSION_CONFLICT: 'Look at what has changed, then decide again.',
  MEMORY_WRITE_FAIL: 'Send it again when the event store answers. What you have typed is kept.',
  STORAGE_FULL:
    'The write waits for room. Integrity, Storage says how much is missing and what makes room.',
  PROJECTION_LAG:
    'Nothing is lost: the read model catches up by itself, mostly within seconds. If it does not, Integrity, Read models says why.',
  READ_UNAVAILABLE: 'Nothing is lost: this page reads again when the service can read.',
  INTEGRITY_FAILURE:
    'Do not rely on what this page shows. Tell an operator; Integrity says what was found.',
  REPLAY_DIVERGENCE: 'Do not rely on it. Tell an operator, and give the trace id.',
  INTERNAL: AGAIN,
  CACHE_ERROR: AGAIN,
};

/** Returns what a person can do about a failure; undefined if the text of the failure says it. */
function adviceFor({ code, help }: MaceError): string | undefined {
  const roles = help?.roles;
  return roles === undefined
    ? ADVICE[code]
    : `These roles may do it: ${roles.join(', ')}. Sign in with one, or ask somebody who has one.`;
}

interface ErrorNoticeProps {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
}

/** A failure in words: why it happened, what to do, and the trace id by which an operator finds it. */
export function ErrorNotice({ error, retry }: ErrorNoticeProps) {
  const { title, detail, advice, traceId } = wordsOf(error);
  return (
    <Message title={title} kind="bad">
      {advice !== undefined && <p>{advice}</p>}
      <p>{detail}</p>
      {traceId !== undefined && (
        <p>
          Trace id <code>{traceId}</code>
        </p>
      )}
      {retry !== undefined && <Button onClick={retry}>Try again</Button>}
    </Message>
  );
}

interface Words {
  /** The reason of this failure. */
  readonly title: string;
  /** What is the same for each failure of its kind. */
  readonly detail: string;
  readonly advice?: string | undefined;
  readonly traceId: string | undefined;
}

export function wordsOf(error: unknown): Words {
  if (isMaceError(error))
    return {
      ...{ title: error.developerMessage, detail: error.userMessage, traceId: error.traceId },
      advice: adviceFor(error),
    };
  if (error instanceof MaceUnreachable)
    return {
      title: 'The service cannot be reached',
      detail: 'Look whether it is running. What you have typed is kept.',
      traceId: undefined,
    };
  const detail = error instanceof Error ? error.message : 'The console met a failure of its own.';
  return { title: 'The console failed', detail, traceId: undefined };
}
