import tseslint from 'typescript-eslint';

const clockAndRandom = [
  {
    object: 'Date',
    property: 'now',
    message: 'The domain has no clock: time is ticks or recorded input (SPEC I2).',
  },
  { object: 'Math', property: 'random', message: 'The domain has no random source (SPEC I2).' },
  { object: 'performance', property: 'now', message: 'The domain has no clock (SPEC I2).' },
  {
    object: 'crypto',
    property: 'randomUUID',
    message: 'The domain has no random source (SPEC I2).',
  },
  { object: 'process', property: 'env', message: 'The domain is configured by its arguments.' },
];

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'bench/node_modules/', '**/*.mjs', '**/*.cjs', '.mace/'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            {
              from: 'package',
              package: 'node:test',
              name: [
                'test',
                'it',
                'describe',
                'suite',
                'before',
                'after',
                'beforeEach',
                'afterEach',
              ],
            },
          ],
        },
      ],
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
  {
    // Nest injects by the parameter types that the compiler emits, so those imports must stay values.
    files: ['apps/**/*.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    files: ['libs/domain/**/*.ts'],
    rules: {
      'no-restricted-properties': ['error', ...clockAndRandom],
      'no-restricted-globals': [
        'error',
        'setTimeout',
        'setInterval',
        'setImmediate',
        'fetch',
        'process',
        'performance',
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'The domain has no clock (SPEC I2).',
        },
        {
          selector: "CallExpression[callee.name='Date']",
          message: 'The domain has no clock (SPEC I2).',
        },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'node:crypto',
              importNames: ['randomUUID', 'randomBytes', 'randomInt', 'webcrypto'],
              message: 'The domain has no random source (SPEC I2).',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts', 'apps/cli/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
);
