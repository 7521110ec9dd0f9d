import { isMaceError, MaceClient, MaceUnreachable, type SignInWays } from '#client/index.js';
import { codeIn } from '../session/arrival';
import { type Session, sessionOf } from '../session/session';
import { inWords } from '../ui/instant';

/** The reason why somebody could not sign in, and what to do, in words. */
export class SignInProblem extends Error {
  override readonly name = 'SignInProblem';
}

export const wordsOfProblem = (error: unknown): string =>
  error instanceof SignInProblem ? error.message : 'The console failed. Load the page again.';

const NEW_LINK =
  'Make a new one on the machine of the service: npx mace console --role council --sub me';

/** The calls before a sign-in need no token, and the service does not read this one. */
const NO_TOKEN = 'none';

const clientOf = (token = NO_TOKEN): MaceClient =>
  new MaceClient({ baseUrl: window.location.origin, token, retries: 0 });

export const signInWays = (signal: AbortSignal): Promise<SignInWays> =>
  clientOf().console.signInWays({ signal });

/** Signs in with what somebody pasted: a token, or a sign-in link. Fails with SignInProblem. */
export function sessionFrom(text: string): Promise<Session> {
  const pasted = text.trim();
  const code = URL.canParse(pasted) ? codeIn(new URL(pasted).hash) : undefined;
  return code === undefined ? sessionOfToken(pasted) : sessionOfLink(code);
}

/** Signs in with the code of a one-time link. Fails with SignInProblem. */
export async function sessionOfLink(code: string): Promise<Session> {
  try {
    const { token } = await clientOf().console.useLink(code);
    return await sessionOfToken(token);
  } catch (error) {
    if (isMaceError(error, 'UNAUTHENTICATED', 'INVALID_INPUT'))
      throw new SignInProblem(
        `This sign-in link does not work. It was used, is older than five minutes, or is from before the service was started. ${NEW_LINK}`,
      );
    if (isMaceError(error, 'PERMISSION_DENIED'))
      throw new SignInProblem(
        'A sign-in link works only in a browser on the machine of the service. Paste a token instead.',
      );
    throw problemOf(error);
  }
}

/** Signs in with a token, if the service accepts it. Fails with SignInProblem. */
export async function sessionOfToken(token: string): Promise<Session> {
  const session = sessionOf(token);
  if (session === undefined)
    throw new SignInProblem(
      'This is not a token of MACE Memory. A token is one long word with two dots in it, and names a sub and roles. A sign-in link can be pasted too.',
    );
  const { expiresAt } = session;
  if (expiresAt !== undefined && expiresAt <= Date.now())
    throw new SignInProblem(
      `This token expired ${inWords(new Date(expiresAt).toISOString())}. Get a new one from where this one came from.`,
    );
  try {
    await clientOf(token).console.session();
    return session;
  } catch (error) {
    if (isMaceError(error, 'UNAUTHENTICATED'))
      throw new SignInProblem(
        `The service refuses this token: ${error.developerMessage} It may be a token of another service.`,
      );
    if (isMaceError(error, 'PERMISSION_DENIED'))
      throw new SignInProblem(
        'This token has none of the roles agent, user, council, admin and auditor, so it may do nothing here.',
      );
    throw problemOf(error);
  }
}

function problemOf(error: unknown): Error {
  if (error instanceof MaceUnreachable)
    return new SignInProblem(
      'The service cannot be reached. Look whether it is running, then try again.',
    );
  if (isMaceError(error))
    return new SignInProblem(
      `${error.developerMessage} ${error.userMessage} Trace id ${error.traceId}`,
    );
  return error instanceof Error ? error : new Error(String(error));
}
