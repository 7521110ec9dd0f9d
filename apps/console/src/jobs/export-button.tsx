import { useMutation } from '@tanstack/react-query';
import { useMace } from '../session/session-provider';
import { Button } from '../ui/button';
import { wordsOf } from '../ui/error-notice';

/** Downloads the job as one signed file, which the page `/bundle` and `mace verify` check without the service. */
export function ExportButton({ seed }: { readonly seed: string }) {
  const mace = useMace();
  const save = useMutation({
    mutationFn: async () => {
      const lines: string[] = [];
      for await (const line of mace.job(seed).bundle()) lines.push(`${line}\n`);
      download(
        new Blob(lines, { type: 'application/x-ndjson' }),
        `${seed.replaceAll(':', '_')}.ndjson`,
      );
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

function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
