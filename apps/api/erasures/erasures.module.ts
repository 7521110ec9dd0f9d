import { Module } from '@nestjs/common';
import { Erasure } from './erasure.js';
import { ErasureReceipts } from './erasure-receipts.js';
import { ErasuresController, RetentionController } from './erasures.controller.js';
import { ExecuteErasureHandler } from './execute-erasure.js';
import { GetErasureHandler } from './get-erasure.js';
import { GetRetentionHandler } from './get-retention.js';

@Module({
  controllers: [ErasuresController, RetentionController],
  providers: [
    Erasure,
    ErasureReceipts,
    ExecuteErasureHandler,
    GetErasureHandler,
    GetRetentionHandler,
  ],
  exports: [Erasure],
})
export class ErasuresModule {}
