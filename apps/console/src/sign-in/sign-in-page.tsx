import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { sessionOf } from '../session/session';
import { useSessionState } from '../session/session-provider';
import { Button } from '../ui/button';
import { Field } from '../ui/field';

const route = getRouteApi('/sign-in');

/** Signs in with a pasted token. */
export function SignInPage() {
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<string>();
  const { signIn } = useSessionState();
  const { to = '/' } = route.useSearch();
  const navigate = useNavigate();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const session = sessionOf(token.trim());
    if (session === undefined) return setProblem('This is not a token of MACE Memory.');
    signIn(session);
    void navigate({ href: to });
  };
  return (
    <main>
      <h1>Sign in to MACE Memory</h1>
      <form onSubmit={submit}>
        <Field
          label="Token"
          hint="npm run --silent token -- --role council --sub me"
          problem={problem}
        >
          {(field) => (
            <textarea
              {...field}
              rows={4}
              value={token}
              onChange={(event) => setToken(event.target.value)}
            />
          )}
        </Field>
        <Button kind="primary" type="submit">
          Sign in
        </Button>
      </form>
    </main>
  );
}
