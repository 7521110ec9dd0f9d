import { Caller } from './caller.js';
import { named } from './named.js';
import type { ServiceClient } from './service-client.js';

/** A personal address that the gate recognises. */
export const EMAIL = 'tomas.lindqvist@bahnhof.test';

export interface Erasable {
  readonly request_id: string;
  readonly proposal_hash: string;
  readonly status: string;
  /** When the retention period of an erasure's data ends, if it is not over. */
  readonly executable_from?: string;
}

export interface Receipt {
  readonly subject: string;
  readonly destroyed_keys: readonly string[];
  readonly manifest: { readonly events: number; readonly streams: number };
  readonly event: { readonly stream: string; readonly number: number; readonly hash: string };
}

/** A user with consent, a fact, and a job whose WM holds personal data. */
export class DataSubject {
  readonly subject: string;

  private constructor(
    readonly user_id: string,
    readonly user: Caller,
    readonly agent: Caller,
    /** The canonical key of the fact. */
    readonly key: string,
    readonly job_seed: string,
  ) {
    this.subject = `user:${user_id}`;
  }

  static async of(service: ServiceClient, name: string): Promise<DataSubject> {
    const user_id = named(name).toLowerCase();
    const user = await Caller.of(service, 'user', { sub: user_id });
    const agent = await Caller.of(service, 'agent', { user_id });
    const { key } = await user.post<{ key: string }>('sem-keys', {
      scope: 'user',
      entity_type: 'profile',
      attribute: 'contact',
      user_id,
    });
    await user.post('consents', { text: 'Keep it.', scope: 'persistent' });
    await user.did('PUT', `sem/${key}`, { body: { value: EMAIL } });
    const job_seed = named(`${name}-job`);
    await agent.post('jobs', { job_seed });
    await agent.post(`jobs/${job_seed}/wm`, { type: 'fact', value: EMAIL });
    return new DataSubject(user_id, user, agent, key, job_seed);
  }
}

/** Asks for the erasure of a subject's data. */
export const askedErasure = (
  caller: Caller,
  subject: string,
  reason_code = 'legal_erasure',
): Promise<Erasable> =>
  caller.post<Erasable>('action-requests', {
    kind: 'erasure',
    subject,
    reason_code,
    justification: 'I want to be forgotten.',
  });

/** The council's vote on an erasure. */
export const decided = (
  council: Caller,
  { request_id, proposal_hash }: Erasable,
  vote = 'approve',
): Promise<Erasable> =>
  council.post<Erasable>(`action-requests/${request_id}/votes`, {
    vote,
    reason: 'The subject asked for it.',
    proposal_hash,
  });

/** The route by which an admin executes an erasure. */
export const execution = ({ request_id }: Pick<Erasable, 'request_id'>): string =>
  `erasures/${request_id}/execution`;

/** Erases the data of a subject, as its user, the council and an admin do it. */
export async function erased(service: ServiceClient, person: DataSubject): Promise<Receipt> {
  const request = await askedErasure(person.user, person.subject);
  await decided(await Caller.of(service, 'council'), request);
  return (await Caller.of(service, 'admin')).post<Receipt>(execution(request));
}
