/** Phrases that readers of this code had to read twice, and what to write instead. */
const PHRASES = [
  [/(?<!there )\b(is|are|was|were) none\b/i, 'say what it is, or that it does not exist'],
  [
    /(?<!there )\b(is|are) no (?!longer\b|more than\b|less than\b)[a-z]/i,
    'write "is not a …" or name what it is',
  ],
  [/\bthere (is|are) not\b/i, 'write "… does not exist"'],
  [/\bwhoever\b/i, 'name the agent: the caller, the client, the handler'],
  [/\b(told|tells|heard|hears)\b/i, 'write "reports", "returns", "records" or "receives"'],
  [/\bas (it|they) (is|are|was|were) (told|said)\b/i, 'name who states it'],
  [/\b(said|known|found) to be\b/i, 'state the fact directly'],
  [/\b(hereby|therein|thereof|wherein|whereof|lest|hitherto)\b/i, 'use the everyday word'],
  [/\bother hands\b|\bby itself alone\b/i, 'use the everyday phrase'],
  [/\bhas (it|them) (that|so)\b/i, 'state the fact directly'],
];
const TITLES = new Set(['test', 'it', 'describe']);

const titleOf = ({ callee, arguments: [first] }) => {
  const name = callee.type === 'MemberExpression' ? callee.object.name : callee.name;
  if (!TITLES.has(name) || first === undefined) return undefined;
  if (first.type === 'Literal' && typeof first.value === 'string') return first.value;
  return first.type === 'TemplateLiteral'
    ? first.quasis.map(({ value }) => value.cooked).join('…')
    : undefined;
};

/** Rejects these phrases in comments and in titles of tests. */
const plainEnglish = {
  meta: { type: 'suggestion', schema: [], messages: { phrase: '"{{found}}": {{advice}}.' } },
  create(context) {
    const check = (text, loc) => {
      for (const [phrase, advice] of PHRASES) {
        const found = phrase.exec(text)?.[0];
        if (found !== undefined)
          context.report({ loc, messageId: 'phrase', data: { found, advice } });
      }
    };
    return {
      Program() {
        for (const { value, loc } of context.sourceCode.getAllComments())
          check(value.replace(/\s*\n\s*\*?\s*/g, ' '), loc);
      },
      CallExpression(node) {
        const title = titleOf(node);
        if (title !== undefined) check(title, node.arguments[0].loc);
      },
    };
  },
};

export default { rules: { 'plain-english': plainEnglish } };
