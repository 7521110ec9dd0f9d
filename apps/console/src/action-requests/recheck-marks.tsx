import { useQuery } from '@tanstack/react-query';
import type { ActionRequestListing, RecheckedRequest } from '#client/index.js';
import { refusesApproval } from '#domain/action-request/recheck.js';
import { useMoment } from '../moment/use-moment';
import { useMace } from '../session/session-provider';
import { Badge } from '../ui/badge';
import { recheckOf } from './recheck-batch';
import { RECHECK_WORDS } from './words';

/** The query of the rows' checks. */
export const RECHECKS = ['requests', 'recheck'] as const;
/** A check is not repeated while a reviewer scrolls up and down. */
const FRESH_MS = 30_000;

/** Says in a row what has changed since the proposal, and why an approval would be refused now. */
export function RecheckMarks({ row }: { readonly row: ActionRequestListing }) {
  const mace = useMace();
  const isPast = useMoment().at !== undefined;
  const { request_id, proposal_hash, status } = row;
  const { data } = useQuery({
    queryKey: [...RECHECKS, request_id, proposal_hash],
    queryFn: () => recheckOf(mace, request_id),
    staleTime: FRESH_MS,
    enabled: status === 'pending' && !isPast,
  });
  const [refusals, changes] = wordsOf(data?.recheck ?? []);
  return (
    <>
      {refusals.length > 0 && (
        <>
          <Badge kind="bad">Would be refused</Badge>
          <span>{refusals.join(' · ')}</span>
        </>
      )}
      {changes.map((text) => (
        <Badge key={text} kind="warning">
          {sentence(text)}
        </Badge>
      ))}
    </>
  );
}

/** The findings in a few words, those that would refuse the approval first. */
export function recheckWords({ would_be_refused, recheck }: RecheckedRequest): string {
  const [refusals = '', changes = ''] = wordsOf(recheck ?? []).map((words) => words.join(', '));
  if (!would_be_refused) return sentence(changes);
  return `Would be refused: ${refusals}${changes === '' ? '' : `. ${sentence(changes)}`}`;
}

/** Returns the findings in a few words: those that would refuse an approval, and the others. */
const wordsOf = (
  findings: NonNullable<RecheckedRequest['recheck']>,
): readonly [refusals: readonly string[], changes: readonly string[]] => {
  const of = (refuses: boolean) =>
    findings
      .filter((finding) => refusesApproval(finding) === refuses)
      .map(({ code }) => RECHECK_WORDS[code]);
  return [of(true), of(false)];
};

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
