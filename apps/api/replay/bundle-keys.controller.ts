import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { BundleSigner } from '#platform/signing/bundle-signature.js';
import type { SigningJwk } from '#platform/signing/signature.js';
import { Public } from '../platform/auth/roles.js';

/** The public keys that verify bundles, as a JWK set (RFC 7517); replaced keys stay in it (SPEC §13). */
@ApiExcludeController()
@Controller('.well-known')
export class BundleKeysController {
  constructor(private readonly signer: BundleSigner) {}

  @Get('jwks.json')
  @Public()
  async keys(): Promise<{ readonly keys: readonly SigningJwk[] }> {
    return { keys: await this.signer.publicKeys() };
  }
}
