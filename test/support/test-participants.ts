import { Inject, Module } from '@nestjs/common';
import type { Agent, AgentAnswer } from '#agents/agent.js';
import type { CouncilMember } from '#agents/council-member.js';
import type { Capabilities } from '#apps/api/app.module.js';
import { AGENTS } from '#apps/api/platform/tokens.js';
import type { Participants } from '#apps/api/queries/participants.js';
import type { CouncilVote } from '#domain/reflective-log/fields.js';
import type { AgentId } from '#domain/router/rules.js';

type Settable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Replaces agents and council members of a running service by test doubles. Pass `capabilities` to
 * `TestService.start({ more })`.
 */
export class TestParticipants {
  private participants: Settable<Participants> | undefined;
  private original: Participants | undefined;

  get capabilities(): Capabilities {
    const take = (participants: Participants): void => {
      this.participants = participants;
      this.original = { ...participants, agents: { ...participants.agents } };
    };
    @Module({})
    class Replaceable {
      constructor(@Inject(AGENTS) participants: Participants) {
        take(participants);
      }
    }
    return [Replaceable];
  }

  /** Replaces the agent with this id by `answer`. `count` returns how often the agent was asked. */
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

  /** Puts the product's agents and council back. */
  restore(): void {
    if (this.original !== undefined) this.change(this.original);
  }

  private get current(): Participants {
    if (this.participants === undefined)
      throw new Error('The service was not started with these capabilities');
    return this.participants;
  }

  private change(participants: Partial<Participants>): void {
    Object.assign(this.current, participants);
  }
}

/** An agent that never answers and ignores its signal. */
export const hanging: Agent['answer'] = () => new Promise(() => undefined);

/**
 * Makes an agent that answers with this text, confidence 1 and 0 tokens; `more` overrides other fields.
 */
export const saying =
  (text: string, more: Partial<AgentAnswer> = {}): Agent['answer'] =>
  async () => ({ text, confidence: 1, reasoning_trace: [], tokens: 0, sem_keys: [], ...more });

/** Makes a council member that always casts this vote, with `score` as each of its three scores. */
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
