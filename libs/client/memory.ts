import type { Json, JsonObject } from './json.js';
import type { ReadOptions, Transport, WriteOptions } from './transport.js';

export type MemorySpace = 'session' | 'user' | 'project' | 'system';
export type MemoryKind = 'short_term' | 'semantic' | 'profile';
export type MemoryEventType =
  'context' | 'correction' | 'decision' | 'execution' | 'fact' | 'preference';
export type MemoryAuthority = 'system_imposed' | 'tool_verified' | 'user_asserted' | 'ai_inferred';

/** What a request may say about its policy; what is left out has the contract's default. */
export interface MemoryPolicy {
  /** Default `normal`: everything but mere context becomes knowledge. */
  readonly write_policy?: 'none' | 'minimal' | 'normal' | 'aggressive';
  /** Default `decay`: by type, after 12 to 60 ticks. `ttl`: after 25. */
  readonly forget_policy?: 'never' | 'ttl' | 'decay';
  /** If not empty, only these are written. */
  readonly allow_event_types?: readonly MemoryEventType[];
  readonly deny_event_types?: readonly MemoryEventType[];
  readonly allow_cross_phase_recall?: boolean;
  /** How many phases keep their ledgers; default: all. */
  readonly max_phases?: number;
  readonly phase_enabled?: boolean;
  readonly diff_enabled?: boolean;
  readonly spaces?: {
    readonly read_order?: readonly MemorySpace[];
    readonly write_spaces?: readonly MemorySpace[];
    readonly promotions?: readonly {
      readonly from_space: MemorySpace;
      readonly to_space: MemorySpace;
      readonly allowed_event_types: readonly MemoryEventType[];
      readonly min_authority: MemoryAuthority;
      readonly decision_override: boolean;
    }[];
  };
  readonly privacy?: {
    readonly deny_patterns?: readonly string[];
    readonly allow_profile_keys?: readonly string[];
    readonly deny_sensitive?: boolean;
  };
}

/** What a recall and an interaction have in common. */
export interface MemoryRequest {
  /** The assistant's name, shown as `ai_profile` in every trace. */
  readonly assistant: string;
  readonly session_id: string;
  /** Without one, the session stands in for a user. */
  readonly user_id?: string;
  /** An absolute POSIX path. Without one there is no project to read or write. */
  readonly project_root?: string;
  /** `short_term`: turns in the window; the other two: whether there is such a memory. */
  readonly memory: {
    readonly short_term: number;
    readonly semantic: boolean;
    readonly profile: boolean;
  };
  readonly policy?: MemoryPolicy;
  /** A token that differs from the store's last one starts a phase. */
  readonly phase?: { readonly token: string; readonly name?: string; readonly reason?: string };
}

export interface AskRecall extends MemoryRequest {
  readonly query: string;
  /** False: no trace is answered, and nothing is recorded where nothing changed. Default true. */
  readonly trace?: boolean;
}

export interface RecordInteraction extends MemoryRequest {
  /** At most 16,384 characters, as `ai_text`. */
  readonly user_text: string;
  readonly ai_text: string;
  /** At most 100, and 64 KiB as canonical JSON. */
  readonly tool_events?: readonly Json[];
  readonly phase_diff?: {
    readonly from: string;
    readonly to: string;
    /** Default `session`. */
    readonly space?: MemorySpace;
  };
}

/** One memory. */
export interface MemoryItem {
  /** `<space>:<owner>:<kind>:<n>` */
  readonly id: string;
  readonly kind: MemoryKind;
  readonly text: string;
  readonly source: 'user' | 'ai' | 'tool' | 'system';
  /** The store's tick at which it was made. */
  readonly created_at: number;
  readonly importance: number;
  readonly scope: 'session';
  /** `event_type`, `authority`, `dedup_key`, `phase_id` and more; of a recalled item also `recall_reason`. */
  readonly meta: JsonObject;
}

/** A decision: `type`, and what the contract asks of that type. */
export type MemoryTrace = JsonObject & { readonly type: string };

export interface StoreView {
  readonly space: MemorySpace;
  readonly owner: string;
  readonly tick: number;
  /** The number of the store's last event, -1 for none. */
  readonly version: number;
  readonly current_phase: JsonObject | null;
  readonly items: readonly MemoryItem[];
}

/** Memory for assistants that think in turns: the Memory Contract v1. */
export class Memory {
  constructor(private readonly transport: Transport) {}

  /**
   * What is known, to be asked before the model is called: short-term, then semantic, then profile items, and
   * every decision that led to them. Fails with PERMISSION_DENIED for somebody else's session or user,
   * PRIVACY_BLOCKED for an id that holds personal data.
   */
  recall(
    asked: AskRecall,
    options?: WriteOptions,
  ): Promise<{
    readonly items: readonly MemoryItem[];
    readonly trace: readonly MemoryTrace[];
  }> {
    const path = '/v1/memory/recall';
    return this.transport.json({ method: 'POST', path, body: asked, options, repeatable: true });
  }

  /**
   * Records what was said, after the model was called: what was written, and every decision, also what was
   * denied and why. Fails as `recall` does, and with INVALID_INPUT for what is too large.
   */
  interactions(
    said: RecordInteraction,
    options?: WriteOptions,
  ): Promise<{
    readonly written: readonly MemoryItem[];
    readonly trace: readonly MemoryTrace[];
  }> {
    const path = '/v1/memory/interactions';
    return this.transport.json({ method: 'POST', path, body: said, options });
  }

  /** What a store holds, or held when its tick stood at `tick`. `owner` is an item's `meta.owner`. */
  store(
    space: MemorySpace,
    owner: string,
    at: { readonly tick?: number } = {},
    options?: ReadOptions,
  ): Promise<StoreView> {
    return this.#get(space, owner, '', { ...at }, options);
  }

  /** Its phases, oldest first. */
  phases(
    space: MemorySpace,
    owner: string,
    options?: ReadOptions,
  ): Promise<{ readonly phases: readonly JsonObject[] }> {
    return this.#get(space, owner, '/phases', {}, options);
  }

  /** What changed from one phase to another; nothing where one of them is unknown. */
  phaseDiff(
    space: MemorySpace,
    owner: string,
    between: { readonly from: string; readonly to: string },
    options?: ReadOptions,
  ): Promise<JsonObject> {
    return this.#get(space, owner, '/phases/diff', { ...between }, options);
  }

  /** A page of what was decided, from event number `from` on (at most 500; default 50). */
  traces(
    space: MemorySpace,
    owner: string,
    page: { readonly from?: number; readonly limit?: number } = {},
    options?: ReadOptions,
  ): Promise<{
    readonly traces: readonly (MemoryTrace & { readonly number: number })[];
    readonly next_from: number | null;
  }> {
    return this.#get(space, owner, '/traces', { ...page }, options);
  }

  #get<Answer>(
    space: MemorySpace,
    owner: string,
    of: string,
    query: Readonly<Record<string, string | number | undefined>>,
    options: ReadOptions | undefined,
  ): Promise<Answer> {
    const path = `/v1/memory/${space}/${encodeURIComponent(owner)}${of}`;
    return this.transport.json({
      method: 'GET',
      path,
      query,
      ...(options === undefined ? {} : { options }),
    });
  }
}
