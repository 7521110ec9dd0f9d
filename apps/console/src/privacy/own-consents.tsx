import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Consent } from '#client/index.js';
import { useMace, useSession } from '../session/session-provider';
import { useAnnounce } from '../ui/announcer';
import { Answered } from '../ui/answered';
import { Button } from '../ui/button';
import { DataTable } from '../ui/data-table';
import { Dialog } from '../ui/dialog';
import { ErrorNotice } from '../ui/error-notice';
import { Message } from '../ui/message';
import { Row, Section } from '../ui/stack';
import { VisibleText } from '../ui/visible-text';
import { CONSENT_COLUMNS } from './consent-columns';
import { GiveConsentForm } from './give-consent-form';

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

function List() {
  const mace = useMace();
  const own = useQuery({
    queryKey: ['consents', 'own'],
    queryFn: ({ signal }) => mace.privacy.consents({ signal }),
  });
  return (
    <>
      <Answered query={own} what="your consents">
        {(consents) => (
          <DataTable
            label="Your consents"
            columns={[
              ...CONSENT_COLUMNS,
              { name: 'Actions', cell: (consent) => <RevokeButton consent={consent} /> },
            ]}
            rows={consents.toReversed()}
            keyOf={({ consent_id }) => consent_id}
            empty={
              <Message title="You have given no consent">
                Your personal data is redacted or refused. Give a consent below if agents may keep
                it.
              </Message>
            }
          />
        )}
      </Answered>
      <GiveConsentForm />
    </>
  );
}

function RevokeButton({
  consent: { consent_id, text, revoked_at },
}: {
  readonly consent: Consent;
}) {
  const mace = useMace();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [isAsking, setAsking] = useState(false);
  const revoke = useMutation({
    mutationFn: () => mace.privacy.revokeConsent(consent_id),
    onSuccess: async () => {
      setAsking(false);
      announce('The consent is revoked.');
      await queries.invalidateQueries({ queryKey: ['consents'] });
    },
  });
  if (revoked_at !== null) return 'none';
  return (
    <>
      <Button aria-label={`Revoke ${consent_id}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      {isAsking && (
        <Dialog
          title="Revoke this consent?"
          about={
            <>
              “<VisibleText text={text} />” Later writes cannot rely on it. What was kept under it
              stays sealed; ask for an erasure to have it destroyed.
            </>
          }
          onClose={() => setAsking(false)}
        >
          {revoke.isError && <ErrorNotice error={revoke.error} />}
          <Row>
            <Button kind="danger" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
              Revoke it
            </Button>
            <Button onClick={() => setAsking(false)}>Keep it</Button>
          </Row>
        </Dialog>
      )}
    </>
  );
}
