import { bodyOf, pathPart } from './arguments.js';
import type { QueryOf, Schemas } from './schemas.js';
import {
  type ReadOptions,
  requireCallOptions,
  type Transport,
  type WriteOptions,
} from './transport.js';

/** A user's consent to keep personal data. */
export type Consent = Schemas['ConsentDto'];
/** Proves to a subject that the keys of its data were destroyed. */
export type ErasureReceipt = Schemas['ErasureReceiptDto'];
/** Whose personal data is kept, since when, and what is due. */
export type Retention = Schemas['RetentionReportDto'];

/** Consents, erasures and retention of personal data. */
export class Privacy {
  constructor(private readonly transport: Transport) {}

  /** Gives the consent of the token's user. */
  giveConsent(body: Schemas['GiveConsent'], options?: WriteOptions): Promise<Consent> {
    return this.transport.post('/v1/consents', bodyOf('body', body, 'POST /v1/consents'), options);
  }

  /** Returns the consents of the token's user, the revoked ones as well; with `at`, those of then. */
  async consents(options: ReadOptions & QueryOf<'/v1/consents'> = {}): Promise<readonly Consent[]> {
    requireCallOptions(options, { at: 'moment?' });
    const { at, ...rest } = options;
    const { consents } = await this.transport.get<Schemas['ConsentsDto']>(
      '/v1/consents',
      { at },
      rest,
    );
    return consents;
  }

  /** Revokes a consent of the token's user. A repetition changes nothing. */
  revokeConsent(consentId: string, options?: WriteOptions): Promise<Consent> {
    return this.transport.post(
      `/v1/consents/${pathPart('consentId', consentId)}/revocation`,
      {},
      options,
    );
  }

  /** Executes an erasure that the council approved. A repetition returns the same receipt. */
  executeErasure(requestId: string, options?: WriteOptions): Promise<ErasureReceipt> {
    return this.transport.post(
      `/v1/erasures/${pathPart('requestId', requestId)}/execution`,
      {},
      options,
    );
  }

  /** Returns the receipt of an executed erasure. */
  erasureReceipt(requestId: string, options?: ReadOptions): Promise<ErasureReceipt> {
    return this.transport.get(`/v1/erasures/${pathPart('requestId', requestId)}`, {}, options);
  }

  /** Returns one page of the subjects whose personal data is kept. */
  retention(page: QueryOf<'/v1/retention'> = {}, options?: ReadOptions): Promise<Retention> {
    return this.transport.get('/v1/retention', bodyOf('page?', page, 'GET /v1/retention'), options);
  }
}
