export const MEMORY_KINDS = ['short_term', 'semantic', 'profile'] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

export const EVENT_TYPES = [
  'context',
  'correction',
  'decision',
  'execution',
  'fact',
  'preference',
] as const;
/** The type of a text (SPEC M3). The list is in byte order, as in policies. */
export type EventType = (typeof EVENT_TYPES)[number];

export const SPACES = ['session', 'user', 'project', 'system'] as const;
export type Space = (typeof SPACES)[number];

export const DELETION_REASONS = ['superseded', 'expired', 'promoted'] as const;
/** Why an item left its store (SPEC M9–M12). */
export type DeletionReason = (typeof DELETION_REASONS)[number];

export type Source = 'user' | 'ai' | 'tool' | 'system';
export type Authority = 'system_imposed' | 'tool_verified' | 'user_asserted' | 'ai_inferred';

/** The properties of an item (SPEC M1). The contract's document lists the names. */
export type ItemMeta = {
  readonly event_type: EventType;
  readonly importance_reason: readonly string[];
  /** The key by which two items conflict: `<event type>:<normal text>`, for a profile fact `fact:<key>` (SPEC M6). */
  readonly dedup_key: string;
  readonly authority: Authority;
  readonly authority_reason: string;
  readonly space: Space;
  readonly owner: string;
  readonly phase_id: string;
  /** The tick at which the phase started. */
  readonly phase_started_at: number;
  readonly phase_reason: string;
  readonly phase_name?: string;
  readonly promotion_target?: Space;
  readonly promotion_reason?: string;
  readonly promoted_from?: string;
  /** The key of the fact; only profile items have it. */
  readonly key?: string;
  readonly source_turn_ids?: readonly string[];
  readonly summary_of?: readonly string[];
  /**
   * The id of the previous summary, whose turns come before those in `summary_of` (SPEC M11). Only items
   * that are recorded in events have this field.
   */
  readonly summary_after?: string;
  readonly policy_tags?: readonly string[];
  /** The tick at which the item's ttl ends (SPEC M10). */
  readonly expires_at?: number;
  /** The reasons for the recall; only recalled items have them (SPEC M16, M17). */
  readonly recall_reason?: readonly string[];
  readonly score?: number;
};

/** The properties of the phase in which an item was created (SPEC M14). */
export type PhaseMeta = Pick<
  ItemMeta,
  'phase_id' | 'phase_started_at' | 'phase_reason' | 'phase_name'
>;

/** One remembered item (SPEC M1). */
export type MemoryItem = {
  /** `<space>:<owner>:<kind>:<n>` */
  readonly id: string;
  readonly kind: MemoryKind;
  readonly text: string;
  readonly source: Source;
  /** The tick of the store at which the item was created. */
  readonly created_at: number;
  readonly importance: number;
  readonly scope: 'session';
  readonly meta: ItemMeta;
};

export const itemId = (storeKey: string, kind: MemoryKind, n: number): string =>
  `${storeKey}:${kind}:${n}`;

/** Returns the number at the end of an item's id. */
export const itemNumber = (id: string): number => Number(id.slice(id.lastIndexOf(':') + 1));

export const withMeta = (item: MemoryItem, more: Partial<ItemMeta>): MemoryItem => ({
  ...item,
  meta: { ...item.meta, ...more },
});
