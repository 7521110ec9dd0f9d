import { given, oneOf, textIn } from '../data/search-params';

/** The filters of the list of jobs, as the address of the page has them. */
export interface JobsSearch {
  readonly status?: 'running' | 'ended';
  readonly session?: string;
  readonly owner?: string;
  /** If true, the list has the jobs of `mace sample` as well. */
  readonly sample?: true;
}

export const jobsSearchOf = ({
  status,
  session,
  owner,
  sample,
}: Record<string, unknown>): JobsSearch =>
  given({
    status: oneOf(['running', 'ended'] as const, status),
    ...{ session: textIn(session), owner: textIn(owner) },
    sample: oneOf([true], sample),
  });
