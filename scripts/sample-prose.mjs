// Draws comments, docstrings, test titles and messages at random, for readers who have never seen the code:
//   node scripts/sample-prose.mjs [--seed 1] [--count 200]
// Prints the seed, then one numbered sentence a line: what it is, the sentence, and the code line that it heads.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';

const { values } = parseArgs({
  options: { seed: { type: 'string' }, count: { type: 'string', default: '200' } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const root = fileURLToPath(new URL('..', import.meta.url));
const files = execFileSync('git', ['ls-files', '*.ts', '*.mjs'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !/^libs\/(client\/api|mcp\/requests)\.ts$/.test(file));

const TITLES = new Set(['test', 'it', 'describe']);
const LOGS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);

/** The text of a comment without its marks. */
const wordsOf = (comment) =>
  comment
    .replace(/^\/\*\*?|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(\*|\/\/)?\s?/, ''))
    .join(' ')
    .trim();

const lineBehind = (text, end) =>
  text
    .slice(end)
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '' && !line.startsWith('//') && !line.startsWith('*'))
    ?.slice(0, 140) ?? '';

/** Returns the comments of a file. Neighbouring line comments are one comment. */
function commentsOf(text) {
  const found = [];
  const scanner = ts.createScanner(
    ts.ScriptTarget.Latest,
    false,
    ts.LanguageVariant.Standard,
    text,
  );
  let braces = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (kind === ts.SyntaxKind.TemplateHead) braces.push(0);
    else if (braces.length > 0 && kind === ts.SyntaxKind.OpenBraceToken)
      braces[braces.length - 1] += 1;
    else if (braces.length > 0 && kind === ts.SyntaxKind.CloseBraceToken) {
      if (braces.at(-1) > 0) braces[braces.length - 1] -= 1;
      else if (scanner.reScanTemplateToken(false) === ts.SyntaxKind.TemplateTail) braces.pop();
    } else if (kind === ts.SyntaxKind.SlashToken || kind === ts.SyntaxKind.SlashEqualsToken) {
      const before = text.slice(0, scanner.getTokenStart()).trimEnd().at(-1) ?? '';
      if (/[(,=:[!&|?{};>]/.test(before)) scanner.reScanSlashToken();
    }
    const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia;
    if (!isLine && kind !== ts.SyntaxKind.MultiLineCommentTrivia) continue;
    const start = scanner.getTokenStart();
    const end = scanner.getTokenEnd();
    const last = found.at(-1);
    if (isLine && last?.isLine && text.slice(last.end, start).trim() === '') {
      last.comment += `\n${scanner.getTokenText()}`;
      last.end = end;
    } else found.push({ isLine, comment: scanner.getTokenText(), end });
  }
  return found.map(({ isLine, comment, end }) => ({
    kind: isLine ? 'comment' : 'docstring',
    words: wordsOf(comment),
    context: lineBehind(text, end),
  }));
}

/** Returns the titles of tests, and the sentences that are logged or thrown. */
function sentencesOf(file, text) {
  const found = [];
  const visit = (node, suite) => {
    let inner = suite;
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const callee = node.expression;
      const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
      const [first] = node.arguments ?? [];
      if (name === 'describe' && first !== undefined) inner += `${first.getText().slice(1, -1)} > `;
      const isLog = ts.isPropertyAccessExpression(callee) && LOGS.has(name);
      const kind = TITLES.has(name)
        ? 'test title'
        : isLog
          ? 'log line'
          : ts.isNewExpression(node) && name.endsWith('Error')
            ? 'error'
            : undefined;
      for (const argument of kind === undefined ? [] : (node.arguments ?? []))
        if (ts.isStringLiteralLike(argument) || ts.isTemplateExpression(argument))
          if (argument.getText().includes(' '))
            found.push({ kind, words: suite + argument.getText().slice(1, -1), context: '' });
    }
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), '');
  return found;
}

/** Returns a random generator, Mulberry32: the same seed draws the same sentences. */
function randomOf(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const all = files.flatMap((file) => {
  const text = readFileSync(`${root}/${file}`, 'utf8');
  return [...commentsOf(text), ...sentencesOf(file, text)]
    .filter(({ words }) => words.split(' ').length >= 3)
    .map((sentence) => ({ ...sentence, file }));
});
const random = randomOf(seed);
const drawn = [];
while (drawn.length < Number(values.count) && all.length > 0)
  drawn.push(...all.splice(Math.floor(random() * all.length), 1));
console.log(`seed ${seed}, ${drawn.length} of ${drawn.length + all.length}`);
drawn.forEach(({ kind, words, context, file }, index) => {
  const heads = context === '' ? '' : `\n      above: ${context}`;
  console.log(`${index + 1}. [${kind}, ${file}] ${words}${heads}`);
});
