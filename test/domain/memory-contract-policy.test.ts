import { expect, test } from '@jest/globals';
import { Refusal } from '#domain/errors/refusal.js';
import { mergedWinner, resolveConflict } from '#domain/memory-contract/store/conflict.js';
import type { EventType, MemoryItem } from '#domain/memory-contract/item.js';
import {
  policyHash,
  policyOf,
  recallPolicy,
  type PolicyRequest,
} from '#domain/memory-contract/policy.js';
import { expiresAt, expiry } from '#domain/memory-contract/retention/retention.js';
import {
  checkWrite,
  privacyRefusal,
  type WriteAttempt,
} from '#domain/memory-contract/interaction/write-check.js';
import { AUTHORITY_ORDER } from '#domain/memory-contract/utterance/authority.js';
import { semanticItem } from './memory-item.js';
import { ensure } from '#test/support/ensure.js';

test('M7 the defaults are those of the contract', () => {
  const policy = policyOf();
  expect(policy.write_policy).toBe('normal');
  const decay = (type: EventType) => policy.retention.semantic[type];
  expect(decay('context')).toStrictEqual({ mode: 'decay', ttl_ticks: 12 });
  expect(
    (['execution', 'decision', 'preference', 'correction', 'fact'] as const).map(
      (type) => decay(type).ttl_ticks,
    ),
  ).toStrictEqual([18, 40, 40, 45, 60]);
  expect(policy.retention.profile.fact).toStrictEqual({ mode: 'never', ttl_ticks: null });
  expect(policy.promotion.profile.allowed_event_types).toStrictEqual(['fact', 'correction']);
  expect(policy.spaces.read_order).toStrictEqual(['session', 'user', 'project', 'system']);
  expect(policy.spaces.promotions).toHaveLength(3);
  expect(policy.phase).toStrictEqual({
    enabled: true,
    mode: 'current_only',
    allow_cross_phase_recall: false,
    max_phases: null,
    diff_enabled: true,
  });
});

test('M7 a request changes only the fields that it names', () => {
  const ttl = policyOf({ forget_policy: 'ttl' });
  expect(ttl.retention.semantic.fact).toStrictEqual({ mode: 'ttl', ttl_ticks: 25 });
  expect(policyOf({ forget_policy: 'never' }).retention.semantic.fact.ttl_ticks).toStrictEqual(
    null,
  );
  const crossing = policyOf({ allow_cross_phase_recall: true });
  expect(crossing.phase.mode).toBe('current_plus_history');
  const narrow = policyOf({ spaces: { read_order: ['session'] } });
  expect(narrow.spaces.write_spaces).toStrictEqual(['session']);
  expect(policyHash(narrow)).not.toBe(policyHash(policyOf()));
  const shown = recallPolicy(ttl, { short_term: 4, semantic: true, profile: false });
  expect(shown.forget_policy).toBe('ttl');
  expect(shown.short_term_max_turns).toBe(4);
  expect(shown.semantic_top_k).toBe(3);
});

test('M20 a retention rule overrides the forget_policy for its kind and type, and `default` for all other types', () => {
  const { retention } = policyOf({
    forget_policy: 'ttl',
    retention: {
      semantic: { fact: { mode: 'never' }, default: { mode: 'decay' } },
      profile: { fact: { mode: 'ttl', ttl_ticks: 7 } },
      short_term: { default: { mode: 'decay', ttl_ticks: 3 } },
    },
  });
  expect(retention.semantic.fact).toStrictEqual({ mode: 'never', ttl_ticks: null });
  expect(retention.semantic.decision).toStrictEqual({ mode: 'decay', ttl_ticks: 40 });
  expect(retention.profile.fact).toStrictEqual({ mode: 'ttl', ttl_ticks: 7 });
  expect(retention.profile.correction).toStrictEqual({ mode: 'never', ttl_ticks: null });
  expect(retention.short_term.context).toStrictEqual({ mode: 'decay', ttl_ticks: 3 });
  const ttl = policyOf({ retention: { semantic: { default: { mode: 'ttl' } } } });
  expect(ttl.retention.semantic.fact).toStrictEqual({ mode: 'ttl', ttl_ticks: 25 });
});

test('M20 a request can name the types of a kind and the order of authorities; a trace’s policy can be sent back', () => {
  const policy = policyOf({
    promotion: { profile: { allowed_event_types: ['fact'] } },
    authority_order: ['ai_inferred', 'user_asserted', 'tool_verified', 'system_imposed'],
  });
  expect(policy.promotion.profile.allowed_event_types).toStrictEqual(['fact']);
  expect(policy.promotion.semantic.allowed_event_types).toContain('context');
  expect(policy.authority_order[0]).toBe('ai_inferred');
  const { retention, promotion, authority_order } = policy;
  expect(policyOf({ retention, promotion, authority_order })).toStrictEqual(policy);
});

test('M7 an invalid policy is refused', () => {
  const bad: readonly PolicyRequest[] = [
    { max_phases: 0 },
    { max_phases: 1.5 },
    { spaces: { read_order: ['user', 'user'] } },
    { privacy: { deny_patterns: [''] } },
    { retention: { semantic: { fact: { mode: 'never', ttl_ticks: 5 } } } },
    { retention: { semantic: { default: { mode: 'ttl', ttl_ticks: 0 } } } },
    { retention: { profile: { fact: { mode: 'decay', ttl_ticks: 1.5 } } } },
    { promotion: { semantic: { allowed_event_types: ['fact', 'fact'] } } },
    { authority_order: ['user_asserted'] },
    { authority_order: [...AUTHORITY_ORDER.slice(1), 'ai_inferred'] },
    { authority_order: [] },
  ];
  for (const request of bad) expect(() => policyOf(request)).toThrow(Refusal);
});

const attempt = (more: Partial<WriteAttempt>): WriteAttempt => ({
  kind: 'semantic',
  event_type: 'fact',
  privacy: null,
  flagged: false,
  ...more,
});
const verdict = (more: Partial<WriteAttempt>, policy: PolicyRequest = {}) =>
  checkWrite(attempt(more), policyOf(policy));

test('M8 the tags of an allowed write are in the order of the checks', () => {
  expect(verdict({}, { deny_event_types: ['context'] })).toStrictEqual({
    allowed: true,
    tags: [
      'allowed_by:privacy',
      'allowed_by:write_policy:normal',
      'allowed_by:policy_event_types',
      'allowed_by:promotion_rule',
    ],
  });
  expect(
    verdict({ kind: 'short_term', event_type: 'context' }, { write_policy: 'none' }),
  ).toStrictEqual({
    allowed: true,
    tags: ['allowed_by:privacy', 'allowed_by:promotion_rule'],
  });
});

test('M8 the first failed check refuses a write; the tags of the checks before it are kept', () => {
  const everything = { privacy: 'privacy_deny_pattern', flagged: true } as const;
  const refused = verdict({ ...everything, event_type: 'context' }, { write_policy: 'none' });
  expect(refused).toStrictEqual({ allowed: false, reason: 'privacy_deny_pattern', tags: [] });
  const reasons: readonly (readonly [Partial<WriteAttempt>, PolicyRequest, string, number])[] = [
    [{ kind: 'profile', fact_key: 'shoe' }, {}, 'privacy_deny_profile_key', 0],
    [{ flagged: true }, { write_policy: 'none' }, 'write_policy_none', 1],
    [{ event_type: 'execution' }, { write_policy: 'minimal' }, 'write_policy_minimal', 1],
    [{ event_type: 'context' }, {}, 'write_policy_context', 1],
    [{}, { allow_event_types: ['decision'] }, 'policy_deny_event_type', 2],
    [{}, { deny_event_types: ['fact'] }, 'policy_deny_event_type', 2],
    [{ kind: 'profile', fact_key: 'name', event_type: 'decision' }, {}, 'policy_deny_promotion', 2],
    [{ flagged: true }, {}, 'privacy_deny_sensitive', 3],
  ];
  for (const [asked, policy, reason, tags] of reasons) {
    const made = verdict(asked, policy);
    ensure(!made.allowed && made.reason === reason);
    expect([reason, made.tags.length]).toStrictEqual([reason, tags]);
  }
});

test('M8 the list of sensitive words is fixed, and the policy adds patterns', () => {
  const privacy = policyOf({ privacy: { deny_patterns: ['Acme'] } }).privacy;
  expect(privacyRefusal('my SSN', privacy)).toBe('privacy_deny_sensitive');
  expect(privacyRefusal('at ACME inc', privacy)).toBe('privacy_deny_pattern');
  const lax = { ...privacy, deny_sensitive: false };
  expect(privacyRefusal('my SSN', lax)).toBeNull();
  const patterns = policyOf({ privacy: { deny_sensitive: false } }).privacy;
  expect(privacyRefusal('a private key', patterns)).toBe('privacy_deny_pattern');
});

const winner = (existing: MemoryItem, incoming: MemoryItem, order = AUTHORITY_ORDER) => {
  const { winner, rule } = resolveConflict(existing, incoming, order);
  return [winner === incoming ? 'incoming' : 'existing', rule];
};

test('M9 in a conflict, the item with the higher authority wins', () => {
  const [user, ai, tool] = [
    semanticItem({}),
    semanticItem({ authority: 'ai_inferred', created_at: 2 }),
    semanticItem({ authority: 'tool_verified', created_at: 2 }),
  ];
  expect(winner(user, ai)).toStrictEqual(['existing', 'authority']);
  expect(winner(user, tool)).toStrictEqual(['incoming', 'authority']);
});

test('M9 M20 the policy’s order of authorities decides which authority is higher', () => {
  const order = [...AUTHORITY_ORDER].reverse();
  const tool = semanticItem({ authority: 'tool_verified', created_at: 2 });
  expect(winner(semanticItem({}), tool, order)).toStrictEqual(['existing', 'authority']);
  const inferred = { authority: 'ai_inferred', created_at: 2 } as const;
  expect(winner(semanticItem({}), semanticItem(inferred), order)).toStrictEqual([
    'incoming',
    'authority',
  ]);
});

test('M9 a user’s correction overrides an item of higher authority; an inferred correction does not', () => {
  const system = semanticItem({ authority: 'system_imposed' });
  const correction = { event_type: 'correction', created_at: 2 } as const;
  expect(winner(system, semanticItem(correction))).toStrictEqual(['incoming', 'correction']);
  const inferred = semanticItem({ ...correction, authority: 'ai_inferred' });
  expect(winner(semanticItem({}), inferred)).toStrictEqual(['existing', 'authority']);
  expect(winner(semanticItem({ authority: 'ai_inferred' }), inferred)).toStrictEqual([
    'incoming',
    'correction',
  ]);
});

test('M9 at equal authority a correction wins, then the later item, then the more important item, then the greater id', () => {
  const correction = semanticItem({ event_type: 'correction' });
  expect(winner(correction, semanticItem({ created_at: 9 }))).toStrictEqual([
    'existing',
    'correction',
  ]);
  expect(winner(semanticItem({}), semanticItem({ created_at: 2 }))).toStrictEqual([
    'incoming',
    'recency',
  ]);
  expect(winner(semanticItem({ created_at: 3 }), semanticItem({ created_at: 2 }))).toStrictEqual([
    'existing',
    'recency',
  ]);
  expect(winner(semanticItem({}), semanticItem({ importance: 5 }))).toStrictEqual([
    'incoming',
    'importance',
  ]);
  const [tenth, second] = [
    semanticItem({ id: 'a:semantic:10' }),
    semanticItem({ id: 'a:semantic:2' }),
  ];
  // Ids are compared as byte strings.
  expect(winner(tenth, second)).toStrictEqual(['incoming', 'importance']);
  expect(winner(second, tenth)).toStrictEqual(['existing', 'importance']);
});

test('M9 an incoming item that wins takes over the larger importance of the stored item, with a tag', () => {
  const merged = mergedWinner(
    resolveConflict(
      semanticItem({ importance: 6 }),
      semanticItem({ created_at: 2, importance: 4 }),
      AUTHORITY_ORDER,
    ),
  );
  expect(merged.importance).toBe(6);
  expect(merged.meta.importance_reason).toStrictEqual(['event:preference', 'conflict_merge']);
  const unchanged = semanticItem({ created_at: 2 });
  expect(mergedWinner(resolveConflict(semanticItem({}), unchanged, AUTHORITY_ORDER))).toBe(
    unchanged,
  );
});

test('M10 a ttl item expires at its tick, a decay item one tick later, and an item with the rule “never” does not expire', () => {
  const one = semanticItem({ created_at: 10 });
  const ttl = { mode: 'ttl', ttl_ticks: 25 } as const;
  const decay = { mode: 'decay', ttl_ticks: 25 } as const;
  expect([34, 35].map((now) => expiry(one, ttl, now))).toStrictEqual([null, 'ttl_expired']);
  expect([35, 36].map((now) => expiry(one, decay, now))).toStrictEqual([null, 'decay']);
  expect(expiry(one, { mode: 'never', ttl_ticks: null }, 1_000_000)).toBeNull();
  expect(expiresAt(one, ttl)).toStrictEqual({ expires_at: 35 });
  expect(expiresAt(one, decay)).toStrictEqual({});
});
