import { useMutation } from '@tanstack/react-query';
import type { MaceClient } from '#client/index.js';
import { useMace } from '../session/session-provider';
import { Button } from './button';
import { downloadLines } from './download';
import { wordsOf } from './error-notice';

interface SaveBundleProps {
  /** The name of the file, without its ending. */
  readonly name: string;
  readonly lines: (mace: MaceClient) => AsyncGenerator<string>;
  /** What stands on the button. */
  readonly words?: string;
}

/** Downloads a stream as one signed file, which the page `/bundle` and `mace verify` check without the service. */
export function SaveBundle({ name, lines, words = 'Export bundle' }: SaveBundleProps) {
  const mace = useMace();
  const save = useMutation({
    mutationFn: () => downloadLines(`${name.replaceAll(':', '_')}.ndjson`, lines(mace)),
  });
  return (
    <>
      <Button disabled={save.isPending} onClick={() => save.mutate()}>
        {save.isPending ? 'Exporting …' : words}
      </Button>
      {save.isError && <p role="alert">{wordsOf(save.error).title}</p>}
    </>
  );
}
