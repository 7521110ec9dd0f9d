import { defineConfig } from 'vitest/config';

// LangGraph's own suite takes its test functions from the globals.
export default defineConfig({ test: { globals: true, testTimeout: 30_000, hookTimeout: 30_000 } });
