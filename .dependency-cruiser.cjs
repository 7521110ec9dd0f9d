// Dependencies point one way: apps → projections, libs; projections → read-model, event-store, domain;
// read-model, event-store → domain; domain → nothing but a few pure libraries.
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(apps|libs|projections|test|bench)/', pathNot: [from, ...allowed] },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    only('domain-is-alone', '^libs/domain/', [], 'The domain knows nothing outside itself.'),
    {
      name: 'domain-is-pure',
      comment: 'No framework, no I/O: only hashing and pure libraries.',
      severity: 'error',
      from: { path: '^libs/domain/' },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'core'],
        pathNot: [
          '^crypto$',
          '^node:crypto$',
          'node_modules/(canonicalize|uuid|mathjs|libphonenumber-js|ibantools|validator|tldts|decimal\\.js)/',
        ],
      },
    },
    only('event-store-knows-the-domain', '^libs/event-store/', ['^libs/domain/']),
    only('read-model-knows-events', '^libs/read-model/', ['^libs/domain/', '^libs/event-store/']),
    only('embedded-stands-alone', '^libs/embedded/', []),
    only('client-stands-alone', '^libs/client/', []),
    only('projections-map-events', '^projections/', ['^libs/(read-model|event-store|domain)/']),
    {
      name: 'apps-are-not-imported',
      severity: 'error',
      from: { path: '^(libs|projections)/' },
      to: { path: '^(apps|test|bench)/' },
    },
    {
      name: 'one-place-knows-the-database-client',
      comment:
        'Only libs/event-store speaks to EventStoreDB; the embedded node serves the same protocol.',
      severity: 'error',
      from: { pathNot: '^(libs/(event-store|embedded)|test|bench)/' },
      to: { path: 'node_modules/@eventstore/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^dist/|^bench/node_modules)' },
    tsConfig: { fileName: 'tsconfig.depcruise.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      mainFields: ['module', 'main'],
    },
  },
};
