import { useQuery } from '@tanstack/react-query';
import type { ActionRequestListing, RecheckedRequest } from '#client/index.js';
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
  const { request_id, proposal_hash, status } = row;
  const { data } = useQuery({
    queryKey: [...RECHECKS, request_id, proposal_hash],
    queryFn: () => recheckOf(mace, request_id),
    staleTime: FRESH_MS,
    enabled: status === 'pending',
  });
  const words = (data?.recheck ?? []).map(({ code }) => RECHECK_WORDS[code]);
  const refusals = words.filter(({ refuses }) => refuses).map(({ text }) => text);
  return (
    <>
      {refusals.length > 0 && (
        <>
          <Badge kind="bad">Would be refused</Badge>
          <span>{refusals.join(' · ')}</span>
        </>
      )}
      {words
        .filter(({ refuses }) => !refuses)
        .map(({ text }) => (
          <Badge key={text} kind="warning">
            {sentence(text)}
          </Badge>
        ))}
    </>
  );
}

/** The findings in a few words, those that would refuse the approval first. */
export function recheckWords({ would_be_refused, recheck }: RecheckedRequest): string {
  const words = (recheck ?? []).map(({ code }) => RECHECK_WORDS[code]);
  const of = (refuses: boolean): string =>
    words
      .filter((word) => word.refuses === refuses)
      .map(({ text }) => text)
      .join(', ');
  const changes = of(false);
  if (!would_be_refused) return sentence(changes);
  return `Would be refused: ${of(true)}${changes === '' ? '' : `. ${sentence(changes)}`}`;
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
