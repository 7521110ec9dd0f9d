import type { FactRead } from '#agents/agent.js';
import { isEntityOf, parseKey } from '#domain/canonical-key/canonical-key.js';
import { isSealed } from '#domain/held.js';
import type { JobCommand } from '#domain/job/commands.js';
import type { JobStarted } from '#domain/job/events.js';
import type { SemQueries } from '#projections/sem/queries.js';

type Reads = ReadonlyMap<string, Promise<FactRead | undefined>>;

/**
 * Reads facts for agents and the council at the snapshot that the query pinned, each fact once (SPEC
 * J10). Only the facts of the query's own user, and facts that belong to no user, can be read.
 */
export class PinnedFacts {
  private readonly known: Map<string, Promise<FactRead | undefined>>;
  private unrecorded: string[] = [];
  /**
   * The error of a failed read, which does not count as the agent's failure; undefined if no read
   * failed.
   */
  failure: Error | undefined;

  /** @param reads the facts that the query has already read and recorded. */
  constructor(
    private readonly facts: SemQueries,
    private readonly job: JobStarted,
    reads: Reads,
  ) {
    this.known = new Map(reads);
  }

  get reads(): Reads {
    return this.known;
  }

  /** Returns a fact; undefined if the key has no fact or belongs to another user. */
  readonly read = (key: string): Promise<FactRead | undefined> => {
    const known = this.known.get(key) ?? this.readFact(key);
    this.known.set(key, known);
    return known;
  };

  /**
   * Returns the command that records the reads since the last call of `evidence`, as a list; the list is
   * empty if nothing was read since then (SPEC J10).
   */
  evidence(): JobCommand[] {
    const ids = this.unrecorded;
    this.unrecorded = [];
    return ids.length === 0 ? [] : [{ op: 'memory_read', kind: 'sem_get', ids }];
  }

  private async readFact(key: string): Promise<FactRead | undefined> {
    const { scope, entity_id } = parseKey(key);
    const { owner, snapshots } = this.job;
    if (scope === 'user' && (owner.user_id === null || !isEntityOf(owner.user_id, entity_id)))
      return undefined;
    this.unrecorded.push(key);
    try {
      const fact = await this.facts.getAtCount(key, snapshots.sem_event_count);
      if (fact === undefined) return undefined;
      const { held } = fact;
      return { key, value: isSealed(held) ? `[REDACTED:${held.sealed.type}]` : held.value };
    } catch (cause) {
      this.failure = cause as Error;
      throw cause;
    }
  }
}
