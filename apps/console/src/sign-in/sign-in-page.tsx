import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { codeIn, takeArrival } from '../session/arrival';
import { offerToOtherTabs } from '../session/other-tabs';
import type { Session } from '../session/session';
import { useSessionState } from '../session/session-provider';
import { Button } from '../ui/button';
import { Message } from '../ui/message';
import { PageHeader } from '../ui/page-header';
import { sessionOfLink, signInWays, SignInProblem, wordsOfProblem } from './sign-in';
import styles from './sign-in.module.css';
import { TokenForm } from './token-form';

const route = getRouteApi('/sign-in');

/** The address inside the console, for the router: a page that another site named is not opened. */
const pageOf = (to: string): string => (/^\/(?![/\\])/.test(to) ? to : '/');

/** Signs in by a one-time link, by the OpenID Connect provider, or with a pasted token. */
export function SignInPage() {
  const { to = '/' } = route.useSearch();
  const { isBusy, problem, attempt, enter } = useAttempt(to);
  const ways = useQuery({
    queryKey: ['sign-in-ways'],
    queryFn: ({ signal }) => signInWays(signal),
  });
  const openid = ways.data?.openid ?? undefined;
  useArrival(attempt);
  return (
    <main className={styles.page}>
      <PageHeader title="Sign in to MACE Memory" />
      {problem !== undefined && <Message title={problem} kind="bad" />}
      {isBusy && <p role="status">Signing in …</p>}
      {openid !== undefined && (
        <Button
          kind="primary"
          disabled={isBusy}
          onClick={() =>
            attempt(async () => {
              const { goToProvider } = await import('./open-id');
              await goToProvider(openid, to);
              return undefined;
            })
          }
        >
          Sign in with {new URL(openid.issuer).host}
        </Button>
      )}
      {ways.data?.links === true && <LinkHelp />}
      <TokenForm onSession={(session) => enter({ session })} />
      <p>
        <Link to="/bundle">Open a bundle or a receipt</Link>, which needs no sign-in
      </p>
    </main>
  );
}

const LinkHelp = () => (
  <section className={styles.help}>
    <h2>With a link</h2>
    <p>On the machine of the service, this command prints a link that works once:</p>
    <pre>npx mace console --role council --sub me</pre>
    <p className={styles.muted}>Other roles: auditor, admin, agent, user. Several can be given.</p>
  </section>
);

const signInByLink = async (code: string): Promise<SignedIn> => ({
  session: await sessionOfLink(code),
});

/** What a way of signing in leads to: a session, and perhaps the page that was asked for before. */
interface SignedIn {
  readonly session: Session;
  readonly to?: string;
}

/** Tries a way of signing in. Nothing follows if it leaves the page. */
type Attempt = (signingIn: () => Promise<SignedIn | undefined>) => void;

/** Signs in, opens the page that was asked for, and keeps what went wrong. */
function useAttempt(to: string) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { signIn } = useSessionState();
  const router = useRouter();
  const enter = useCallback(
    ({ session, to: page = to }: SignedIn) => {
      signIn(session);
      offerToOtherTabs(session);
      void router.navigate({ to: pageOf(page), replace: true });
    },
    [router, signIn, to],
  );
  const attempt = useCallback<Attempt>(
    (signingIn) => {
      setBusy(true);
      setProblem(undefined);
      signingIn()
        .then((signedIn) => signedIn && enter(signedIn))
        .catch((error: unknown) => setProblem(wordsOfProblem(error)))
        .finally(() => setBusy(false));
    },
    [enter],
  );
  return { isBusy, problem, attempt, enter };
}

/** Takes the code of a link, or the provider's answer, from the address of the page. */
function useArrival(attempt: Attempt): void {
  useEffect(() => {
    const arrival = takeArrival();
    if (arrival?.kind === 'link') attempt(() => signInByLink(arrival.code));
    if (arrival?.kind === 'provider')
      attempt(async () => {
        const { openid } = await signInWays(new AbortController().signal);
        if (openid === null) throw new SignInProblem('This service has no sign-in provider.');
        const { sessionFromProvider } = await import('./open-id');
        return sessionFromProvider(openid, arrival.address);
      });
  }, [attempt]);
  useEffect(() => {
    // A link that is opened in the tab of this page changes only the fragment.
    const follow = (): void => {
      const code = codeIn(window.location.hash);
      if (code === undefined) return;
      window.history.replaceState(window.history.state, '', window.location.pathname);
      attempt(() => signInByLink(code));
    };
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [attempt]);
}
