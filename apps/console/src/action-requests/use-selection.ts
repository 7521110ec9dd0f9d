import { useMemo, useState } from 'react';
import type { ActionRequestListing } from '#client/index.js';

/** The selected requests of a list. Requests that leave the list leave the selection. */
export interface Selection {
  readonly rows: readonly ActionRequestListing[];
  readonly has: (id: string) => boolean;
  readonly toggle: (id: string) => void;
  readonly clear: () => void;
}

export function useSelection(rows: readonly ActionRequestListing[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return useMemo(
    () => ({
      rows: rows.filter(({ request_id }) => ids.has(request_id)),
      has: (id) => ids.has(id),
      toggle: (id) =>
        setIds((old) => {
          const next = new Set(old);
          if (!next.delete(id)) next.add(id);
          return next;
        }),
      clear: () => setIds(new Set()),
    }),
    [rows, ids],
  );
}
