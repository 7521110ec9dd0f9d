// Dependencies point one way: apps → projections, libs; projections → read-model, event-store, domain;
// read-model, event-store → domain; domain → nothing but a few pure libraries.
const ours = '^(apps|libs|projections|test|bench)/';
const hashingInNode = '^libs/domain/determinism/sha\\.ts$';
const outside = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'core'];
const product = '^(apps|libs|projections)/';

// What keeps a process within its limits knows nothing of the product, so all of the product may use it.
const bounded = '^libs/bounded/';

const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: ours, pathNot: [from, bounded, ...allowed] },
});

const alone = (name, from, comment) => ({
  ...only(name, from, [], comment),
  to: { path: ours, pathNot: [from] },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-dead-ends',
      comment: 'An import that resolves to nothing would hide an arrow from the rules below.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    alone('domain-is-alone', '^libs/domain/', 'The domain knows nothing outside itself.'),
    {
      name: 'domain-is-pure',
      comment:
        'No framework, no I/O, nothing of Node: only pure libraries, so that it runs in a browser.',
      severity: 'error',
      from: { path: '^libs/domain/', pathNot: [hashingInNode] },
      to: {
        dependencyTypes: outside,
        pathNot: ['node_modules/(@noble/hashes|libphonenumber-js|ibantools|validator)/'],
      },
    },
    {
      name: 'one-file-of-the-domain-hashes-by-node',
      comment: 'Browsers get sha.browser.ts in its place (package.json, imports).',
      severity: 'error',
      from: { path: hashingInNode },
      to: { dependencyTypes: outside, pathNot: ['^(node:)?(buffer|crypto)$'] },
    },
    alone('bounds-know-nothing', bounded),
    alone('files-stand-alone', '^libs/files/'),
    alone('protocol-stands-alone', '^libs/event-store-protocol/'),
    only('event-store-knows-the-domain', '^libs/event-store/', [
      '^libs/(domain|event-store-protocol)/',
    ]),
    only('read-model-knows-events', '^libs/read-model/', ['^libs/domain/', '^libs/event-store/']),
    only('subject-keys-are-in-postgres', '^libs/subject-keys/', [
      '^libs/(domain|files|read-model)/',
    ]),
    only('embedded-stands-alone', '^libs/embedded/', ['^libs/(event-store-protocol|files)/']),
    only('agents-know-the-domain', '^libs/agents/', ['^libs/domain/']),
    only('artifacts-stand-alone', '^libs/artifacts/', ['^libs/(domain|files)/']),
    only('checkpoints-are-signed-files-of-a-log', '^libs/checkpoints/', [
      '^libs/(artifacts|domain|event-store|files|platform)/',
    ]),
    alone('client-stands-alone', '^libs/client/'),
    only('mcp-knows-the-client', '^libs/mcp/', ['^libs/client/']),
    only('platform-starts-programs', '^libs/platform/', [
      '^libs/(agents|artifacts|domain|embedded|event-store|files|read-model|subject-keys)/',
    ]),
    only('projections-map-events', '^projections/', ['^libs/(read-model|event-store|domain)/']),
    only('apps-know-the-product', '^apps/', ['^libs/', '^projections/']),
    only(
      'console-knows-the-client',
      '^apps/console/',
      ['^libs/(client|domain)/'],
      'The SDK is its only way to the data; the domain verifies bundles without the service.',
    ),
    {
      name: 'apps-stand-alone',
      comment: 'What two apps need lives in libs.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'platform-knows-no-capability',
      comment: 'apps/api/service.ts puts both together.',
      severity: 'error',
      from: { path: '^apps/api/platform/' },
      to: { path: '^apps/api/', pathNot: '^apps/api/platform/' },
    },
    {
      name: 'one-place-knows-the-database-client',
      comment:
        'Only libs/event-store speaks to EventStoreDB; the embedded node serves the same protocol.',
      severity: 'error',
      from: { pathNot: '^(libs/(event-store|embedded)|test|bench)/' },
      to: { path: 'node_modules/@eventstore/' },
    },
    {
      name: 'product-declares-what-it-imports',
      comment: 'What runs in production is a dependency of package.json, by name.',
      severity: 'error',
      // The console's libraries become part of its built files.
      from: { path: product, pathNot: '^apps/console/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '((^|/)dist/|^bench/peers/|^libs/adapters/)' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      // `source` leads the subpath imports of package.json to the TypeScript files instead of dist/.
      conditionNames: ['source', 'import', 'node', 'default'],
      mainFields: ['module', 'main'],
    },
  },
};
