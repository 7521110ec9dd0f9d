import { Module } from '@nestjs/common';
import { ConsoleController } from './console.controller.js';
import { MakeLinkHandler } from './make-link.handler.js';
import { SignInLinks } from './sign-in-links.js';
import { SignInWaysHandler } from './sign-in-ways.handler.js';
import { UseLinkHandler } from './use-link.handler.js';
import { WhoAmIHandler } from './who-am-i.handler.js';

@Module({
  controllers: [ConsoleController],
  providers: [
    { provide: SignInLinks, useFactory: () => new SignInLinks() },
    ...[MakeLinkHandler, UseLinkHandler, SignInWaysHandler, WhoAmIHandler],
  ],
})
export class ConsoleModule {}
