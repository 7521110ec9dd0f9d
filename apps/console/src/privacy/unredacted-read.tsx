import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { AccessOptions, AdminAccess, CallOptions, Json } from '#client/index.js';
import { randomKey } from '#client/random-key.js';
import { hasRedacted } from '../changes/values';
import { hasRole } from '../session/session';
import { useMace, useSession } from '../session/session-provider';
import { Button } from '../ui/button';
import { JsonView } from '../ui/json-view';
import { Message } from '../ui/message';
import { Stack } from '../ui/stack';
import { AccessReceipt } from './access-receipt';
import { ReasonDialog } from './reason-dialog';

/** Returns a new trace, by which the events of one request are found. */
function newTrace(): { readonly traceId: string; readonly traceparent: string } {
  const traceId = randomKey();
  return { traceId, traceparent: `00-${traceId}-${randomKey().slice(16)}-01` };
}

interface UnredactedReadProps {
  /** What is read, such as `the fact world/sky/blue/hue`. */
  readonly what: string;
  /** The same with its personal data redacted, as the page shows it. */
  readonly redacted: Json;
  /** The stream that holds it, by which the record of the read is found. */
  readonly stream: string;
  readonly read: (options: AccessOptions & CallOptions) => Promise<Json>;
}

/** A value that is shown, with the record of its reading; undefined if the record could not be listed. */
interface Shown {
  readonly value: Json;
  readonly access: AdminAccess | undefined;
  readonly traceId: string;
}

/**
 * Lets an admin or a council member read personal data, after they have said why (SPEC G7). The value is only in the
 * state of this part of the page: in no cache, no address and no history. It is gone when the page is left.
 */
export function UnredactedRead({ what, redacted, stream, read }: UnredactedReadProps) {
  const mace = useMace();
  const session = useSession();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [shown, show] = useState<Shown>();
  useEffect(() => {
    const forget = (): void => show(undefined);
    // The browser keeps a page that was left for its back button.
    window.addEventListener('pagehide', forget);
    return () => window.removeEventListener('pagehide', forget);
  }, []);
  if (!hasRole(session, 'admin', 'council') || !hasRedacted(redacted)) return null;
  const ask = async (accessReason: string): Promise<void> => {
    const { traceId, traceparent } = newTrace();
    const value = await read({ accessReason, traceparent });
    const recorded = mace.oversight.accesses({ sub: session.sub, stream });
    const { accesses } = await recorded.catch(() => ({ accesses: [] }));
    const access = accesses.find(({ trace_id }) => trace_id === traceId);
    show({ value, access, traceId });
    setAsking(false);
    for (const list of ['accesses', 'why-accesses'])
      void queries.invalidateQueries({ queryKey: [list] });
  };
  return (
    <>
      {shown === undefined ? (
        <div>
          <Button onClick={() => setAsking(true)}>Read unredacted …</Button>
        </div>
      ) : (
        <Value what={what} shown={shown} hide={() => show(undefined)} />
      )}
      {isAsking && <ReasonDialog what={what} ask={ask} onClose={() => setAsking(false)} />}
    </>
  );
}

interface ValueProps {
  readonly what: string;
  readonly shown: Shown;
  readonly hide: () => void;
}

function Value({ what, shown: { value, access, traceId }, hide }: ValueProps) {
  const part = useRef<HTMLElement>(null);
  useEffect(() => part.current?.focus(), []);
  return (
    <section ref={part} tabIndex={-1} aria-label={`Unredacted: ${what}`}>
      <Stack>
        <Message title="You see personal data" kind="warning">
          <p>It is gone when you leave this page. The record of your reading stays in the log.</p>
        </Message>
        <JsonView value={value} label="Unredacted value" />
        {access === undefined ? (
          <p>
            The record could not be listed now. It has the trace id <code>{traceId}</code>.
          </p>
        ) : (
          <AccessReceipt access={access} />
        )}
        <div>
          <Button onClick={hide}>Hide it now</Button>
        </div>
      </Stack>
    </section>
  );
}
