import { isMaceError, MaceUnreachable } from '#client/index.js';
import { Button } from './button';
import { adviceFor } from './error-advice';
import { Message } from './message';

interface ErrorNoticeProps {
  readonly error: unknown;
  /** Tries again what failed. */
  readonly retry?: (() => void) | undefined;
}

/** A failure in words: what happened, the trace id by which an operator finds it, and what to do. */
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
  readonly title: string;
  readonly detail: string;
  /** What the person can do. */
  readonly advice?: string | undefined;
  readonly traceId: string | undefined;
}

/** Puts a failure into words. */
export function wordsOf(error: unknown): Words {
  if (isMaceError(error))
    return {
      ...{ title: error.userMessage, detail: error.developerMessage, traceId: error.traceId },
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
