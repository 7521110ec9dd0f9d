import type { ActionRequest } from '#client/action-requests.js';
import type { MaceClient } from '#client/mace-client.js';
import type { Role } from '#platform/auth/roles.js';
import { mintedClient, type ServiceOptions } from '../service/connection.js';
import type { SampleNames } from './names.js';

/** The most votes that the sample casts on a request; a service with a larger quorum leaves it pending. */
const REVIEWERS = 9;

/** Everyone who acts in the sample, each with a token of their own. */
export class Cast {
  readonly #clients = new Map<string, Promise<MaceClient>>();

  constructor(
    private readonly options: ServiceOptions,
    readonly names: SampleNames,
  ) {}

  agent(name: string): Promise<MaceClient> {
    return this.#as(name, 'agent');
  }

  /** Returns a person of the story, who speaks for herself or himself. */
  user(name: string): Promise<MaceClient> {
    return this.#as(name, 'user');
  }

  admin(): Promise<MaceClient> {
    return this.#as('admin', 'admin');
  }

  auditor(): Promise<MaceClient> {
    return this.#as('auditor', 'auditor');
  }

  /** Returns the reviewer who edits values, and does not vote, because the editor of a value may not. */
  editor(): Promise<MaceClient> {
    return this.#as('editor', 'council');
  }

  /** Yields the reviewers who vote, until one of them need not. */
  async *reviewers(): AsyncGenerator<{ readonly sub: string; readonly client: MaceClient }> {
    for (let number = 1; number <= REVIEWERS; number += 1) {
      const name = `reviewer-${number}`;
      yield { sub: name, client: await this.#as(name, 'council') };
    }
  }

  /** Casts the votes that decide a request. */
  async decide(
    name: string,
    { request_id, proposal_hash }: ActionRequest,
    ballot: Pick<
      Parameters<MaceClient['actionRequests']['vote']>[1],
      'vote' | 'reason' | 'reason_code'
    >,
  ): Promise<void> {
    for await (const { sub, client } of this.reviewers()) {
      const vote = { ...ballot, proposal_hash };
      const once = this.names.once('request', name, 'vote', sub);
      const { status } = await client.actionRequests.vote(request_id, vote, once);
      if (status !== 'pending') return;
    }
  }

  #as(name: string, role: Role): Promise<MaceClient> {
    const sub = this.names.of(name);
    const made = this.#clients.get(sub) ?? mintedClient(this.options, { sub, roles: [role] });
    this.#clients.set(sub, made);
    return made;
  }

  /** Returns the largest position of all that was written; undefined before the first write. */
  async position(): Promise<bigint | undefined> {
    const positions = await Promise.all(
      [...this.#clients.values()].map(async (client) => (await client).position),
    );
    return positions.reduce(
      (last, each) => (last === undefined || (each !== undefined && each > last) ? each : last),
      undefined,
    );
  }
}
