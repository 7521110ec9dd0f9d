import { readFileSync } from 'node:fs';

/** The subpath imports of package.json for the libraries in libs/, such as `#domain/*`. */
const { imports } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const libraries = Object.values(imports)
  .flatMap(({ source }) => source?.match(/(?<=^\.\/libs\/)[^/]+/) ?? [])
  .join('|');
const folders = 'apps|projections|test';

/**
 * Programs that tests start and never import. package.json points these names to the built files in
 * dist/.
 */
const programs = String.raw`.*/(?:calculator-worker|damage-worker|embedded-parent|main)\.js$`;

/** @type {import('jest').Config} */
export default {
  // The files take a given event store in turn.
  maxWorkers: process.env['MACE_EVENTSTORE_URL'] ? 1 : 2,
  // The ES modules of finished test files stay in a worker's memory, so Jest replaces a worker that uses
  // more than this.
  workerIdleMemoryLimit: '2GB',
  // A test may start servers, and both cores may be busy with other tests.
  testTimeout: 240_000,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/projections', '<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // These tests need Docker; `npm run test:containers` runs them.
  testPathIgnorePatterns: ['<rootDir>/test/containers/'],
  // The adapters have packages and test runners of their own; `npm run test:adapters` tests them.
  modulePathIgnorePatterns: ['<rootDir>/libs/adapters/'],
  injectGlobals: false,
  globalSetup: '<rootDir>/test/support/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.mjs',
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  testSequencer: '<rootDir>/test/support/jest/sequencer.mjs',
  reporters: ['default', '<rootDir>/test/support/jest/count-reporter.mjs'],
  extensionsToTreatAsEsm: ['.ts'],
  // SWC compiles the tests as `nest build` compiles the product; both read .swcrc.
  transform: { '\\.ts$': '@swc/jest' },
  // Imports name the built files (.js). In tests they are mapped to the sources (.ts).
  moduleNameMapper: {
    [`^#(${libraries})/(?!${programs})(.*?)(?:\\.js)?$`]: '<rootDir>/libs/$1/$2',
    [`^#(${folders})/(?!${programs})(.*?)(?:\\.js)?$`]: '<rootDir>/$1/$2',
    '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1.ts'],
  },
};
