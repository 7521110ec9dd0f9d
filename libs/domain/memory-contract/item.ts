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
/** What a text is about (SPEC M3); in byte order, as policies list them. */
export type EventType = (typeof EVENT_TYPES)[number];

export const SPACES = ['session', 'user', 'project', 'system'] as const;
export type Space = (typeof SPACES)[number];

export type Source = 'user' | 'ai' | 'tool' | 'system';
export type Authority = 'system_imposed' | 'tool_verified' | 'user_asserted' | 'ai_inferred';

/** What an item knows about itself beside its text (SPEC M1; the document of the contract lists the names). */
export type ItemMeta = {
  readonly event_type: EventType;
  readonly importance_reason: readonly string[];
  /** `<event type>:<normal text>`, of a profile fact `fact:<key>` (SPEC M6). */
  readonly dedup_key: string;
  readonly authority: Authority;
  readonly authority_reason: string;
  readonly space: Space;
  readonly owner: string;
  readonly phase_id: string;
  /** A tick. */
  readonly phase_started_at: number;
  readonly phase_reason: string;
  readonly phase_name?: string;
  readonly promotion_target?: Space;
  readonly promotion_reason?: string;
  readonly promoted_from?: string;
  /** The fact's key; only in profile items. */
  readonly key?: string;
  readonly source_turn_ids?: readonly string[];
  readonly summary_of?: readonly string[];
  /** Only in events: the summary whose `summary_of` comes before this one's (SPEC M11). */
  readonly summary_after?: string;
  readonly policy_tags?: readonly string[];
  /** The tick at which a ttl ends (SPEC M10). */
  readonly expires_at?: number;
  /** Only in recalled items (SPEC M16, M17). */
  readonly recall_reason?: readonly string[];
  readonly score?: number;
};

/** What an item says of the phase it was made in (SPEC M14). */
export type PhaseMeta = Pick<
  ItemMeta,
  'phase_id' | 'phase_started_at' | 'phase_reason' | 'phase_name'
>;

/** One memory (SPEC M1). */
export type MemoryItem = {
  /** `<space>:<owner>:<kind>:<n>` */
  readonly id: string;
  readonly kind: MemoryKind;
  readonly text: string;
  readonly source: Source;
  /** The store's tick at which it was created. */
  readonly created_at: number;
  readonly importance: number;
  readonly scope: 'session';
  readonly meta: ItemMeta;
};

export const itemId = (storeKey: string, kind: MemoryKind, n: number): string =>
  `${storeKey}:${kind}:${n}`;

/** The n of an item's id. */
export const itemNumber = (id: string): number => Number(id.slice(id.lastIndexOf(':') + 1));

/** The same item with more meta. */
export const withMeta = (item: MemoryItem, more: Partial<ItemMeta>): MemoryItem => ({
  ...item,
  meta: { ...item.meta, ...more },
});
