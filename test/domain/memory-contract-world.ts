import { fold } from '#domain/decider.js';
import type { JsonObject, Json } from '#domain/json.js';
import { applyRetention } from '#domain/memory-contract/retention/apply-retention.js';
import type { MemoryCommand } from '#domain/memory-contract/commands.js';
import type {
  MemoryEvent,
  MemoryTrace,
  PhaseRequest,
  ForeignRecall,
  ForeignTraces,
} from '#domain/memory-contract/events.js';
import { finishInteraction } from '#domain/memory-contract/interaction/finish-interaction.js';
import type { MemoryItem, Space } from '#domain/memory-contract/item.js';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import { storeOwners, UNKNOWN_PROJECT } from '#domain/memory-contract/owners.js';
import {
  policyHash,
  policyOf,
  type MemorySettings,
  type PolicyRequest,
  type PolicySnapshot,
} from '#domain/memory-contract/policy.js';
import { askedQuery, recallFromStore } from '#domain/memory-contract/recall/recall-from-store.js';
import { recall } from '#domain/memory-contract/recall/recall.js';
import { receivePromotion } from '#domain/memory-contract/promotion/receive-promotion.js';
import { recordInteraction } from '#domain/memory-contract/interaction/record-interaction.js';
import type { StoreState } from '#domain/memory-contract/state.js';
import { diffOfPhases } from '#domain/memory-contract/phases/trace-diff.js';
import { traceOf } from '#domain/memory-contract/trace/trace.js';
import { recordableText, toolText } from '#domain/memory-contract/utterance/utterance.js';
import { memoryStream } from '#domain/stream-names.js';

/** The fields of a request. By default the assistant is `helper`, the session `s1` and the user `u1`. */
export interface Asked {
  readonly assistant?: string;
  readonly session_id?: string;
  readonly user_id?: string | null;
  readonly project_root?: string | null;
  readonly memory?: Partial<MemorySettings>;
  readonly policy?: PolicyRequest;
  readonly phase?: PhaseRequest;
}

export interface SaidTurn extends Asked {
  readonly user_text: string;
  readonly ai_text?: string;
  readonly tool_events?: readonly Json[];
  /** The texts of the turn that the privacy detector flags. */
  readonly flagged?: readonly ('user' | 'ai' | 'tool')[];
  readonly phase_diff?: { readonly from: string; readonly to: string; readonly space?: Space };
}

export interface AskedRecall extends Asked {
  readonly query?: string;
  readonly trace?: boolean;
  readonly flagged?: boolean;
}

export interface Written {
  readonly written: readonly MemoryItem[];
  readonly trace: readonly JsonObject[];
}

/**
 * Holds the stores in memory, and runs the steps of a request on them in the service's order. A turn:
 * retention in the other stores, then the append to the session. A promotion: the append to the target,
 * retention in the other stores, then a second append to the session.
 */
export class MemoryWorld {
  readonly streams = new Map<string, readonly MemoryEvent[]>();
  readonly #states = new Map<string, StoreState>();

  state(space: Space, owner: string): StoreState {
    const stream = memoryStream(space, owner);
    return this.#states.get(stream) ?? memoryDecider.initialState(stream);
  }

  execute(space: Space, owner: string, command: MemoryCommand): void {
    const stream = memoryStream(space, owner);
    const before = this.state(space, owner);
    const events = memoryDecider.decide(command, before);
    this.#states.set(stream, fold(memoryDecider, before, events));
    this.streams.set(stream, [...(this.streams.get(stream) ?? []), ...events]);
  }

  say(turn: SaidTurn): Written {
    const request = requestOf(turn);
    const { policy, owners } = request;
    const flagged = (who: 'user' | 'ai' | 'tool') => turn.flagged?.includes(who) ?? false;
    const tools = turn.tool_events ?? [];
    const command = {
      op: 'record_interaction',
      ...request,
      user: recordableText(turn.user_text, 'user', policy, flagged('user')),
      ai: recordableText(turn.ai_text ?? 'Noted.', 'ai', policy, flagged('ai')),
      tool:
        tools.length === 0
          ? null
          : recordableText(toolText(tools), 'tool', policy, flagged('tool')),
      phase: turn.phase ?? null,
      phase_diff: null,
      ...this.#diff(request, turn),
      elsewhere: [],
    } as const;
    const session = this.state('session', owners.session);
    const { promotion } = recordInteraction(session, command);
    const prepared =
      promotion === null
        ? {
            ...command,
            elsewhere: this.#forgetElsewhere(request),
            ...this.#diff(request, turn),
          }
        : command;
    const first = recordInteraction(session, prepared);
    this.execute('session', owners.session, prepared);
    if (promotion === null) return shownAnswer(first, policy);
    const { promotion_id, to_space, to_owner, reason, items } = promotion;
    const sent = {
      op: 'receive_promotion',
      promotion_id,
      assistant: request.assistant,
      session: owners.session,
      policy_hash: request.policy_hash,
      policy,
      reason,
      items,
    } as const;
    const { received } = receivePromotion(this.state(to_space, to_owner), sent);
    this.execute(to_space, to_owner, sent);
    const end = {
      op: 'finish_interaction',
      promotion_id,
      received,
      elsewhere: this.#forgetElsewhere(request),
      phase_diff: null,
      ...this.#diff(request, turn),
    } as const;
    const last = finishInteraction(this.state('session', owners.session), end);
    this.execute('session', owners.session, end);
    const [write, ...rest] = last.trace;
    const trace = write === undefined ? [] : [write, ...first.trace, ...rest];
    return shownAnswer({ written: last.written, trace }, policy);
  }

  recall(asked: AskedRecall = {}): { items: readonly MemoryItem[]; trace: readonly JsonObject[] } {
    const request = requestOf(asked);
    const { policy, owners, settings } = request;
    const query = asked.query ?? '';
    const told = this.#forgetElsewhere(request);
    const elsewhere = told.map(({ space, told }): ForeignRecall => {
      const state = this.state(space, owners[space]);
      return { space, told, recalled: recallFromStore(state, { text: query }, settings, policy) };
    });
    const session = this.state('session', owners.session);
    const command = {
      op: 'recall',
      ...request,
      query: askedQuery(session, query, asked.flagged ?? false),
      phase: asked.phase ?? null,
      trace: asked.trace ?? true,
      elsewhere,
    } as const;
    const { items, trace } = recall(session, command);
    this.execute('session', owners.session, command);
    return { items, trace: trace.map((one) => traceOf(one, policy)) };
  }

  #forgetElsewhere(request: Request): readonly ForeignTraces[] {
    const { policy, owners, assistant, policy_hash } = request;
    return policy.spaces.read_order
      .filter((space) => space !== 'session')
      .map((space) => {
        const owner = owners[space];
        if (space === 'project' && owner === UNKNOWN_PROJECT) return { space, told: [] };
        const command = {
          op: 'apply_retention',
          assistant,
          session: owners.session,
          policy_hash,
          policy,
        } as const;
        const { told } = applyRetention(this.state(space, owner), command);
        this.execute(space, owner, command);
        return { space, told };
      });
  }

  #diff({ owners }: Request, { phase_diff }: SaidTurn) {
    if (phase_diff === undefined) return {};
    const { from, to, space = 'session' } = phase_diff;
    if (space === 'session') return { phase_diff: { from, to, space } };
    const elsewhere = diffOfPhases(this.state(space, owners[space]), from, to);
    return { phase_diff: { from, to, space, elsewhere } };
  }
}

type Request = ReturnType<typeof requestOf>;

function requestOf(asked: Asked) {
  const policy = policyOf(asked.policy);
  return {
    assistant: asked.assistant ?? 'helper',
    owners: storeOwners({
      session_id: asked.session_id ?? 's1',
      user_id: asked.user_id === undefined ? 'u1' : asked.user_id,
      project_root: asked.project_root === undefined ? '/srv/app' : asked.project_root,
    }),
    settings: { short_term: 20, semantic: true, profile: true, ...asked.memory },
    policy_hash: policyHash(policy),
    policy,
  };
}

const shownAnswer = (
  answer: { readonly written: readonly MemoryItem[]; readonly trace: readonly MemoryTrace[] },
  policy: PolicySnapshot,
): Written => ({
  written: answer.written,
  trace: answer.trace.map((one) => traceOf(one, policy)),
});
