import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import { auditDecider } from '#domain/audit/audit.decider.js';
import { consentDecider } from '#domain/consent/consent.decider.js';
import { conversationDecider } from '#domain/conversation/conversation.decider.js';
import { commandClaimDecider } from '#domain/command-claim/command-claim.decider.js';
import type { Decider, DomainEvent } from '#domain/decider.js';
import { chainHash, CHAIN_START } from '#domain/determinism/hash-chain.js';
import { jobDecider } from '#domain/job/decider.js';
import { logCheckpointDecider } from '#domain/log-checkpoint/log-checkpoint.decider.js';
import { logIdentityDecider } from '#domain/log-identity/log-identity.decider.js';
import { memoryDecider } from '#domain/memory-contract/memory.decider.js';
import { noteDecider } from '#domain/note/note.decider.js';
import { ownerDecider } from '#domain/ownership/owner.decider.js';
import type { RecordedEvent } from '#domain/recorded-event.js';
import { quarantineDecider } from '#domain/reflective-log/quarantine.decider.js';
import { reflectiveLogDecider } from '#domain/reflective-log/reflective-log.decider.js';
import { bundleHeaderLine, bundleLine, type BundleHeader } from '#domain/replay/bundle.js';
import { BundleVerification } from '#domain/replay/verify-bundle.js';
import type { ReplayReport } from '#domain/replay/stream-replay.js';
import { routerDecider } from '#domain/router/router.decider.js';
import { semDecider } from '#domain/sem/sem.decider.js';
import { sessionDecider } from '#domain/session/session.decider.js';
import { threadDecider } from '#domain/thread/thread.decider.js';

interface Aggregate {
  readonly category: string;
  /** Every event type that streams of this category can contain. */
  readonly types: readonly string[];
  /** Returns a new verification for one recorded stream. */
  verification(): Pick<BundleVerification<never, never, DomainEvent>, 'line' | 'finish'>;
}

const aggregateOf = <State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
): Aggregate => ({
  category: decider.category,
  types: Object.keys(decider.schemas),
  verification: () => new BundleVerification(decider),
});

/** All categories of streams (see “Streams” in ARCHITECTURE.md). */
export const AGGREGATES: readonly Aggregate[] = [
  aggregateOf(jobDecider),
  aggregateOf(semDecider),
  aggregateOf(actionRequestDecider),
  aggregateOf(reflectiveLogDecider),
  aggregateOf(memoryDecider),
  aggregateOf(sessionDecider),
  aggregateOf(consentDecider),
  aggregateOf(conversationDecider),
  aggregateOf(auditDecider),
  aggregateOf(commandClaimDecider),
  aggregateOf(noteDecider),
  aggregateOf(ownerDecider),
  aggregateOf(quarantineDecider),
  aggregateOf(routerDecider),
  aggregateOf(logIdentityDecider),
  aggregateOf(logCheckpointDecider),
  aggregateOf(threadDecider),
];

export const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1);

/** Returns the category of a recorded stream, from its first line. */
export const categoryOf = (text: string): string =>
  (JSON.parse(linesOf(text)[0] ?? '') as { readonly stream: string }).stream.replace(/-.*$/, '');

/**
 * Replays a recorded stream: verifies its chain and decides again from the recorded inputs. Throws if
 * the result differs from the record.
 */
export function replayOf(text: string): ReplayReport {
  const category = categoryOf(text);
  const aggregate = AGGREGATES.find((one) => one.category === category);
  if (!aggregate) throw new Error(`no aggregate has streams of the category ${category}`);
  const verification = aggregate.verification();
  for (const line of linesOf(text)) verification.line(line);
  const { finding, replay } = verification.finish();
  if (finding !== undefined || !replay?.identical)
    throw new Error(JSON.stringify(finding ?? replay?.divergence));
  return replay;
}

/**
 * Returns a recorded stream with a changed first event and recomputed hashes, as a forger would make it.
 */
export function forged(text: string, change: (event: RecordedEvent) => RecordedEvent): string {
  const [header = '', ...lines] = linesOf(text);
  let head_hash = CHAIN_START;
  const events = lines.map((line, index) => {
    const recorded = JSON.parse(line) as RecordedEvent;
    const event = index === 0 ? change(recorded) : recorded;
    head_hash = chainHash(head_hash, event);
    return bundleLine({ ...event, metadata: { ...event.metadata, hash: head_hash } });
  });
  const changed = { ...(JSON.parse(header) as BundleHeader), head_hash };
  return [bundleHeaderLine(changed), ...events, ''].join('\n');
}
