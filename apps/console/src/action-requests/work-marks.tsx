import type { ActionRequestListing } from '#client/index.js';
import { useSession } from '../session/session-provider';
import { Badge } from '../ui/badge';
import { inWords } from '../ui/instant';
import { VisibleText } from '../ui/visible-text';

/** Marks in a row: who works on the request, and until when this person has put it off. */
export function WorkMarks({ row }: { readonly row: ActionRequestListing }) {
  const { sub } = useSession();
  const { assigned_to, snoozed_until } = row;
  return (
    <>
      {assigned_to !== null && (
        <Badge kind={assigned_to === sub ? 'good' : 'plain'}>
          {assigned_to === sub ? (
            'Assigned to you'
          ) : (
            <>
              Assigned to <VisibleText text={assigned_to} />
            </>
          )}
        </Badge>
      )}
      {snoozed_until !== null && <Badge>Back {inWords(snoozed_until)}</Badge>}
    </>
  );
}
