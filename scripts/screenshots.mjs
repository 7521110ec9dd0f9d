// Takes the pictures of the console in docs/screenshots: npm run screenshots
// It starts a service on a temporary data directory, fills it with a story, and opens the pages in Chromium.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MaceClient } from '../dist/libs/client/index.js';
import { mintToken } from '../dist/libs/platform/auth/mint-token.js';
import { keysOf } from '../dist/libs/platform/config/keys.js';
import { launchChromium } from '../dist/test/support/chromium.js';
import { tellStory } from './screenshots/story.mjs';

const MAX_BYTES = 240_000;
const DAY_SECONDS = 86_400;
const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** Starts a service on a data directory of its own. */
async function startService(dataDir) {
  const child = spawn(process.execPath, [path('dist/programs/api.js')], {
    env: { ...process.env, PORT: '0', MACE_DATA_DIR: dataDir, MACE_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let text = '';
  const url = await new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (piece) => {
      text += piece;
      const found = /Listening on +(\S+)/.exec(text);
      if (found) resolve(found[1]);
    });
    void ended.then(() => reject(new Error(`The service did not start: ${text}`)));
  });
  return { url, stop: () => (child.kill('SIGINT'), ended) };
}

const PAGES = [
  { name: 'start', roles: ['council'], sub: 'noor', at: () => '/' },
  { name: 'requests', roles: ['council'], sub: 'noor', at: () => '/requests' },
  { name: 'request', roles: ['council'], sub: 'noor', at: ({ request }) => `/requests/${request}` },
  { name: 'job', roles: ['auditor'], sub: 'ines', at: ({ job }) => `/jobs/${job}` },
  { name: 'fact', roles: ['auditor'], sub: 'ines', at: ({ fact }) => `/facts/${fact}` },
  { name: 'privacy', roles: ['admin'], sub: 'operator', at: () => '/privacy' },
  { name: 'integrity', roles: ['admin'], sub: 'operator', at: () => '/integrity' },
];

async function takePictures(browser, url, tokenOf, world) {
  for (const colorScheme of ['light', 'dark'])
    for (const { name, roles, sub, at } of PAGES) {
      const context = await browser.newContext({
        ...{ colorScheme, reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } },
      });
      const token = await tokenOf(roles, sub);
      await context.addInitScript(
        (stored) => sessionStorage.setItem('mace.session', stored),
        token,
      );
      const page = await context.newPage();
      await page.goto(`${url}/console${at(world)}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      // The stream of events stays open, so a page is complete when nothing is loading any more.
      await page
        .getByText(/^Loading /)
        .first()
        .waitFor({ state: 'detached' });
      await page.evaluate(() => document.fonts.ready);
      const file = path(`docs/screenshots/${name}-${colorScheme}.png`);
      await page.screenshot({ path: file });
      const { size } = await stat(file);
      if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes; ${MAX_BYTES} are allowed`);
      process.stdout.write(`${name}-${colorScheme}.png ${Math.round(size / 1000)} kB\n`);
      await context.close();
    }
}

const dataDir = await mkdtemp(join(tmpdir(), 'mace-screenshots-'));
const service = await startService(dataDir);
const browser = await launchChromium();
try {
  const { jwtSecret } = await keysOf(dataDir);
  const tokenOf = (roles, sub, user_id) =>
    mintToken({ jwtSecret }, { roles, sub, user_id, ttl: DAY_SECONDS });
  const clientOf = (...claims) =>
    new MaceClient({ baseUrl: service.url, token: () => tokenOf(...claims) });
  const world = await tellStory(clientOf);
  await mkdir(path('docs/screenshots'), { recursive: true });
  await takePictures(browser, service.url, tokenOf, world);
} finally {
  await browser.close();
  await service.stop();
  await rm(dataDir, { recursive: true });
}
