import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Logger } from 'pino';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { KEYS_ROLE, prepareRole } from '#read-model/api-role.js';
import { Postgres } from '#read-model/postgres.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import { SealingKeys } from '#subject-keys/sealing-keys.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import { LOGGER, OWNER_POSTGRES } from '#platform/tokens.js';
import { OUTSIDE_RECOGNISER, PRIVACY_RULES } from '../platform/tokens.js';
import { Consents } from './consents.js';
import { ConsentsController } from './consents.controller.js';
import { GiveConsentHandler } from './give-consent.handler.js';
import { ListConsentsHandler } from './list-consents.handler.js';
import { OutsideRecogniser } from './outside-recogniser.js';
import { PrivacyGate } from './privacy-gate.js';
import { RevokeConsentHandler } from './revoke-consent.handler.js';
import { SealedValues } from './sealed-values.js';

const KEYS_POSTGRES = Symbol('KEYS_POSTGRES');
const MAX_CONNECTIONS = 4;

/** Provides the privacy gate and the keys of subjects (SPEC §8). */
@Global()
@Module({})
export class PrivacyModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(KEYS_POSTGRES) private readonly postgres: Postgres,
    private readonly keys: SubjectKeys,
  ) {}

  static of(
    { sealingKey, oldSealingKeys, privacyRules, privacyRecogniserUrl }: ServiceConfig,
    { postgresUrl }: { readonly postgresUrl: string },
  ): DynamicModule {
    return {
      module: PrivacyModule,
      controllers: [ConsentsController],
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
          inject: [KEYS_POSTGRES],
          useFactory: (postgres: Postgres) =>
            new SubjectKeys(postgres, new SealingKeys(sealingKey, oldSealingKeys)),
        },
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
        Consents,
        GiveConsentHandler,
        RevokeConsentHandler,
        ListConsentsHandler,
      ],
      exports: [SubjectKeys, PRIVACY_RULES, PrivacyGate, SealedValues, Consents],
    };
  }

  /** Wraps keys anew after a change of MACE_SEALING_KEY. */
  async onApplicationBootstrap(): Promise<void> {
    const rewrapped = await this.keys.rewrap().catch(ignoreOutage);
    if (rewrapped) this.logger.info({ type: 'subject_keys_rewrapped', keys: rewrapped });
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
