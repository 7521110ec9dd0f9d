import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ClosedRequest, councilFigures } from '#domain/action-request/council-figures.js';

const closed = (
  status: ClosedRequest['status'],
  votes: ClosedRequest['votes'],
  more: Partial<ClosedRequest> = {},
): ClosedRequest => ({
  kind: 'sem_put',
  status,
  requested_at: '2026-01-01T00:00:00.000Z',
  decided_at: '2026-01-01T00:01:00.000Z',
  revisions: 0,
  votes,
  ...more,
});

test('the figures count what the council decided, and the votes against its outcomes', () => {
  const requests = [
    closed('executed', ['approve', 'approve', 'reject']),
    closed('rejected', ['reject'], { decided_at: '2026-01-01T00:03:00.000Z', revisions: 2 }),
    closed('execution_refused', ['abstain', 'approve'], { kind: 'sensitive_consent' }),
    closed('expired', ['approve']),
  ];
  const { by_kind, ...all } = councilFigures(requests);
  expect(all).toStrictEqual({
    decided: 3,
    approved: 2,
    rejected: 1,
    expired: 1,
    median_seconds_to_decide: 60,
    rejection_share: 0.333333,
    revision_share: 0.333333,
    disagreement_share: 0.333333,
    override_share: 0.2,
    expiry_share: 0.25,
  });
  expect(by_kind.sensitive_consent).toMatchObject({ decided: 1, override_share: 0 });
  expect(by_kind.sem_put.median_seconds_to_decide).toBe(120);
  expect(by_kind.erasure).toMatchObject({ decided: 0, rejection_share: null });
});

test('the figures do not depend on the order of the requests', () => {
  const request = fc.record({
    kind: fc.constantFrom('sem_put' as const, 'erasure' as const),
    status: fc.constantFrom('executed' as const, 'rejected' as const, 'expired' as const),
    requested_at: fc.constant('2026-01-01T00:00:00.000Z'),
    decided_at: fc.constantFrom('2026-01-01T00:00:01.000Z', '2026-01-02T00:00:00.000Z'),
    revisions: fc.nat(2),
    votes: fc.array(fc.constantFrom('approve' as const, 'reject' as const, 'abstain' as const)),
  });
  fc.assert(
    fc.property(fc.array(request), (requests) => {
      const figures = councilFigures(requests);
      expect(councilFigures(requests.toReversed())).toStrictEqual(figures);
      expect(figures.approved + figures.rejected + figures.expired).toBe(requests.length);
    }),
  );
});
