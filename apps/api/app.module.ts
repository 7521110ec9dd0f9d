import { Module, type DynamicModule } from '@nestjs/common';
import { PlatformModule } from './platform/platform.module.js';
import type { Resources } from './platform/resources.js';

/** One module a capability. */
const CAPABILITIES: NonNullable<DynamicModule['imports']> = [];

/** The whole service over opened resources. */
@Module({})
export class AppModule {
  static of(resources: Resources): DynamicModule {
    return { module: AppModule, imports: [PlatformModule.of(resources), ...CAPABILITIES] };
  }
}
