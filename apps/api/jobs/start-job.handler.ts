import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { v7 as uuidv7 } from 'uuid';
import type { StartJob as StartCommand } from '#domain/job/commands.js';
import { hasEnded, type JobState, jobStream, seedOfJobStream } from '#domain/job/state.js';
import type { CarriedCwm, JobOwner } from '#domain/job/events.js';
import { carriedCwm } from '#domain/job/view.js';
import { resolveConstants } from '#domain/job/constants.js';
import { checkStart, type StartRequest } from '#domain/job/decide-start.js';
import { userFor } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import {
  claimBy,
  lastEndedJob,
  type SessionCommand,
  sessionStream,
  type SessionState,
} from '#domain/session/session.decider.js';
import type { Executed } from '#event-store/aggregate-store.js';
import { OwnerClaims } from '../ownership/owner-claims.js';
import { RequestClaims } from '../platform/request-claims.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { JobStore, SessionStore } from '../platform/stores.js';
import { JOB_STORE, SESSION_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import type { StartJobDto } from './dto/start-job.dto.js';
import { JobGate } from './job-gate.js';
import { PinnedSnapshots } from './pinned-snapshots.js';
import { ShownJob } from './shown-job.js';

export class StartJob extends Command<Executed> {
  constructor(
    readonly actor: Actor,
    readonly body: StartJobDto,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

@CommandHandler(StartJob)
export class StartJobHandler implements ICommandHandler<StartJob> {
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

  async execute({ actor, body, identity }: StartJob): Promise<Executed> {
    const constants = resolveConstants(body.constants, this.privacy.rules.version);
    const owner: JobOwner = { sub: actor.sub, user_id: userFor(actor, body.user_id) };
    // This check comes before a claim writes the ids to the log (SPEC I4).
    await this.privacy.requireClearIds(body.job_seed, body.session_id, owner.user_id);
    const stream = await this.claims.streamFor(identity, jobStream(body.job_seed ?? uuidv7()));
    const goal =
      body.goal === undefined || body.goal === null
        ? { goal: null }
        : await this.gate.goal(body.goal);
    const request = {
      job_seed: seedOfJobStream(stream),
      session_id: body.session_id ?? null,
      seeded_epoch: body.seeded_epoch ?? null,
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
    const [view] = executed.results;
    // The job belongs to the caller, and it may carry personal data from the session's last job.
    return view === undefined || view === null
      ? executed
      : { ...executed, results: [await this.shown.of(view, () => true)] };
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
