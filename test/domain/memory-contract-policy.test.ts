import assert from 'node:assert/strict';
import { test } from 'node:test';
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
import { semanticItem } from './memory-item.js';

test('M7 the defaults are those of the contract', () => {
  const policy = policyOf();
  assert.equal(policy.write_policy, 'normal');
  const decay = (type: EventType) => policy.retention.semantic[type];
  assert.deepEqual(decay('context'), { mode: 'decay', ttl_ticks: 12 });
  assert.deepEqual(
    (['execution', 'decision', 'preference', 'correction', 'fact'] as const).map(
      (type) => decay(type).ttl_ticks,
    ),
    [18, 40, 40, 45, 60],
  );
  assert.deepEqual(policy.retention.profile.fact, { mode: 'never', ttl_ticks: null });
  assert.deepEqual(policy.promotion.profile.allowed_event_types, ['fact', 'correction']);
  assert.deepEqual(policy.spaces.read_order, ['session', 'user', 'project', 'system']);
  assert.equal(policy.spaces.promotions.length, 3);
  assert.deepEqual(policy.phase, {
    enabled: true,
    mode: 'current_only',
    allow_cross_phase_recall: false,
    max_phases: null,
    diff_enabled: true,
  });
});

test('M7 a request changes what it names and nothing else', () => {
  const ttl = policyOf({ forget_policy: 'ttl' });
  assert.deepEqual(ttl.retention.semantic.fact, { mode: 'ttl', ttl_ticks: 25 });
  assert.deepEqual(policyOf({ forget_policy: 'never' }).retention.semantic.fact.ttl_ticks, null);
  const crossing = policyOf({ allow_cross_phase_recall: true });
  assert.equal(crossing.phase.mode, 'current_plus_history');
  const narrow = policyOf({ spaces: { read_order: ['session'] } });
  assert.deepEqual(narrow.spaces.write_spaces, ['session']);
  assert.notEqual(policyHash(narrow), policyHash(policyOf()));
  const shown = recallPolicy(ttl, { short_term: 4, semantic: true, profile: false });
  assert.equal(shown.forget_policy, 'ttl');
  assert.equal(shown.short_term_max_turns, 4);
  assert.equal(shown.semantic_top_k, 3);
});

test('M7 a policy that cannot be meant is refused', () => {
  const bad: readonly PolicyRequest[] = [
    { max_phases: 0 },
    { max_phases: 1.5 },
    { spaces: { read_order: ['user', 'user'] } },
    { privacy: { deny_patterns: [''] } },
  ];
  for (const request of bad) assert.throws(() => policyOf(request), Refusal);
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

test('M8 an allowed write carries its tags in the order of the checks', () => {
  assert.deepEqual(verdict({}, { deny_event_types: ['context'] }), {
    allowed: true,
    tags: [
      'allowed_by:privacy',
      'allowed_by:write_policy:normal',
      'allowed_by:policy_event_types',
      'allowed_by:promotion_rule',
    ],
  });
  assert.deepEqual(
    verdict({ kind: 'short_term', event_type: 'context' }, { write_policy: 'none' }),
    {
      allowed: true,
      tags: ['allowed_by:privacy', 'allowed_by:promotion_rule'],
    },
  );
});

test('M8 the first refusal wins, with the tags gathered before it', () => {
  const everything = { privacy: 'privacy_deny_pattern', flagged: true } as const;
  const refused = verdict({ ...everything, event_type: 'context' }, { write_policy: 'none' });
  assert.deepEqual(refused, { allowed: false, reason: 'privacy_deny_pattern', tags: [] });
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
    assert.ok(!made.allowed && made.reason === reason, reason);
    assert.equal(made.tags.length, tags, reason);
  }
});

test('M8 the sensitive markers are fixed, the patterns are the policy’s', () => {
  const privacy = policyOf({ privacy: { deny_patterns: ['Acme'] } }).privacy;
  assert.equal(privacyRefusal('my SSN', privacy), 'privacy_deny_sensitive');
  assert.equal(privacyRefusal('at ACME inc', privacy), 'privacy_deny_pattern');
  const lax = { ...privacy, deny_sensitive: false };
  assert.equal(privacyRefusal('my SSN', lax), null);
  const patterns = policyOf({ privacy: { deny_sensitive: false } }).privacy;
  assert.equal(privacyRefusal('a private key', patterns), 'privacy_deny_pattern');
});

const winner = (existing: MemoryItem, incoming: MemoryItem) => {
  const { winner, rule } = resolveConflict(existing, incoming);
  return [winner === incoming ? 'incoming' : 'existing', rule];
};

test('M9 the higher authority wins', () => {
  const [user, ai, tool] = [
    semanticItem({}),
    semanticItem({ authority: 'ai_inferred', created_at: 2 }),
    semanticItem({ authority: 'tool_verified', created_at: 2 }),
  ];
  assert.deepEqual(winner(user, ai), ['existing', 'authority']);
  assert.deepEqual(winner(user, tool), ['incoming', 'authority']);
});

test('M9 a user’s correction overrides a higher authority, an inferred one overrides nobody above it', () => {
  const system = semanticItem({ authority: 'system_imposed' });
  const correction = { event_type: 'correction', created_at: 2 } as const;
  assert.deepEqual(winner(system, semanticItem(correction)), ['incoming', 'correction']);
  const inferred = semanticItem({ ...correction, authority: 'ai_inferred' });
  assert.deepEqual(winner(semanticItem({}), inferred), ['existing', 'authority']);
  assert.deepEqual(winner(semanticItem({ authority: 'ai_inferred' }), inferred), [
    'incoming',
    'correction',
  ]);
});

test('M9 of two with equal authority a correction wins, then the later, then the more important, then the greater id', () => {
  const correction = semanticItem({ event_type: 'correction' });
  assert.deepEqual(winner(correction, semanticItem({ created_at: 9 })), ['existing', 'correction']);
  assert.deepEqual(winner(semanticItem({}), semanticItem({ created_at: 2 })), [
    'incoming',
    'recency',
  ]);
  assert.deepEqual(winner(semanticItem({ created_at: 3 }), semanticItem({ created_at: 2 })), [
    'existing',
    'recency',
  ]);
  assert.deepEqual(winner(semanticItem({}), semanticItem({ importance: 5 })), [
    'incoming',
    'importance',
  ]);
  const [tenth, second] = [
    semanticItem({ id: 'a:semantic:10' }),
    semanticItem({ id: 'a:semantic:2' }),
  ];
  assert.deepEqual(winner(tenth, second), ['incoming', 'importance'], 'ids are byte strings');
  assert.deepEqual(winner(second, tenth), ['existing', 'importance']);
});

test('M9 an incoming winner takes over a larger importance, and says so', () => {
  const merged = mergedWinner(
    resolveConflict(
      semanticItem({ importance: 6 }),
      semanticItem({ created_at: 2, importance: 4 }),
    ),
  );
  assert.equal(merged.importance, 6);
  assert.deepEqual(merged.meta.importance_reason, ['event:preference', 'conflict_merge']);
  const unchanged = semanticItem({ created_at: 2 });
  assert.equal(mergedWinner(resolveConflict(semanticItem({}), unchanged)), unchanged);
});

test('M10 a ttl ends at its tick, a decay one later, never never', () => {
  const one = semanticItem({ created_at: 10 });
  const ttl = { mode: 'ttl', ttl_ticks: 25 } as const;
  const decay = { mode: 'decay', ttl_ticks: 25 } as const;
  assert.deepEqual(
    [34, 35].map((now) => expiry(one, ttl, now)),
    [null, 'ttl_expired'],
  );
  assert.deepEqual(
    [35, 36].map((now) => expiry(one, decay, now)),
    [null, 'decay'],
  );
  assert.equal(expiry(one, { mode: 'never', ttl_ticks: null }, 1_000_000), null);
  assert.deepEqual(expiresAt(one, ttl), { expires_at: 35 });
  assert.deepEqual(expiresAt(one, decay), {});
});
