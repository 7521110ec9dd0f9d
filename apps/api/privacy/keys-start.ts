import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { BackgroundLoop } from '#platform/background-loop.js';
import { BadConfig } from '#platform/config/bad-config.js';
import { SealedValueQueries } from '#projections/sealed-values/queries.js';
import { OWNER_POSTGRES } from '#platform/tokens.js';
import { KEYS_ROLE, prepareRole } from '#read-model/api-role.js';
import { Postgres } from '#read-model/postgres.js';
import { isForbidden, PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { UnknownSealingKey } from '#subject-keys/sealing-keys.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import { LogEnd } from '../platform/log-end.js';
import { LOGGER } from '../platform/tokens.js';

const TRY_AGAIN_MS = 200;

/**
 * Makes the keys of subjects ready at the start: wraps them anew after a change of MACE_SEALING_KEY, and destroys
 * those that the log names as erased, because Postgres may have been restored from a time before the erasure
 * (SPEC G6).
 */
@Injectable()
export class KeysStart implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop = new BackgroundLoop(() => this.round());
  private isRewrapped = false;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly keys: SubjectKeys,
    private readonly values: SealedValueQueries,
    private readonly logEnd: LogEnd,
    @Inject(OWNER_POSTGRES) private readonly owner: Postgres,
  ) {}

  /**
   * Fails with BadConfig if Postgres holds keys that no sealing key of the configuration opens, or if its user may not
   * use their role.
   */
  async onApplicationBootstrap(): Promise<void> {
    try {
      await this.rewrap();
    } catch (cause) {
      if (cause instanceof UnknownSealingKey)
        throw new BadConfig(
          'Postgres holds keys of personal data that MACE_SEALING_KEY does not open: set MACE_SEALING_KEYS_OLD to the earlier value of MACE_SEALING_KEY.',
        );
      if (isForbidden(cause))
        throw new BadConfig(
          `The user of MACE_POSTGRES_URL cannot use the role ${KEYS_ROLE}, which owns the keys of personal data: give it with grant ${KEYS_ROLE} to <user>.`,
        );
      // A Postgres that does not answer now must not prevent the start; each use of a key reports it.
      if (!(cause instanceof PostgresUnavailable)) throw cause;
    }
    this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
  }

  private async round(): Promise<number> {
    try {
      await this.rewrap();
      await this.logEnd.reach('sealed_values');
      const destroyed = await this.keys.begin(this.values.erasedKeys());
      if (destroyed.length > 0)
        this.logger.warn({ type: 'erased_keys_destroyed_again', keys: destroyed.length });
      void this.loop.stop();
    } catch (cause) {
      // The health check reports what is down or behind, and a changed row is reported where it is read.
      this.logger.debug({ type: 'keys_not_ready', error: (cause as Error).name });
    }
    return TRY_AGAIN_MS;
  }

  private async rewrap(): Promise<void> {
    if (this.isRewrapped) return;
    const keys = await this.keys.rewrap().catch(async (cause: unknown) => {
      // The role has no rights here if Postgres did not answer when it was prepared.
      if (!isForbidden(cause) || !(await prepareRole(this.owner, KEYS_ROLE))) throw cause;
      return this.keys.rewrap();
    });
    this.isRewrapped = true;
    if (keys > 0) this.logger.info({ type: 'subject_keys_rewrapped', keys });
  }
}
