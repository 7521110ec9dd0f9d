import { bodyOf, pathPart } from './arguments.js';
import type { QueryOf, Schemas } from './schemas.js';
import type { ReadOptions, Transport } from './transport.js';

/** A read of personal data that was recorded before the answer. */
export type AdminAccess = Schemas['AdminAccessDto'];
/** A command that a rule or a right refused. */
export type RefusedCommand = Schemas['RefusedCommandDto'];

/** What callers read and were refused, and all consents; the newest first. Only for auditors, admins and the council. */
export class Oversight {
  constructor(private readonly transport: Transport) {}

  /** Returns one page of the reads of personal data. */
  accesses(
    query: QueryOf<'/v1/oversight/accesses'> = {},
    options?: ReadOptions,
  ): Promise<Schemas['AdminAccessesPageDto']> {
    return this.transport.get(
      '/v1/oversight/accesses',
      bodyOf('query?', query, 'GET /v1/oversight/accesses'),
      options,
    );
  }

  /** Returns the event of a read of personal data as a signed document, which `mace verify` checks offline. */
  accessReceipt(position: string, options?: ReadOptions): Promise<Schemas['StreamReceiptDto']> {
    return this.transport.get(
      `/v1/oversight/accesses/${pathPart('position', position)}/receipt`,
      {},
      options,
    );
  }

  /** Returns one page of the refused commands. Only for auditors and admins. */
  refusals(
    query: QueryOf<'/v1/oversight/refusals'> = {},
    options?: ReadOptions,
  ): Promise<Schemas['RefusedCommandsPageDto']> {
    return this.transport.get(
      '/v1/oversight/refusals',
      bodyOf('query?', query, 'GET /v1/oversight/refusals'),
      options,
    );
  }

  /** Returns one page of the consents of all users, the revoked ones as well. */
  consents(
    query: QueryOf<'/v1/oversight/consents'> = {},
    options?: ReadOptions,
  ): Promise<Schemas['ConsentsPageDto']> {
    return this.transport.get(
      '/v1/oversight/consents',
      bodyOf('query?', query, 'GET /v1/oversight/consents'),
      options,
    );
  }
}
