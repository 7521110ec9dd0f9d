/** Subpath imports of package.json; the libraries stand below libs/. */
const libraries =
  'domain|event-store|event-store-protocol|read-model|embedded|agents|artifacts|client|platform';
const folders = 'apps|projections|test';

/** Spawned, never imported: package.json leads these names to dist/, where they stand as they are built. */
const programs = String.raw`.*/(?:main|calculator-worker|embedded-parent)\.js$`;

/** @type {import('jest').Config} */
export default {
  maxWorkers: 2,
  // ES modules of finished files stay in a worker's memory. Jest replaces a worker that holds more.
  workerIdleMemoryLimit: '1GB',
  // A test may start servers, and both cores may be busy with other tests.
  testTimeout: 240_000,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/projections', '<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // They need Docker: `npm run test:containers`.
  testPathIgnorePatterns: ['<rootDir>/test/containers/'],
  injectGlobals: false,
  globalSetup: '<rootDir>/test/support/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.mjs',
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  reporters: ['default', '<rootDir>/test/support/jest/count-reporter.mjs'],
  extensionsToTreatAsEsm: ['.ts'],
  // As `nest build` compiles them: both read .swcrc.
  transform: { '\\.ts$': '@swc/jest' },
  // Imports name the files that are built (.js); here their sources (.ts) run.
  moduleNameMapper: {
    [`^#(${libraries})/(?!${programs})(.*?)(?:\\.js)?$`]: '<rootDir>/libs/$1/$2',
    [`^#(${folders})/(?!${programs})(.*?)(?:\\.js)?$`]: '<rootDir>/$1/$2',
    '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1.ts'],
  },
};
