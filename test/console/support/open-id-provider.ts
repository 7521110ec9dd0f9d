import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AUDIENCE, TokenIssuer } from '#test/support/token-issuer.js';

const CLIENT_ID = 'mace-console';
const SECOND_MS = 1_000;

interface Grant {
  readonly challenge: string;
  readonly redirectUri: string;
}

/**
 * An OpenID Connect provider on this machine: discovery, keys, a page that asks the person, and the code flow with
 * PKCE for one public client.
 */
export class OpenIdProvider {
  /** Who signs in, with which roles and for how many seconds. */
  person = { sub: 'ada', roles: ['council'], ttl: 300 };
  /** What the console has asked for at the last sign-in. */
  asked = new URLSearchParams();
  private readonly grants = new Map<string, Grant>();

  private constructor(
    private readonly server: Server,
    private readonly issuer: TokenIssuer,
  ) {}

  static async start(): Promise<OpenIdProvider> {
    const issuer = await TokenIssuer.start();
    await issuer.addKey('key', 'RS256');
    const server = createServer((request, response) => void provider.answer(request, response));
    const provider = new OpenIdProvider(server, issuer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The settings of a service whose people sign in here. */
  get environment(): Readonly<Record<string, string>> {
    return {
      ...this.issuer.environment,
      MACE_JWT_ISSUER: this.url,
      MACE_OIDC_ISSUER: this.url,
      MACE_OIDC_CLIENT_ID: CLIENT_ID,
      MACE_OIDC_SCOPE: 'openid memory',
    };
  }

  stop(): void {
    this.issuer.stop();
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    response.setHeader('access-control-allow-origin', '*');
    const answerJson = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (pathname === '/.well-known/openid-configuration') return answerJson(200, this.discovery());
    if (pathname === '/authorize') return this.askThePerson(searchParams, response);
    if (pathname === '/favicon.ico') return void response.writeHead(204).end();
    if (pathname !== '/token') return answerJson(404, {});
    try {
      answerJson(200, await this.tokens(new URLSearchParams(await bodyOf(request))));
    } catch (error) {
      answerJson(400, { error: 'invalid_grant', error_description: (error as Error).message });
    }
  }

  private readonly discovery = (): object => ({
    issuer: this.url,
    authorization_endpoint: `${this.url}/authorize`,
    token_endpoint: `${this.url}/token`,
    jwks_uri: this.issuer.environment['MACE_JWKS_URL'],
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  });

  private askThePerson(asked: URLSearchParams, response: ServerResponse): void {
    this.asked = asked;
    const redirectUri = asked.get('redirect_uri') ?? '';
    const isComplete =
      asked.get('response_type') === 'code' &&
      asked.get('client_id') === CLIENT_ID &&
      asked.get('code_challenge_method') === 'S256' &&
      redirectUri.endsWith('/console/sign-in');
    const back = (answer: Record<string, string>): string =>
      `${redirectUri}?${new URLSearchParams({ ...answer, state: asked.get('state') ?? '' }).toString()}`;
    const code = randomBytes(16).toString('hex');
    this.grants.set(code, { challenge: asked.get('code_challenge') ?? '', redirectUri });
    response.setHeader('content-type', 'text/html');
    response.end(
      isComplete
        ? `<h1>Provider</h1><a href="${back({ code })}">Continue</a>
           <a href="${back({ error: 'access_denied', error_description: 'You refused' })}">Refuse</a>`
        : '<h1>The request is wrong</h1>',
    );
  }

  /** Exchanges a code, once, if the client shows the secret to whose hash the code was given (PKCE). */
  private async tokens(body: URLSearchParams): Promise<object> {
    const grant = this.grants.get(body.get('code') ?? '');
    this.grants.delete(body.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    if (grant?.challenge !== challenge) throw new Error('The code verifier is wrong.');
    if (grant.redirectUri !== body.get('redirect_uri')) throw new Error('Another redirect_uri.');
    const { ttl, ...person } = this.person;
    const exp = Math.floor(Date.now() / SECOND_MS) + ttl;
    const claims = { ...person, iss: this.url, exp };
    return {
      access_token: await this.issuer.sign('key', { ...claims, aud: AUDIENCE }),
      id_token: await this.issuer.sign('key', { ...claims, aud: CLIENT_ID }),
      token_type: 'Bearer',
      expires_in: ttl,
    };
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += String(piece);
  return text;
}
