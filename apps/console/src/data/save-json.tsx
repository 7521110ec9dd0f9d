import { useMutation } from '@tanstack/react-query';
import type { ButtonHTMLAttributes } from 'react';
import type { MaceClient } from '#client/index.js';
import { useMace } from '../session/session-provider';
import { Button } from '../ui/button';
import { downloadJson } from '../ui/download';
import { wordsOf } from '../ui/error-notice';

interface SaveJsonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'plain' | 'quiet';
  /** The name of the file. */
  readonly file: string;
  readonly read: (mace: MaceClient) => Promise<unknown>;
}

/** Saves an answer of the service as a file, and says beside the button if it could not be had. */
export function SaveJson({ kind = 'quiet', file, read, ...looks }: SaveJsonProps) {
  const mace = useMace();
  const save = useMutation({ mutationFn: async () => downloadJson(file, await read(mace)) });
  return (
    <>
      <Button kind={kind} {...looks} disabled={save.isPending} onClick={() => save.mutate()} />
      {save.isError && <span role="alert">{wordsOf(save.error).title}</span>}
    </>
  );
}
