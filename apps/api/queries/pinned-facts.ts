import type { FactRead } from '#agents/agent.js';
import { isEntityOf, parseKey } from '#domain/canonical-key/canonical-key.js';
import { isSealed } from '#domain/held.js';
import type { JobCommand } from '#domain/job/commands.js';
import type { JobStarted } from '#domain/job/events.js';
import type { SemQueries } from '#projections/sem/queries.js';

/**
 * What an agent reads of the facts, at the snapshot that its query pinned (SPEC J10). Facts about users are
 * those of the query's own user, whoever asks.
 */
export class PinnedFacts {
  private readonly keys = new Set<string>();
  /** Why the read models could not be asked, if they could not: no fault of the agent's. */
  failure: Error | undefined;

  constructor(
    private readonly facts: SemQueries,
    private readonly job: JobStarted,
  ) {}

  readonly read = async (key: string): Promise<FactRead | undefined> => {
    const { scope, entity_id } = parseKey(key);
    const { user_id } = this.job.owner;
    if (scope === 'user' && (user_id === null || !isEntityOf(user_id, entity_id))) return undefined;
    this.keys.add(key);
    try {
      const fact = await this.facts.getAtCount(key, this.job.snapshots.sem_event_count);
      if (fact === undefined) return undefined;
      const { held } = fact;
      return { key, value: isSealed(held) ? `[REDACTED:${held.sealed.type}]` : held.value };
    } catch (cause) {
      this.failure = cause as Error;
      throw cause;
    }
  };

  /** What was read, as evidence; nothing where nothing was (SPEC J10). */
  evidence(): JobCommand[] {
    if (this.keys.size === 0) return [];
    return [{ op: 'memory_read', kind: 'sem_get', ids: [...this.keys] }];
  }
}
