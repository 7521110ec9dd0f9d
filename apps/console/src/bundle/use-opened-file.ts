import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import type { JobRecord } from '../jobs/record/job-record';
import { BundleReader } from './bundle-reader';
import type { Opened } from './bundle-worker';

export type OpenedFile = Opened & {
  readonly name: string;
  readonly checkedAt: string;
  readonly record: JobRecord;
};

/** Opens one file at a time and verifies it in the browser. @param trusted ids of keys that the reader trusts */
export function useOpenedFile(trusted: readonly string[]) {
  const place = useId();
  const reader = useReader();
  const open = useMutation({
    // A worker needs no network.
    networkMode: 'always',
    mutationFn: async (file: File): Promise<OpenedFile> => {
      if (reader === undefined) throw new Error('The page is not ready yet. Try again.');
      const opened = await reader.open(file);
      const checkedAt = new Date().toISOString();
      const record = reader.record(`file ${place} ${checkedAt}`);
      return { ...opened, name: file.name, checkedAt, record };
    },
  });
  const { data: opened } = open;
  const signature = useQuery({
    queryKey: [opened?.record.id, 'signature', trusted],
    queryFn: () => reader?.signature(trusted),
    enabled: opened !== undefined && hasSigner(opened),
    networkMode: 'always',
  });
  return { open, opened, signature: signature.data };
}

function useReader(): BundleReader | undefined {
  const [reader, setReader] = useState<BundleReader>();
  useEffect(() => {
    const made = new BundleReader();
    setReader(made);
    return () => made.close();
  }, []);
  return reader;
}

function hasSigner(opened: Opened): boolean {
  switch (opened.kind) {
    case 'bundle':
      return opened.report.header !== undefined;
    case 'receipt':
      return opened.report.receipt !== undefined;
    case 'moment':
      return opened.report.statement !== undefined;
    case 'other':
      return false;
  }
}
