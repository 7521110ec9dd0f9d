import { Module } from '@nestjs/common';
import { CloseCollisionHandler } from './close-collision.js';
import { CollisionViews } from './collision-view.js';
import { CollisionsController } from './collisions.controller.js';
import { ListCollisionsHandler } from './list-collisions.js';

@Module({
  controllers: [CollisionsController],
  providers: [CollisionViews, ListCollisionsHandler, CloseCollisionHandler],
})
export class CollisionsModule {}
