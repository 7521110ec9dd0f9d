import { episodicId, reflectiveLogId } from '../determinism/ids.js';
import { seededTimestamp } from '../determinism/seeded-clock.js';
import { cwmSummary, factSummary } from '../episode/summaries.js';
import { isSealed } from '../held.js';
import type { EpisodeData, JobEvent } from './events.js';
import { startedJob, type JobState, type WmEntry } from './state.js';
import { cwmJson, wmEntryJson } from './view.js';

type EpisodeContent = Pick<
  EpisodeData,
  'source' | 'summary' | 'evidence' | 'payload' | 'sealed_payload' | 'redactions' | 'consent_id'
>;

/**
 * Returns the data of an episode that is written `offset` events after the state's last event. The
 * episode counter gives the id, and the event's number gives the seeded time (SPEC I3, I4, E1).
 */
export function episodeAfter(
  state: JobState,
  offset: number,
  content: EpisodeContent,
): EpisodeData {
  const { job_seed, owner } = startedJob(state);
  return {
    episodic_id: episodicId(job_seed, state.episode_counter + offset),
    job_seed,
    owner,
    ...content,
    created_seeded_ts: seededTimestamp(state.seeded_base, state.version + offset),
    reflective_log_id: reflectiveLogId(job_seed),
  };
}

function consolidated(state: JobState, entry: WmEntry): EpisodeContent {
  const { sem_snapshot_hash } = startedJob(state).snapshots;
  const content = {
    source: 'brainstate' as const,
    summary: factSummary(entry.content),
    evidence: [{ wm_id: entry.wm_id, sem_snapshot_hash }],
  };
  return isSealed(entry.content)
    ? { ...content, payload: null, sealed_payload: entry.content.sealed }
    : { ...content, payload: wmEntryJson(entry, state.tick) };
}

function summary(state: JobState): EpisodeContent {
  const { job_seed, snapshots } = startedJob(state);
  const { sem_snapshot_hash } = snapshots;
  const cwm = cwmJson(state);
  const held = state.cwm.map((item) => item.content);
  return {
    source: 'brainstate',
    summary: cwmSummary(state.topic, held),
    evidence: [{ cwm_id: cwm.cwm_id, sem_snapshot_hash }],
    payload: { cwm, sem_snapshot_hash, reflective_log_id: reflectiveLogId(job_seed) },
  };
}

/** True for an entry that becomes an episode if the job ends: a referenced fact (SPEC J7). */
export const becomesEpisode = ({ content, references }: WmEntry): boolean =>
  content.type === 'fact' && references > 0;

/** An episode that the end makes. */
type EndEpisode = Extract<JobEvent, { type: 'episode_consolidated' | 'episodic_summary' }>;

/**
 * Returns the episodes that an ended job does not have yet: one for every referenced fact in WM, oldest first, then
 * the summary of the CWM. Written episodes are left out, so an interrupted end can continue (SPEC J7).
 * @param skipped the number of the first facts whose episodes are left out as well
 */
export function owedByEnd(state: JobState, skipped = 0): EndEpisode[] {
  if (state.status !== 'ended' || state.summarised) return [];
  const facts = state.wm.filter(becomesEpisode).slice(state.consolidated);
  const episodes = facts.slice(skipped).map((entry, index): EndEpisode => ({
    type: 'episode_consolidated',
    data: episodeAfter(state, skipped + index + 1, consolidated(state, entry)),
  }));
  return [
    ...episodes,
    {
      type: 'episodic_summary',
      data: episodeAfter(state, facts.length + 1, summary(state)),
    },
  ];
}
