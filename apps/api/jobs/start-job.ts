import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { v7 as uuidv7 } from 'uuid';
import type { StartJob as StartCommand } from '#domain/job/commands.js';
import { hasEnded, type JobState } from '#domain/job/state.js';
import type { CarriedCwm, JobOwner } from '#domain/job/events.js';
import { carriedCwm } from '#domain/job/view.js';
import { resolveConstants } from '#domain/job/constants.js';
import { checkStart, type StartRequest } from '#domain/job/decide-start.js';
import { userFor } from '#domain/ownership/access.js';
import type { JsonObject } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import {
  claimBy,
  lastEndedJob,
  type SessionCommand,
  type SessionState,
} from '#domain/session/session.decider.js';
import { jobStream, seedOfJobStream, sessionStream } from '#domain/stream-names.js';
import { OwnerClaims } from '../ownership/owner-claims.js';
import { RequestClaims } from '../platform/request-claims.js';
import type { RequestIdentity } from '../platform/http/identity.js';
import type { JobStore, SessionStore } from '../platform/stores.js';
import { JOB_STORE, SESSION_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import { Answer } from '../platform/http/answer.js';
import { AnyObject, Instant, SeedText, Text, UserIdText } from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { JobDto } from './job-view.js';
import { JobGate } from './job-gate.js';
import { PinnedSnapshots } from './pinned-snapshots.js';
import { ShownJob } from './shown-job.js';

@Describes({
  summary: 'Start a job and pin the snapshots that it reads',
  roles: { own: ['agent'], of: 'session', all: ['admin'] },
  example: { job_seed: 'trip-1', goal: 'Book a hotel in Oslo.' },
  answers: [201, JobDto],
  fails: ['JOB_EXISTS', 'PRIVACY_BLOCKED'],
})
export class StartJob extends WriteRequest<JobDto> {
  @SeedText({ optional: true, description: 'Default: a UUIDv7 that the service makes.' })
  job_seed?: string;

  @SeedText({
    optional: true,
    description: 'The job starts with the CWM of the session’s last ended job.',
  })
  session_id?: string;

  @UserIdText({ optional: true }) user_id?: string;

  @Instant({ optional: true, description: 'Replaces the base of the seeded time.' })
  seeded_epoch?: string;

  @Text({ optional: true, max: 16_000 }) goal?: string;

  @AnyObject({
    optional: true,
    description: 'Overrides for the constants, such as `{"promotion_references": 3}`.',
  })
  constants?: JsonObject;
}

@CommandHandler(StartJob)
export class StartJobHandler {
  constructor(
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    @Inject(SESSION_STORE) private readonly sessions: SessionStore,
    private readonly claims: RequestClaims,
    private readonly owners: OwnerClaims,
    private readonly snapshots: PinnedSnapshots,
    private readonly gate: JobGate,
    private readonly shown: ShownJob,
    private readonly privacy: PrivacyGate,
  ) {}

  async execute(asked: StartJob): Promise<Answer<object | null>> {
    const { actor, identity } = asked;
    const constants = resolveConstants(asked.constants, this.privacy.rules.version);
    const owner: JobOwner = { sub: actor.sub, user_id: userFor(actor, asked.user_id) };
    // This check comes before a claim writes the ids to the log (SPEC I4).
    await this.privacy.requireClearIds({
      ...{ job_seed: asked.job_seed, session_id: asked.session_id, user_id: owner.user_id },
    });
    const stream = await this.claims.streamFor(identity, jobStream(asked.job_seed ?? uuidv7()));
    const goal =
      asked.goal === undefined || asked.goal === null
        ? { goal: null }
        : await this.gate.goal(asked.goal);
    const request = {
      job_seed: seedOfJobStream(stream),
      session_id: asked.session_id ?? null,
      seeded_epoch: asked.seeded_epoch ?? null,
      ...goal,
    } satisfies StartRequest;
    const commands = async (state: JobState): Promise<readonly StartCommand[]> => {
      // This check comes before the claims, so a refused start claims neither a user nor a session.
      checkStart(state, request);
      if (owner.user_id !== null) await this.owners.claim(owner.user_id, identity);
      const carried_cwm = await this.carried(request.session_id, actor, owner, identity);
      const snapshots = await this.snapshots.atLogEnd();
      return [{ op: 'start', ...request, owner, constants, snapshots, carried_cwm }];
    };
    const executed = await this.jobs.execute(stream, commands, identity);
    const [view = null] = executed.results;
    // The job belongs to the caller, and it may carry personal data from the session's last job.
    const shown = view === null ? view : await this.shown.of(view, () => true);
    return Answer.written(shown, executed.position);
  }

  /** Claims the session for its owner, and returns the CWM of its last ended job (SPEC J1). */
  private async carried(
    session_id: string | null,
    actor: Actor,
    owner: JobOwner,
    identity: RequestIdentity,
  ): Promise<CarriedCwm | null> {
    if (session_id === null) return null;
    const stream = sessionStream(session_id);
    const claim = (state: SessionState): readonly SessionCommand[] => claimBy(state, actor, owner);
    const { after } = await this.sessions.execute(stream, claim, identity);
    const last = lastEndedJob(after.state);
    if (last === undefined) return null;
    // After a start that another instance has taken over, this can be the job that is being started.
    return carriedCwm(await this.jobs.loadEnded(jobStream(last), hasEnded));
  }
}
