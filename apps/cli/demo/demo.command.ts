import type { Command } from 'commander';

export const addDemoCommand = (program: Command): Command => program.command('demo');
