import type { UseQueryResult } from '@tanstack/react-query';
import type { Consent, Dossier } from '#client/index.js';
import { Answered } from '../ui/answered';
import { Instant } from '../ui/instant';
import { LongText } from '../ui/long-text';
import { Section } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';

/** What a request for sensitive data would allow, in place of its value: to which consent, whose, for what and how long (SPEC P4). */
export const ConsentReview = ({ dossier }: { readonly dossier: UseQueryResult<Dossier> }) => (
  <Section title="What this allows">
    <Answered query={dossier} what="the consent">
      {({ consent }) =>
        consent === null ? <p>The consent cannot be found.</p> : <Allowed consent={consent} />
      }
    </Answered>
  </Section>
);

const Allowed = ({ consent }: { readonly consent: Consent }) => (
  <p>
    To keep sensitive data about <VisibleText text={consent.user_id} />, such as numbers of
    accounts, cards and passports, under their own words “
    <LongText text={consent.text} />
    ”, given <Instant at={consent.given_at} />, <Until consent={consent} />.
  </p>
);

function Until({ consent: { scope, job_seed, revoked_at } }: { readonly consent: Consent }) {
  if (revoked_at !== null)
    return (
      <strong>
        revoked <Instant at={revoked_at} />
      </strong>
    );
  if (scope === 'persistent') return 'until they revoke it';
  return (
    <>
      in the job <VisibleText text={job_seed ?? ''} /> only, until they revoke it
    </>
  );
}
