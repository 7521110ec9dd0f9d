import { useMutation } from '@tanstack/react-query';
import { useMace, useSession } from '../session/session-provider';
import type { Check } from './replay/replay-banner';

/** Replays a job in the service, when the reader asks for it. */
export function useCheck(seed: string) {
  const mace = useMace();
  const { sub } = useSession();
  return useMutation({
    mutationKey: ['replay', seed],
    mutationFn: async (): Promise<Check> => {
      const [report, version] = await Promise.all([
        mace.job(seed).replay('audit'),
        serviceVersion(),
      ]);
      const by = `${sub}, by the service`;
      return { report, by, at: new Date().toISOString(), ...(version && { version }) };
    },
  });
}

/** Returns the version that the service says on its first page. A report without it is still a report. */
async function serviceVersion(): Promise<string | undefined> {
  try {
    const answer = await fetch('/', { headers: { accept: 'application/json' } });
    const { version } = (await answer.json()) as { readonly version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}
