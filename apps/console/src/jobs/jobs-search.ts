/** The filters of the list of jobs, as the address of the page has them. */
export interface JobsSearch {
  readonly status?: 'running' | 'ended';
  readonly session?: string;
  readonly owner?: string;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

export function jobsSearchOf(search: Record<string, unknown>): JobsSearch {
  const { status } = search;
  const [session, owner] = [textOf(search['session']), textOf(search['owner'])];
  return {
    ...(status === 'running' || status === 'ended' ? { status } : {}),
    ...(session === undefined ? {} : { session }),
    ...(owner === undefined ? {} : { owner }),
  };
}
