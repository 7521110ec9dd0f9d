import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import prose from './eslint.prose.mjs';

const noClock = 'The domain has no clock: time is ticks or recorded input (SPEC I2).';
const noRandom = 'The domain has no random source (SPEC I2).';
const noLocale = 'What a locale decides differs between machines (SPEC I2).';

const noState =
  'A module of the domain keeps nothing: whoever needs a state makes it and hands it in.';
const notInBrowsers =
  'The domain runs in a browser, which has no Buffer: use Uint8Array and TextEncoder.';

const atModuleLevel = ':matches(Program, ExportNamedDeclaration) > VariableDeclaration';
const notReadonly = ':not([id.typeAnnotation.typeAnnotation.typeName.name=/^Readonly/])';
const moduleState = [
  `${atModuleLevel}[kind!='const']`,
  `${atModuleLevel} > VariableDeclarator${notReadonly} > NewExpression.init[callee.name=/(Map|Set|Array|ArrayBuffer)$/]`,
  `${atModuleLevel} > VariableDeclarator[id.typeAnnotation.typeAnnotation.type='TSArrayType']`,
  `${atModuleLevel} > VariableDeclarator:not([id.typeAnnotation]) > :matches(ArrayExpression[elements.length=0], ObjectExpression[properties.length=0])`,
  'PropertyDefinition[static=true]:not([readonly=true])',
  // A regular expression with this flag keeps its position in itself, which is mutable state.
  'Literal[regex.flags=/y/]',
  "AssignmentExpression[left.property.name='lastIndex']",
].map((selector) => ({ selector, message: noState }));

const oneClient =
  'Services outside are asked by askOutside (libs/bounded/outside.ts), which bounds what they answer.';

const impureProperties = [
  { object: 'Date', property: 'now', message: noClock },
  { object: 'Math', property: 'random', message: noRandom },
  ...[
    'localeCompare',
    'toLocaleString',
    'toLocaleDateString',
    'toLocaleTimeString',
    'toLocaleLowerCase',
    'toLocaleUpperCase',
  ].map((property) => ({ property, message: noLocale })),
];

const impureGlobals = [
  ...['setTimeout', 'setInterval', 'setImmediate', 'performance'].map((name) => ({
    name,
    message: noClock,
  })),
  { name: 'crypto', message: noRandom },
  { name: 'Intl', message: noLocale },
  { name: 'fetch', message: 'The domain does no I/O (SPEC I2).' },
  { name: 'process', message: 'The domain is configured by its arguments.' },
  { name: 'Buffer', message: notInBrowsers },
  { name: 'globalThis', message: 'It leads to clocks and random sources (SPEC I2).' },
];

const impureImports = [
  ...['node:crypto', 'crypto'].map((name) => ({
    name,
    importNames: [
      'default',
      'randomUUID',
      'randomBytes',
      'randomInt',
      'randomFillSync',
      'webcrypto',
    ],
    message: noRandom,
  })),
  { name: 'uuid', importNames: ['v1', 'v4', 'v6', 'v7'], message: noRandom },
];

/** An event is typed by `eventOf`, a command by the event that recorded it, an answer by its command. */
const noCasts = [
  {
    selector: 'TSAsExpression > TSTypeReference[typeName.name=/(Event|Events|Command|Trace)$/]',
    message:
      'Do not cast an event or a command: eventOf (libs/domain/upcast.ts) gives it its type.',
  },
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      '**/node_modules/',
      '**/*.mjs',
      '**/*.cjs',
      '.mace/',
      'libs/client/api.ts',
      'libs/adapters/',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/require-await': 'off',
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  { plugins: { prose }, rules: { 'prose/plain-english': 'error' } },
  {
    files: ['apps/console/**/*.tsx', 'apps/console/**/*.ts'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
    },
  },
  {
    // Nest injects by the parameter types that the compiler emits, so these imports must stay values.
    files: ['apps/**/*.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    files: ['libs/domain/**/*.ts'],
    rules: {
      'no-restricted-properties': ['error', ...impureProperties],
      'no-restricted-globals': ['error', ...impureGlobals],
      'no-restricted-imports': ['error', { paths: impureImports }],
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: noClock,
        },
        { selector: "CallExpression[callee.name='Date']", message: noClock },
        ...moduleState,
        ...noCasts,
      ],
    },
  },
  {
    // The SDK and the CLI, which uses it, ask the service itself; the console runs in browsers.
    files: ['apps/**/*.ts', 'libs/**/*.ts', 'projections/**/*.ts'],
    ignores: [
      'libs/domain/**',
      'libs/client/**',
      'apps/console/**',
      'libs/bounded/outside.ts',
      '**/*.test.ts',
    ],
    rules: {
      'no-restricted-globals': ['error', { name: 'fetch', message: oneClient }],
      'no-restricted-properties': [
        'error',
        { object: 'globalThis', property: 'fetch', message: oneClient },
        { object: 'global', property: 'fetch', message: oneClient },
      ],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            ...['node:http', 'http', 'node:https', 'https'].map((name) => ({
              name,
              importNames: ['request', 'get'],
              message: oneClient,
            })),
            ...['node:https', 'https', 'undici', 'axios'].map((name) => ({
              name,
              message: oneClient,
            })),
          ],
        },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'CallExpression[callee.object.name=/^https?$/][callee.property.name=/^(request|get)$/]',
          message: oneClient,
        },
        {
          selector:
            "CallExpression[callee.name='createRemoteJWKSet']:not([arguments.1.properties.0.key.name='customFetch'])",
          message: oneClient,
        },
        ...noCasts,
      ],
    },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts', 'apps/cli/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
);
