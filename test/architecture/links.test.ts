import { expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function pagesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return /^(?:\.|node_modules$|dist$)/.test(entry.name) ? [] : pagesIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}
const pages = pagesIn(ROOT);

const withoutCode = (text: string): string => text.replace(/^```[^]*?^```$/gm, '');

/** The anchors that GitHub gives to the headings of a page. */
const anchorsOf = (path: string): readonly string[] =>
  [...withoutCode(readFileSync(path, 'utf8')).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );

function brokenLinksOf(page: string): string[] {
  const text = withoutCode(readFileSync(page, 'utf8'));
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)];
  return links
    .map(([, link, source]) => link ?? source ?? '')
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(target)) return true;
      return (
        anchor !== undefined && (!statSync(target).isFile() || !anchorsOf(target).includes(anchor))
      );
    })
    .map((link) => `${relative(ROOT, page)}: ${link}`);
}

test('every link of a page leads to a file, and to a heading in it', () => {
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.flatMap(brokenLinksOf)).toStrictEqual([]);
});
