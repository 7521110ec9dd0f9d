import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { compressedFiles } from './compressed-files.ts';

const libs = resolve(import.meta.dirname, '../../libs');

/** Builds the console into dist/console, from where the service serves it under /console. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  logLevel: 'warn',
  plugins: [compressedFiles()],
  resolve: {
    alias: [
      {
        find: /^#domain\/determinism\/sha\.js$/,
        replacement: `${libs}/domain/determinism/sha.browser.ts`,
      },
      { find: /^#(client|domain)\/(.*)\.js$/, replacement: `${libs}/$1/$2.ts` },
    ],
  },
  build: {
    outDir: resolve(import.meta.dirname, '../../dist/console'),
    emptyOutDir: true,
    target: 'es2022',
    // Styles and images stay in files of their own, because the content security policy allows nothing inline.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // In kB before compression. A test limits what the first page loads, compressed.
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      onwarn: (warning, warn) => {
        // Libraries mark files for servers that render React; the console has none.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
  // `npm run console:dev` serves the sources, and asks a running service for the data.
  server: { proxy: { '/v1': 'http://127.0.0.1:3000', '/health': 'http://127.0.0.1:3000' } },
});
