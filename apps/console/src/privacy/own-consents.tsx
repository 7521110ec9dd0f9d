import { useState } from 'react';
import type { Consent } from '#client/index.js';
import { useRead, useChange } from '../data/queries';
import { useMoment } from '../moment/use-moment';
import { useSession } from '../session/session-provider';
import { Answered } from '../ui/answered';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { type Column, DataTable } from '../ui/data-table';
import { ErrorNotice } from '../ui/error-notice';
import { TextField } from '../ui/field';
import { Form, submitting } from '../ui/form';
import { LongTextField } from '../ui/long-text-field';
import { Message } from '../ui/message';
import { Section } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { CONSENT_COLUMNS } from './consent-columns';

/** The consents of the token's user, who alone gives and revokes them. */
export function OwnConsents() {
  const { userId, roles, sub } = useSession();
  // A user's token without user_id acts for the user of its sub.
  const user = userId ?? (roles.includes('user') ? sub : undefined);
  return (
    <Section title="Your consents">
      {user === undefined ? (
        <Message title="Your token names no user">
          Only a user gives consents. Sign in with a token that has a user_id.
        </Message>
      ) : (
        <List />
      )}
    </Section>
  );
}

/** Only the present can be changed. */
const ACTIONS: Column<Consent> = {
  name: 'Actions',
  cell: (consent) => <RevokeButton consent={consent} />,
};

function List() {
  const moment = useMoment();
  const isPast = moment.at !== undefined;
  const own = useRead(['consents', 'own', moment], (mace, call) =>
    mace.privacy.consents({ ...moment, ...call }),
  );
  return (
    <>
      <Answered query={own} what="your consents">
        {(consents) => (
          <DataTable
            label="Your consents"
            columns={[...CONSENT_COLUMNS, ...(isPast ? [] : [ACTIONS])]}
            rows={consents.toReversed()}
            keyOf={({ consent_id }) => consent_id}
            empty={
              <Message title="You have given no consent">
                Your personal data is redacted or refused
                {isPast ? '.' : '. Give a consent below if agents may keep it.'}
              </Message>
            }
          />
        )}
      </Answered>
      {!isPast && <GiveConsentForm />}
    </>
  );
}

function RevokeButton({
  consent: { consent_id, text, revoked_at },
}: {
  readonly consent: Consent;
}) {
  const [isAsking, setAsking] = useState(false);
  const revoke = useChange((mace) => mace.privacy.revokeConsent(consent_id), {
    ...{ done: 'The consent is revoked.', changes: ['consents'] },
    onDone: () => setAsking(false),
  });
  if (revoked_at !== null) return 'none';
  return (
    <>
      <Button aria-label={`Revoke ${consent_id}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Revoke this consent?"
          {...{ kind: 'danger', agree: 'Revoke it', keep: 'Keep it', change: revoke }}
          about={
            <>
              “<VisibleText text={text} />” Later writes cannot rely on it. What was kept under it
              stays sealed; ask for an erasure to have it destroyed.
            </>
          }
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** Gives a consent in the user's own words, for one job or until it is revoked. */
function GiveConsentForm() {
  const [text, setText] = useState('');
  const [job, setJob] = useState('');
  const give = useChange(
    (mace) => {
      const seed = job.trim();
      return mace.privacy.giveConsent(
        seed === '' ? { text, scope: 'persistent' } : { text, scope: 'job', job_seed: seed },
      );
    },
    {
      ...{ done: 'The consent is given.', changes: ['consents'] },
      onDone: () => {
        setText('');
        setJob('');
      },
    },
  );
  const submit = submitting(() => give.mutate());
  return (
    <Form title="Give a consent" onSubmit={submit}>
      <LongTextField
        label="What you agree to"
        hint="In your own words. Personal data in them is redacted."
        value={text}
        onChange={setText}
      />
      <TextField
        label="Only for this job"
        hint="The job’s seed. Empty: until you revoke the consent."
        value={job}
        onChange={setJob}
      />
      {give.isError && <ErrorNotice error={give.error} />}
      <div>
        <Button kind="primary" type="submit" disabled={give.isPending}>
          Give the consent
        </Button>
      </div>
    </Form>
  );
}
