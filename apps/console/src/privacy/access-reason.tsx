import { LongText } from '../ui/long-text';

/** Why somebody read personal data. The console asks for a reason; a program may have given none. */
export const AccessReason = ({ reason }: { readonly reason: string | null }) =>
  reason === null ? 'none was given' : <LongText text={reason} />;
