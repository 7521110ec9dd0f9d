import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestService } from '#test/support/service.js';
import { ConsoleBrowser } from './support/browser.js';

let service: TestService;
let browser: ConsoleBrowser;

beforeAll(async () => {
  service = await TestService.start();
  browser = await ConsoleBrowser.start();
});

afterAll(async () => {
  await browser.stop();
  await service.stop();
});

const PAGES = ['/', '/requests', '/jobs', '/facts', '/spaces', '/search', '/integrity', '/privacy'];

test('every page opens, has a heading, and meets the rules of accessibility', async () => {
  const token = await service.token(['council', 'auditor', 'admin']);
  const consolePage = await browser.open(service, token);
  for (const path of PAGES) {
    await consolePage.goto(path);
    expect([path, await consolePage.violations()]).toStrictEqual([path, []]);
  }
  expect(consolePage.errors).toStrictEqual([]);
  await consolePage.close();
});
