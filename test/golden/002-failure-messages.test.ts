import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import answers from '#domain/errors/golden_answers.json' with { type: 'json' };
import messages from '#domain/errors/golden_messages.json' with { type: 'json' };

/** The failure cases of document 002 in its order: code, status, severity, and what people read. */
const CASES = [
  [
    'SEM_NOT_FOUND',
    400,
    'info',
    'I don’t have that information stored yet. If you want, tell me and I’ll remember it.',
  ],
  [
    'SEM_WRITE_FAIL',
    500,
    'warning',
    'I tried to save that but my memory failed. I might not remember this next time.',
  ],
  ['ROUTER_NO_MATCH', 400, 'info', 'I don’t have a module for that type of request yet.'],
  [
    'AGENT_TIMEOUT',
    504,
    'warning',
    'One of my internal modules timed out while trying to fetch the answer. I’ll try a fallback.',
  ],
  [
    'AGENT_ERROR',
    500,
    'error',
    'A module failed while processing your request. I can try a partial result or you can try again.',
  ],
  [
    'LLM_SERVICE_DOWN',
    503,
    'critical',
    'I can’t reach my language engine right now. Try again later.',
  ],
  [
    'COUNCIL_DEADLOCK',
    409,
    'warning',
    'I’m not confident enough to decide on this. Do you want me to ask for human review or try a different approach?',
  ],
  [
    'LOW_CONFIDENCE',
    200,
    'warning',
    'I’m not confident about this answer. Would you like me to double-check or get a human to review?',
  ],
  [
    'REPAIR_LIMIT_EXCEEDED',
    503,
    'error',
    'I tried several times but couldn’t reach a reliable answer. Want to escalate to human review?',
  ],
  [
    'INVALID_INPUT',
    400,
    'info',
    'Your request looks malformed or too large. Please shorten it or fix the format.',
  ],
  [
    'PRIVACY_BLOCKED',
    403,
    'warning',
    'I can’t store or repeat that kind of sensitive personal information.',
  ],
  ['CACHE_ERROR', 500, 'warning', ''],
  [
    'LOG_INVALID',
    400,
    'error',
    'There was an internal integrity issue; request flagged for review.',
  ],
  ['STORAGE_FULL', 507, 'critical', 'My memory is full right now; I can’t store new information.'],
  ['PERMISSION_DENIED', 403, 'warning', 'You don’t have permission to do that.'],
] as const;

for (const [index, [code, status, severity, user_message]] of CASES.entries())
  test(`002 failure ${index + 1} [stage0] [golden] golden_messages.json gives ${code} the status, severity and text of its case`, () => {
    expect(messages[code]).toMatchObject({ status, severity, user_message });
  });

test('002 failure 2 [stage1] [golden] golden_messages.json gives MEMORY_WRITE_FAIL the status, severity and text of SEM_WRITE_FAIL', () => {
  expect(messages.MEMORY_WRITE_FAIL).toStrictEqual(messages.SEM_WRITE_FAIL);
});

test('002-T21 [stage0] [golden] [critical] golden_messages.json gives IMMUTABLE_FIELD the text of ImmutableFieldError', () => {
  expect(messages.IMMUTABLE_FIELD.user_message).toBe(
    'Cannot modify immutable fields. Create an Amendment instead.',
  );
});

test('004-G4 [stage0] [golden] [critical] golden_answers.json gives a question about earlier turns the text of the document', () => {
  expect(answers.EARLIER_TURNS).toBe(
    'I don’t have long-term storage of your previous messages yet; I only remember what’s currently in context.',
  );
});

test('no other golden test quotes a fixed text, so all of them read it from its file', () => {
  const others = readdirSync(import.meta.dirname, { encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !import.meta.filename.endsWith(file),
  );
  const texts = [
    ...Object.values(messages).flatMap(({ user_message }) => user_message || []),
    ...Object.values(answers),
  ];
  const quoted = others.flatMap((file) => {
    // A text in a regular expression has its full stops escaped.
    const source = readFileSync(join(import.meta.dirname, file), 'utf8').replaceAll('\\', '');
    return texts.filter((text) => source.includes(text)).map((text) => [file, text]);
  });
  expect(quoted).toStrictEqual([]);
});
