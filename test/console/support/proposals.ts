import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import type { ServiceClient } from '#test/support/service-client.js';

export interface Proposed {
  readonly request_id: string;
  readonly proposal_hash: string;
  readonly target_sem_key: string;
}

/** Proposes facts as an agent, based on an episode of a job of its own. */
export class Proposals {
  private constructor(
    readonly agent: Caller,
    private readonly episodic_id: string,
    /** All requests of this proposer, so that a page can be limited to them. */
    readonly proposer: string,
    readonly jobSeed: string,
  ) {}

  static async of(service: ServiceClient, name: string): Promise<Proposals> {
    const sub = named(name);
    const jobSeed = named(`${name}-job`);
    const agent = await Caller.of(service, 'agent', { sub });
    await agent.post('jobs', { job_seed: jobSeed });
    const { episodic_id } = await agent.post<{ episodic_id: string }>(`jobs/${jobSeed}/episodes`, {
      summary: `What ${name} has seen`,
      evidence: [],
    });
    return new Proposals(agent, episodic_id, sub, jobSeed);
  }

  /** Returns the key of a fact that only this file uses. */
  keyOf = (name: string): string => `world/review/${named(name)}/value`;

  fact(
    name: string,
    value: unknown = `The value of ${name}`,
    more: object = {},
  ): Promise<Proposed> {
    return this.agent.post<Proposed>('action-requests', {
      episodic_id: this.episodic_id,
      target_sem_key: this.keyOf(name),
      value,
      justification: `It was seen in ${name}.`,
      evidence: [{ episodic_id: this.episodic_id }],
      ...more,
    });
  }

  /** Proposes facts one after the other, and returns them in this order, which is that of their deadlines. */
  async facts(...names: readonly string[]): Promise<readonly Proposed[]> {
    const proposed: Proposed[] = [];
    for (const name of names) proposed.push(await this.fact(name));
    return proposed;
  }

  /** Proposes facts, several at a time, so that the order of their deadlines is open. */
  async flood(count: number): Promise<void> {
    let left = count;
    const propose = async (): Promise<void> => {
      while (left > 0) await this.fact(`f${(left -= 1)}`);
    };
    await Promise.all(Array.from({ length: 16 }, propose));
  }

  /** The page of the queue with the requests of this proposer. */
  get queue(): string {
    return `/requests?proposer=${this.proposer}`;
  }
}
