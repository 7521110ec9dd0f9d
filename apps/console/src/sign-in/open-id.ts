import type { SignInWays } from '#client/index.js';
import { OidcClient, WebStorageStateStore } from 'oidc-client-ts';
import type { Session } from '../session/session';
import { sessionOfToken, SignInProblem } from './sign-in';

type Provider = NonNullable<SignInWays['openid']>;

const clientOf = ({ issuer, client_id, scope }: Provider): OidcClient =>
  new OidcClient({
    ...{ authority: issuer, client_id, scope, response_type: 'code' },
    redirect_uri: `${window.location.origin}/console/sign-in`,
    // The secret of the code flow (PKCE) stays in this tab.
    stateStore: new WebStorageStateStore({ store: window.sessionStorage, prefix: 'mace.openid.' }),
  });

/** Sends the person to the provider. `to` is the page to come back to. */
export async function goToProvider(provider: Provider, to: string): Promise<void> {
  // Providers that make tokens for several services learn from `audience` for which one.
  const extraQueryParams = { audience: provider.audience };
  const request = await clientOf(provider)
    .createSigninRequest({ state: to, extraQueryParams })
    .catch((error: unknown) => {
      throw problemOf(error, 'The sign-in provider cannot be reached.');
    });
  window.location.assign(request.url);
}

/** Signs in with the answer in the address to which the provider has sent the person back. */
export async function sessionFromProvider(
  provider: Provider,
  address: string,
): Promise<{ readonly session: Session; readonly to: string }> {
  const { access_token, userState } = await clientOf(provider)
    .processSigninResponse(address)
    .catch((error: unknown) => {
      throw problemOf(error, 'The sign-in provider did not sign you in.');
    });
  const session = await sessionOfToken(access_token);
  return { session, to: typeof userState === 'string' ? userState : '/' };
}

const problemOf = (error: unknown, what: string): SignInProblem => {
  const reason = error instanceof Error ? error.message : String(error);
  return new SignInProblem(`${what} ${reason.replace(/\.?$/, '.')} Try again.`);
};
