#!/usr/bin/env node
// Builds what is stale, so that the command works right after `npm ci`, then runs the CLI.
import { existsSync } from 'node:fs';

process.setSourceMapsEnabled(true);
const build = new URL('../scripts/build.mjs', import.meta.url);
// The Docker image holds what was built, and no sources.
if (existsSync(build)) await import(build.href);
await import('../dist/programs/mace.js');
