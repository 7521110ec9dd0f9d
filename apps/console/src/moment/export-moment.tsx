import { useMutation } from '@tanstack/react-query';
import type { MaceClient } from '#client/index.js';
import { hasRole } from '../session/session';
import { useMace, useSession } from '../session/session-provider';
import { Button } from '../ui/button';
import { saveFile } from '../ui/download';
import { wordsOf } from '../ui/error-notice';
import { useMoment } from './use-moment';

/** What a file of the past has: a job with what it had read, a person, or the facts under a prefix. */
export type ExportSubject = Omit<Parameters<MaceClient['momentFile']>[0], 'at'>;

/** Every event up to this time before now is in the log, whatever the clock of this machine says. */
const AGO_MS = 2_000;

/**
 * Downloads what the page shows as one signed file, which the page `/bundle` and `mace verify` check without the service:
 * as it was at the moment of the page, or as it is now.
 */
export function ExportMoment({ of }: { readonly of: ExportSubject }) {
  const mace = useMace();
  const { at } = useMoment();
  const maySee = hasRole(useSession(), 'admin', 'auditor', 'council');
  const save = useMutation({
    mutationFn: async () => {
      const moment = at ?? new Date(Date.now() - AGO_MS).toISOString();
      const lines: string[] = [];
      for await (const line of mace.momentFile({ at: moment, ...of })) lines.push(`${line}\n`);
      saveFile(`memory-${moment.replaceAll(':', '-')}.ndjson`, lines, 'application/x-ndjson');
    },
  });
  if (!maySee) return null;
  return (
    <>
      <Button
        disabled={save.isPending}
        title="One signed file; mace verify and the page for bundles check it without the service"
        onClick={() => save.mutate()}
      >
        {save.isPending ? 'Exporting …' : 'Export what I see'}
      </Button>
      {save.isError && <p role="alert">{wordsOf(save.error).title}</p>}
    </>
  );
}
