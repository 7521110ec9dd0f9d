import { jobDecider } from '#domain/job/decider.js';
import { streamOfConsent } from '#domain/stream-names.js';
import { eventOf } from '#domain/upcast.js';
import { Inject, Injectable } from '@nestjs/common';
import { identityOfStep } from '#domain/determinism/command-identity.js';
import type { JobCommand } from '#domain/job/commands.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import { type Executed, readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { newestFirst } from '#event-store/newest-first.js';
import { EpisodeQueries } from '#projections/episodes/queries.js';
import type { ConsentStore } from '../platform/stores.js';
import { CONSENT_STORE, EVENT_STORE } from '../platform/tokens.js';
import { Consents } from '../privacy/consents.js';

/** Lets the payload of an episode stay only under a consent that stands until the episode is in the log (SPEC P4). */
@Injectable()
export class ConsentedEpisodes {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
    private readonly consents: Consents,
    private readonly episodes: EpisodeQueries,
  ) {}

  /**
   * Withholds the payloads of a command's episodes whose consent was revoked while they were written, and before them in
   * the log. The episodes stay, as those do that were written without a consent. After a crash, the obligation worker
   * and a retry of the command do the same. Returns the position of the last event.
   */
  async withholdRevoked(
    stream: string,
    commands: readonly JobCommand[],
    { version, position, repeated }: Executed,
    identity: CommandIdentity,
  ): Promise<bigint> {
    let last = position;
    if (!commands.some((command) => mayHaveConsent(command, repeated))) return last;
    for await (const event of newestFirst(this.eventStore, stream, version)) {
      if (event.metadata.command_id !== identity.command_id) break;
      const withheld = await this.withheld(event, identity.trace_id);
      if (withheld !== undefined && withheld > last) last = withheld;
    }
    return last;
  }

  /** Withholds the payload of one episode in the same way. */
  async withholdLate(episodicId: string): Promise<void> {
    const episode = await this.episodes.get(episodicId);
    if (episode === undefined) throw new Error(`the read model has no episode ${episodicId} yet`);
    const { stream, number } = episode;
    for await (const event of readRecorded(this.eventStore, stream, { from: number, to: number }))
      await this.withheld(event, event.metadata.trace_id);
  }

  /** Returns the position of the event that withholds an episode's payload; undefined if the payload stays. */
  private async withheld(event: LoggedEvent, trace_id: string): Promise<bigint | undefined> {
    const { type, data, position, metadata } = eventOf(jobDecider, event);
    if (type !== 'episode_written' || data.consent_id === undefined) return undefined;
    const { consent_id, episodic_id } = data;
    if (!(await this.consents.isRevokedBefore(consent_id, position))) return undefined;
    const caused_by = metadata.event_id;
    const executed = await this.store.execute(
      streamOfConsent(consent_id),
      [{ type: 'withhold_episode', consent_id, episodic_id }],
      identityOfStep(caused_by, [caused_by, 'consent revoked'], trace_id),
    );
    return executed.position;
  }
}

/** True if an episode may be kept under a consent. A retry is redacted after a revocation, so it does not tell. */
const mayHaveConsent = (command: JobCommand, repeated: boolean): boolean =>
  command.op === 'episodic_write' && (repeated || command.consent_id !== undefined);
