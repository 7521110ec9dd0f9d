import { Module } from '@nestjs/common';
import { BundleSigner } from '#platform/signing/bundle-signature.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { CONFIG } from '../platform/tokens.js';
import { BundleKeysController } from './bundle-keys.controller.js';
import { EventReceipts } from './event-receipts.js';
import { StreamRecords } from './stream-records.js';

@Module({
  controllers: [BundleKeysController],
  providers: [
    {
      provide: BundleSigner,
      inject: [CONFIG],
      useFactory: ({ bundleKey, oldBundleKeys }: ServiceConfig) =>
        new BundleSigner(bundleKey, oldBundleKeys),
    },
    StreamRecords,
    EventReceipts,
  ],
  exports: [BundleSigner, StreamRecords, EventReceipts],
})
export class ReplayModule {}
