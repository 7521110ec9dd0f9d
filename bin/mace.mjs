#!/usr/bin/env node
// Builds what is stale, so that the command works right after `npm ci`, then runs the CLI.
import { build } from '../scripts/build.mjs';

process.setSourceMapsEnabled(true);
await build({ onlyStale: true });
await import('../dist/apps/cli/main.js');
