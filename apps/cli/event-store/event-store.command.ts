import type { Command } from 'commander';
import { addSetupCommand } from './setup.command.js';

/** `mace event-store`: prepares a server of your own for the service. */
export function addEventStoreCommand(program: Command): void {
  const command = program
    .command('event-store')
    .summary('prepare an EventStoreDB or KurrentDB for the service')
    .description('Prepares an EventStoreDB or KurrentDB for the service.')
    .addHelpText(
      'after',
      `
Example:
  mace event-store setup --user mace --json`,
    );
  addSetupCommand(command);
}
