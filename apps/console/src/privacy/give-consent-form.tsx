import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useMace } from '../session/session-provider';
import { useAnnounce } from '../ui/announcer';
import { Button } from '../ui/button';
import { ErrorNotice } from '../ui/error-notice';
import { Field } from '../ui/field';
import { Form } from '../ui/form';
import { LongTextField } from '../ui/long-text-field';

/** Gives a consent in the user's own words, for one job or until it is revoked. */
export function GiveConsentForm() {
  const [text, setText] = useState('');
  const [job, setJob] = useState('');
  const give = useGive(() => {
    setText('');
    setJob('');
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    give.mutate({ text, job: job.trim() });
  };
  return (
    <Form title="Give a consent" onSubmit={submit}>
      <LongTextField
        label="What you agree to"
        hint="In your own words. Personal data in them is redacted."
        value={text}
        onChange={setText}
      />
      <Field label="Only for this job" hint="The job’s seed. Empty: until you revoke the consent.">
        {(field) => (
          <input {...field} value={job} onChange={(event) => setJob(event.target.value)} />
        )}
      </Field>
      {give.isError && <ErrorNotice error={give.error} />}
      <div>
        <Button kind="primary" type="submit" disabled={give.isPending}>
          Give the consent
        </Button>
      </div>
    </Form>
  );
}

function useGive(onDone: () => void) {
  const mace = useMace();
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: ({ text, job }: { readonly text: string; readonly job: string }) =>
      mace.privacy.giveConsent(
        job === '' ? { text, scope: 'persistent' } : { text, scope: 'job', job_seed: job },
      ),
    onSuccess: async () => {
      onDone();
      announce('The consent is given.');
      await queries.invalidateQueries({ queryKey: ['consents'] });
    },
  });
}
