import { Module } from '@nestjs/common';
import { RouteQueryHandler } from './route-query.handler.js';
import { RouteController } from './route.controller.js';
import { RouterMisses } from './router-misses.js';
import { RouterToggles } from './router-toggles.js';

@Module({
  controllers: [RouteController],
  providers: [RouteQueryHandler, RouterMisses, RouterToggles],
})
export class QueriesModule {}
