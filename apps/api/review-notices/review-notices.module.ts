import { Module } from '@nestjs/common';
import { NoticeTable } from './notice-table.js';
import { NoticeWorker } from './notice-worker.js';

/** Posts notices of requests that wait for the council to a webhook (SPEC G9). */
@Module({ providers: [NoticeTable, NoticeWorker] })
export class ReviewNoticesModule {}
