import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { KEYS_ROLE, prepareRole } from '#read-model/api-role.js';
import { Postgres } from '#read-model/postgres.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { SealingKeys } from '#subject-keys/sealing-keys.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import { OWNER_POSTGRES } from '#platform/tokens.js';
import { OUTSIDE_RECOGNISER, PRIVACY_RULES, SEALS } from '../platform/tokens.js';
import { ConsentedFacts } from './consented-facts.js';
import { Consents } from './consents.js';
import { RetentionPeriod } from './retention-period.js';
import { KeysStart } from './keys-start.js';
import { OutsideRecogniser } from './outside-recogniser.js';
import { PrivacyGate } from './privacy-gate.js';
import { SealedValues } from './sealed-values.js';
import { SealedWrites } from './sealed-writes.js';
import { UnredactedReads } from './unredacted-reads.js';

const KEYS_POSTGRES = Symbol('KEYS_POSTGRES');
const MAX_CONNECTIONS = 4;

/** Provides the privacy gate and the keys of subjects (SPEC §8). */
@Global()
@Module({})
export class PrivacyModule implements OnApplicationShutdown {
  constructor(@Inject(KEYS_POSTGRES) private readonly postgres: Postgres) {}

  static of(
    { dataDir, privacyRules, privacyRecogniserUrl }: ServiceConfig,
    { postgresUrl }: { readonly postgresUrl: string },
  ): DynamicModule {
    return {
      module: PrivacyModule,
      providers: [
        {
          provide: KEYS_POSTGRES,
          inject: [OWNER_POSTGRES],
          useFactory: async (owner: Postgres) => {
            await prepareRole(owner, KEYS_ROLE).catch(ignoreOutage);
            return new Postgres({
              url: postgresUrl,
              role: KEYS_ROLE,
              maxConnections: MAX_CONNECTIONS,
            });
          },
        },
        {
          provide: SubjectKeys,
          inject: [KEYS_POSTGRES, SealingKeys],
          useFactory: (postgres: Postgres, sealingKeys: SealingKeys) =>
            new SubjectKeys(postgres, sealingKeys, dataDir),
        },
        KeysStart,
        { provide: PRIVACY_RULES, useValue: privacyRules },
        {
          provide: OUTSIDE_RECOGNISER,
          useValue:
            privacyRecogniserUrl === undefined
              ? undefined
              : new OutsideRecogniser(privacyRecogniserUrl),
        },
        PrivacyGate,
        SealedValues,
        SealedWrites,
        { provide: SEALS, useExisting: SealedWrites },
        Consents,
        ConsentedFacts,
        UnredactedReads,
        RetentionPeriod,
      ],
      exports: [
        SubjectKeys,
        SealedWrites,
        SEALS,
        PRIVACY_RULES,
        PrivacyGate,
        SealedValues,
        Consents,
        ConsentedFacts,
        UnredactedReads,
        RetentionPeriod,
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.postgres.close();
  }
}

/** A Postgres that does not answer now must not prevent the start; each use of a key reports it. */
function ignoreOutage(cause: unknown): undefined {
  if (cause instanceof PostgresUnavailable) return undefined;
  throw cause;
}
