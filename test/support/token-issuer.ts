import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { ensure } from './ensure.js';

export const AUDIENCE = 'https://memory.test';
export const ISSUER = 'https://issuer.test';

/** An issuer of tokens that publishes its keys on this machine. */
export class TokenIssuer {
  readonly published: JWK[] = [];
  private readonly pairs = new Map<string, { alg: string; secret: CryptoKey; open: CryptoKey }>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TokenIssuer> {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ keys: issuer.published }));
    });
    const issuer = new TokenIssuer(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return issuer;
  }

  /** The settings of a service that trusts this issuer. */
  get environment(): Readonly<Record<string, string>> {
    const { port } = this.server.address() as AddressInfo;
    return {
      MACE_JWT_SECRET: '',
      MACE_JWKS_URL: `http://127.0.0.1:${port}/.well-known/jwks.json`,
      MACE_JWT_AUDIENCE: AUDIENCE,
      MACE_JWT_ISSUER: ISSUER,
    };
  }

  async addKey(kid: string, alg: string, { isPublished = true } = {}): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    this.pairs.set(kid, { alg, secret: privateKey, open: publicKey });
    if (isPublished) this.published.push({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' });
  }

  private pairOf(kid: string) {
    const pair = this.pairs.get(kid);
    ensure(pair);
    return pair;
  }

  /** Returns the public key as PEM, which everybody can know. */
  publicKeyOf(kid: string): Promise<string> {
    return exportSPKI(this.pairOf(kid).open);
  }

  /** Signs the claims, with a valid audience, issuer and expiry unless the claims have others. */
  sign(kid: string, claims: JWTPayload): Promise<string> {
    const { alg, secret } = this.pairOf(kid);
    return new SignJWT(completed(claims)).setProtectedHeader({ alg, kid }).sign(secret);
  }

  /** Signs the claims with a shared secret under the name of a published key. */
  forge(kid: string, secret: string, claims: JWTPayload): Promise<string> {
    return new SignJWT(completed(claims))
      .setProtectedHeader({ alg: 'HS256', kid })
      .sign(new TextEncoder().encode(secret));
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** Adds the claims of a valid token; a claim with the value undefined stays out. */
const completed = (claims: JWTPayload): JWTPayload => ({
  aud: AUDIENCE,
  iss: ISSUER,
  exp: Math.floor(Date.now() / 1000) + 300,
  ...claims,
});

/** Returns a token without a signature. */
export const unsigned = (claims: JWTPayload, header: object = { alg: 'none' }): string =>
  [header, completed(claims)]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
    .concat('.');
