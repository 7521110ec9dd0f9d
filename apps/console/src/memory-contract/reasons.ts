import type { LeftOutReason } from '#domain/memory-contract/interaction/left-out.js';
import type { DenialReason } from '#domain/memory-contract/interaction/write-check.js';
import type { DeletionReason, MemoryKind, Space } from '#domain/memory-contract/item.js';
import type { ForgetReason } from '#domain/memory-contract/retention/retention.js';
import type { ConflictRule } from '#domain/memory-contract/store/conflict.js';
import type { BorderReason } from '#domain/memory-contract/trace/borders.js';

// Every reason that the rules give, in words that end a sentence such as `Not kept: …`.

/** Why an item was not written. */
export const DENIED: Readonly<Record<DenialReason | 'personal_data', string>> = {
  personal_data: 'personal data was found in it, and removed',
  privacy_deny_sensitive: 'it has a word for something secret, such as a password',
  privacy_deny_pattern: 'it has words that the policy of the request denies',
  privacy_deny_profile_key: 'the policy of the request allows no such fact in a profile',
  write_policy_none: 'the policy of the request keeps no knowledge',
  write_policy_minimal:
    'the policy of the request keeps only facts, preferences, decisions and corrections',
  write_policy_context: 'the policy of the request keeps no plain context',
  policy_deny_event_type: 'the policy of the request does not keep statements of this type',
  policy_deny_promotion: 'the policy of the request makes no such item of statements of this type',
};

/** Why the rules did not even try to make an item. */
export const LEFT_OUT: Readonly<Record<LeftOutReason, string>> = {
  semantic_off: 'the assistant asked to keep no knowledge',
  low_signal: 'it was too short to be a fact: nothing, a greeting, thanks or an assent',
  plain_context: 'it is plain context, and no fact, preference, decision or correction',
  minimal_policy: DENIED.write_policy_minimal,
  profile_off: 'the assistant asked to keep no profile',
  not_stated_as_fact: 'the whole text is a preference or a decision, and not a fact',
};

/** Why the border of a space let something pass or not. */
export const BORDERS: Readonly<Record<BorderReason, string>> = {
  allowed: 'the border of the space let it pass',
  promotion_disallowed: 'nothing may go from this space to that one',
  promotion_event_type: 'statements of this type may not go there',
  promotion_authority: 'who said it has not enough authority for that space',
  space_disabled: 'the policy of the request does not read this space',
  write_space_disallowed: 'the policy of the request does not write to this space',
  phase_disabled: 'the policy of the request has no phases',
  phase_diff_disabled: 'the policy of the request compares no phases',
};

/** Why one of two items with the same key was kept. */
export const CONFLICTS: Readonly<Record<ConflictRule, string>> = {
  authority: 'who said the one that is kept has the higher authority',
  correction: 'a correction is kept before what it corrects',
  recency: 'the later statement is kept',
  importance: 'the more important statement is kept',
};

/** Why an item was forgotten. */
export const FORGOTTEN: Readonly<Record<ForgetReason, string>> = {
  ttl_expired: 'its time to live was over',
  decay: 'it had not been said again for too long',
};

/** What became of an item. */
export const DELETED: Readonly<Record<DeletionReason, string>> = {
  superseded: 'Replaced later by another item',
  expired: 'Let go later, because it had expired',
  promoted: 'Moved later to another space',
};

/** What an item is kept as. */
export const KINDS: Readonly<Record<MemoryKind, string>> = {
  short_term: 'a turn',
  semantic: 'knowledge',
  profile: 'a profile fact',
};

/** For whom the items of a space are kept. */
export const SPACES_IN_WORDS: Readonly<Record<Space, string>> = {
  session: 'this session',
  user: 'the user',
  project: 'the project',
  system: 'everybody',
};
