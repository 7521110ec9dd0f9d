import { useMutation } from '@tanstack/react-query';
import { useMace } from '../session/session-provider';
import { Button } from '../ui/button';
import { downloadLines } from '../ui/download';
import { wordsOf } from '../ui/error-notice';

/** Downloads the job as one signed file, which the page `/bundle` and `mace verify` check without the service. */
export function ExportButton({ seed }: { readonly seed: string }) {
  const mace = useMace();
  const save = useMutation({
    mutationFn: () => downloadLines(`${seed.replaceAll(':', '_')}.ndjson`, mace.job(seed).bundle()),
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
