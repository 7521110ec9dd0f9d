import { Inject, Module } from '@nestjs/common';
import type { Agent, AgentAnswer } from '#agents/agent.js';
import type { CouncilMember } from '#agents/council-member.js';
import type { Capabilities } from '#apps/api/app.module.js';
import { AGENTS } from '#apps/api/platform/tokens.js';
import type { Minds } from '#apps/api/queries/minds.js';
import type { CouncilVote } from '#domain/reflective-log/fields.js';
import type { AgentId } from '#domain/router/rules.js';

type Settable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Doubles at the edge of the outside world: puts an agent or a council of the test's own in the place of the
 * product's, while the service runs. Hand `capabilities` to `TestService.start({ more })`.
 */
export class TestMinds {
  private minds: Settable<Minds> | undefined;
  private original: Minds | undefined;

  get capabilities(): Capabilities {
    const take = (minds: Minds): void => {
      this.minds = minds;
      this.original = { ...minds, agents: { ...minds.agents } };
    };
    @Module({})
    class Replaceable {
      constructor(@Inject(AGENTS) minds: Minds) {
        take(minds);
      }
    }
    return [Replaceable];
  }

  /** In place of the product's agent of that id, what `answer` says; `count` tells how often it was asked. */
  agent(id: AgentId, answer: Agent['answer']): { readonly count: () => number } {
    let count = 0;
    this.change({
      agents: {
        ...this.current.agents,
        [id]: {
          id,
          answer: (...asked: Parameters<Agent['answer']>) => {
            count += 1;
            return answer(...asked);
          },
        },
      },
    });
    return { count: () => count };
  }

  council(...members: readonly CouncilMember[]): void {
    this.change({ council: members });
  }

  verifier(member: CouncilMember): void {
    this.change({ verifier: member });
  }

  /** The product's own again. */
  restore(): void {
    if (this.original !== undefined) this.change(this.original);
  }

  private get current(): Minds {
    if (this.minds === undefined) throw new Error('The service has not been started with them');
    return this.minds;
  }

  private change(minds: Partial<Minds>): void {
    Object.assign(this.current, minds);
  }
}

/** An agent that never answers, whatever its signal says. */
export const hanging: Agent['answer'] = () => new Promise(() => undefined);

/** What an agent says that needs no model. */
export const saying =
  (text: string, more: Partial<AgentAnswer> = {}): Agent['answer'] =>
  async () => ({ text, confidence: 1, reasoning_trace: [], tokens: 0, sem_keys: [], ...more });

/** A member that always votes so. */
export const voting = (
  id: string,
  approve: boolean,
  score: number,
  suggested_changes = '',
): CouncilMember => ({
  id,
  vote: async (): Promise<CouncilVote> => ({
    council_agent_id: id,
    scores: { factuality: score, coherence: score, safety: score },
    approve,
    suggested_changes,
    note: '',
  }),
});
