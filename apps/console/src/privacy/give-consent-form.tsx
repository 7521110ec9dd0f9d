import { type SubmitEvent, useState } from 'react';
import { useChange } from '../data/queries';
import { Button } from '../ui/button';
import { ErrorNotice } from '../ui/error-notice';
import { TextField } from '../ui/field';
import { Form } from '../ui/form';
import { LongTextField } from '../ui/long-text-field';

/** Gives a consent in the user's own words, for one job or until it is revoked. */
export function GiveConsentForm() {
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
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    give.mutate();
  };
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
