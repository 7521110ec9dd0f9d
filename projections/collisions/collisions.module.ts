import { Module } from '@nestjs/common';
import { CollisionsProjection } from './collisions.projection.js';
import { CollisionQueries } from './queries.js';

@Module({ providers: [CollisionsProjection, CollisionQueries], exports: [CollisionQueries] })
export class CollisionsReadModelModule {}
