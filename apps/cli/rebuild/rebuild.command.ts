import type { Command } from 'commander';
import { setTimeout as pause } from 'node:timers/promises';
import type { MaceClient } from '#client/mace-client.js';
import type { ProjectionStatus } from '#client/projections.js';
import { CommandFailure, couldNotCheck, EXIT } from '../exit-code.js';
import { connect, type ServiceOptions, withServiceOptions } from '../service/connection.js';
import { coloursFor } from '../terminal/colour.js';
import { counted, duration, printJson } from '../terminal/output.js';

interface RebuildOptions extends ServiceOptions {
  readonly json?: boolean;
}

const POLL_MS = 200;
const SAY_EVERY_MS = 5_000;
/** After this time without a heartbeat, no process projects the read models, so no rebuild will end. */
const MAX_SILENCE_MS = 15_000;

/** `mace rebuild`: rebuilds a read model from the log. */
export const addRebuildCommand = (program: Command): Command =>
  withServiceOptions(
    program
      .command('rebuild')
      .summary('fill a read model anew from the log')
      .description(
        'Rebuilds a read model beside the live one, names the rows that differ, and swaps the two. Queries work ' +
          'meanwhile. The command waits until the rebuild is done. Without a name, it lists the read models.',
      )
      .argument('[projection]', 'the read model, such as sem, episodes, action_requests, jobs')
      .option('--json', 'print the state as JSON')
      .addHelpText('after', '\nExample:\n  mace rebuild episodes'),
  ).action(async (name: string | undefined, options: RebuildOptions) => {
    const client = await connect(options, { sub: 'mace-rebuild', roles: ['admin'] });
    if (name === undefined) return list(client, options);
    const began = Date.now();
    await client.projections.rebuild(name);
    const status = await rebuilt(client, name);
    const took = Date.now() - began;
    if (options.json) printJson({ ...status, duration_ms: took });
    else {
      console.log(
        `${name} is rebuilt and live after ${duration(took)}, at position ${status.position ?? 'none'}`,
      );
      printDifferences(status);
    }
  });

/** Prints the rows that were not as the log gives them. */
function printDifferences({ differences }: ProjectionStatus): void {
  if (differences.length === 0) return console.log('its rows were as the log gives them');
  const { red } = coloursFor(process.stdout);
  for (const { table, difference, key, count } of differences)
    console.log(`${red(difference)}  ${table}  ${key ?? counted(count, 'row')}`);
}

async function list(client: MaceClient, { json }: RebuildOptions): Promise<void> {
  const { projections } = await client.projections.list();
  if (json) return printJson({ projections });
  for (const { name, position, rebuilding, stopped } of projections)
    console.log(
      `${name.padEnd(16)} ${position ?? 'empty'}${rebuilding ? '  rebuilding' : ''}${stopped ? '  STOPPED' : ''}`,
    );
}

/** Waits until the new read model has replaced the old one. */
async function rebuilt(client: MaceClient, name: string): Promise<ProjectionStatus> {
  const began = Date.now();
  let saidAt = began;
  for (;;) {
    const { projections } = await client.projections.list();
    const status = projections.find((projection) => projection.name === name);
    if (status === undefined) throw couldNotCheck(`There is no read model ${name} any more.`);
    if (status.stopped)
      throw new CommandFailure(
        EXIT.broken,
        `${name} stopped at an event that it cannot project: ${JSON.stringify(status.stopped)}`,
      );
    if (!status.rebuilding) return status;
    const { heartbeat_seconds_ago: heartbeat } = status;
    if (Math.min(Date.now() - began, (heartbeat ?? Infinity) * 1_000) > MAX_SILENCE_MS)
      throw couldNotCheck(
        `No process projects ${name}. It is rebuilt as soon as one does; the log of the service or projector says why none does.`,
      );
    if (Date.now() - saidAt > SAY_EVERY_MS) {
      process.stderr.write(`Rebuilding ${name}…\n`);
      saidAt = Date.now();
    }
    await pause(POLL_MS);
  }
}
