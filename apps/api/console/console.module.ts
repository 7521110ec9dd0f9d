import { Module } from '@nestjs/common';
import { ConsoleController } from './console.controller.js';
import { SignInLinks } from './sign-in-links.js';
import {
  ListSignInWaysHandler,
  MakeLinkHandler,
  UseLinkHandler,
  WhoAmIHandler,
} from './sign-in.js';

@Module({
  controllers: [ConsoleController],
  providers: [
    { provide: SignInLinks, useFactory: () => new SignInLinks() },
    ...[MakeLinkHandler, UseLinkHandler, ListSignInWaysHandler, WhoAmIHandler],
  ],
})
export class ConsoleModule {}
