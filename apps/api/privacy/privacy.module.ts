import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { ServiceConfig } from '#platform/config/service-config.js';
import type { Postgres } from '#read-model/postgres.js';
import { SealingKeys } from '#subject-keys/sealing-keys.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import { KEYS_POSTGRES } from '#platform/tokens.js';
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

/** Provides the privacy gate and the keys of subjects (SPEC §8). */
@Global()
@Module({})
export class PrivacyModule {
  static of({ dataDir, privacyRules, privacyRecogniserUrl }: ServiceConfig): DynamicModule {
    return {
      module: PrivacyModule,
      providers: [
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
}
