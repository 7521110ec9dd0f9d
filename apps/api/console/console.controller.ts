import { Controller, Get, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { ListSignInWays, MakeLink, UseLink, WhoAmI } from './sign-in.js';
import { ThisMachineGuard } from './this-machine.guard.js';

/** How people get into the console. Nothing here reads or writes memory. */
@ApiTags('console')
@Controller('v1/console')
export class ConsoleController extends RequestController {
  @Get('sign-in')
  ways(@Request() asked: ListSignInWays) {
    return this.queries.execute(asked);
  }

  @Post('sign-in')
  @UseGuards(ThisMachineGuard)
  useLink(@Request() asked: UseLink) {
    return this.commands.execute(asked);
  }

  @Post('links')
  @UseGuards(ThisMachineGuard)
  makeLink(@Request() asked: MakeLink) {
    return this.commands.execute(asked);
  }

  @Get('session')
  session(@Request() asked: WhoAmI) {
    return this.queries.execute(asked);
  }
}
