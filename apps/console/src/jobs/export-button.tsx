import { useMutation } from '@tanstack/react-query';
import { useMace } from '../session/session-provider';
import { Button } from '../ui/button';
import { saveFile } from '../ui/download';
import { wordsOf } from '../ui/error-notice';

/** Downloads the job as one signed file, which the page `/bundle` and `mace verify` check without the service. */
export function ExportButton({ seed }: { readonly seed: string }) {
  const mace = useMace();
  const save = useMutation({
    mutationFn: async () => {
      const lines: string[] = [];
      for await (const line of mace.job(seed).bundle()) lines.push(`${line}\n`);
      saveFile(`${seed.replaceAll(':', '_')}.ndjson`, lines, 'application/x-ndjson');
    },
  });
  return (
    <>
      <Button disabled={save.isPending} onClick={() => save.mutate()}>
        {save.isPending ? 'Exporting …' : 'Export bundle'}
      </Button>
      {save.isError && <p role="alert">{wordsOf(save.error).title}</p>}
    </>
  );
}
