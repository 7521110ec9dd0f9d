import { useState } from 'react';
import type { Session } from '../session/session';
import { Button } from '../ui/button';
import { TextArea } from '../ui/field';
import { submitting } from '../ui/form';
import { sessionFrom, wordsOfProblem } from './sign-in';
import styles from './sign-in.module.css';

interface TokenFormProps {
  readonly onSession: (session: Session) => void;
}

export function TokenForm({ onSession }: TokenFormProps) {
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const submit = submitting(() => {
    if (text.trim() === '') return setProblem('Paste a token or a sign-in link first.');
    setBusy(true);
    setProblem(undefined);
    sessionFrom(text)
      .then(onSession)
      .catch((error: unknown) => setProblem(wordsOfProblem(error)))
      .finally(() => setBusy(false));
  });
  return (
    <form onSubmit={submit} className={styles.form}>
      <TextArea
        label="Token or sign-in link"
        hint="It is kept in this tab only, until the tab is closed."
        problem={problem}
        rows={4}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={setText}
      />
      <Button type="submit" kind="primary" disabled={isBusy}>
        Sign in
      </Button>
    </form>
  );
}
