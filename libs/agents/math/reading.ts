import type { MathTask } from './task.js';

/** The maximum length of a text that is read as a formula. */
const MAX_TEXT = 1_000;

const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/[×·⋅∙]/g, '*'],
  [/[÷∕]/g, '/'],
  [/[−–—]/g, '-'],
  [/\*\*/g, '^'],
  [/²/g, '^2'],
  [/³/g, '^3'],
  [/√ ?/g, 'sqrt '],
  [/[πΠ]/g, ' pi '],
  [/∫/g, 'integrate '],
];

const NUMBER = String.raw`\d+(?:\.\d+)?`;
const number = (pattern: string): RegExp => new RegExp(pattern.replaceAll('N', `(${NUMBER})`), 'g');

/** Words that stand for signs, in the order in which they are replaced. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bpercent\b/g, '%'],
  [/ %/g, '%'],
  [number(`^(?:increase|raise) N by N%$`), '$1*(1+$2/100)'],
  [number(`^(?:decrease|reduce|lower) N by N%$`), '$1*(1-$2/100)'],
  [number(`^add N% to N$`), '$2*(1+$1/100)'],
  [number(`N% off(?: of)? `), '(1-$1/100)*'],
  [number(`^what% of N is N$`), '100*$2/$1'],
  [number(`^N is what% of N$`), '100*$1/$2'],
  [number(`N% of `), '$1/100*'],
  [/\bdivided by\b|\bover\b/g, '/'],
  [/\bmultiplied by\b|\btimes\b/g, '*'],
  [/\bplus\b/g, '+'],
  [/\bminus\b/g, '-'],
  [/\bmodulo\b/g, 'mod'],
  [/\bto the power of\b/g, '^'],
  [/\bsquared\b/g, '^2'],
  [/\bcubed\b/g, '^3'],
  [number(`(?:\\bthe )?\\bsquare root of N`), 'sqrt($1)'],
  [number(`(?:\\bthe )?\\bcube root of N`), 'cbrt($1)'],
  [/(?:\bthe )?\bsquare root of /g, 'sqrt '],
  [/(?:\bthe )?\bcube root of /g, 'cbrt '],
  [number(`(?:\\bthe )?\\bfactorial of N`), '$1!'],
  [number(`^(?:the )?sum of N and N$`), '$1+$2'],
  [number(`^(?:the )?difference (?:of|between) N and N$`), '$1-$2'],
  [number(`^(?:the )?product of N and N$`), '$1*$2'],
  [/\b(sqrt|cbrt|sin|cos|tan|ln|log|exp) (\d+(?:\.\d+)?|pi|[a-z])(?![\w(])/g, '$1($2)'],
  [/\b(sqrt|cbrt|sin|cos|tan|ln|log|exp) (?=\()/g, '$1'],
];

const LEAD =
  /^(?:(?:please|can you|could you|tell me|what is|what's|what’s|whats|how much is|calculate|compute|evaluate|work out|find|solve|the (?:result|value|answer) (?:of|to)|for [a-z](?= in |:))(?= |:|,|$)|in(?= )|[:,])[ ]?/;

/** Matches a number in scientific notation, which the parser of exact numbers does not accept. */
const SCIENTIFIC = /(?<![\w.])(\d+(?:\.\d+)?)e([+-]?\d{1,4})(?![\w.])/g;
/** Matches commas between groups of three digits, unless they could separate the arguments of a function. */
const GROUPING = /(?<=\d),(?=\d{3}(?!\d))/g;

function withoutLead(text: string): string {
  let rest = text;
  for (let lead = LEAD.exec(rest); lead?.[0]; lead = LEAD.exec(rest))
    rest = rest.slice(lead[0].length);
  return rest;
}

const replaced = (text: string, rules: readonly (readonly [RegExp, string])[]): string =>
  rules.reduce((now, [pattern, by]) => now.replace(pattern, by), text);

const formulaOf = (text: string): string => {
  const signs = replaced(text, WORDS).replace(SCIENTIFIC, '($1*10^($2))');
  return (/[a-z]\(/.test(signs) ? signs : signs.replace(GROUPING, '')).trim();
};

/**
 * Separates the formula in a text from the variable that the text names: `x` in "of x^2 with respect to
 * x" and in "x^2 dx".
 */
function withVariable(text: string): {
  readonly expression: string;
  readonly variable: string | null;
} {
  const said = / (?:with respect to|w\.r\.t\.?|wrt|for) ([a-z])$/.exec(text);
  const body = said ? text.slice(0, said.index) : text;
  const differential = / ?\bd([a-z])$/.exec(body);
  const expression = differential ? body.slice(0, differential.index) : body;
  return { expression: formulaOf(expression), variable: said?.[1] ?? differential?.[1] ?? null };
}

function integralOf(text: string): MathTask {
  const bounded = / from ([^ ]+) to ([^ ]+)( d[a-z])?$/.exec(text);
  const [, from = '', to = '', differential = ''] = bounded ?? [];
  const body = bounded ? text.slice(0, bounded.index) + differential : text;
  const bounds = bounded ? { from: formulaOf(from), to: formulaOf(to) } : null;
  return { kind: 'integral', ...withVariable(body), bounds };
}

const INTEGRAL =
  /^(?:the )?(?:(?:indefinite |definite )?integral of|antiderivative of|integrate) ?/;
const DERIVATIVE = /^(?:the )?(?:derivative of|differentiate) ?/;
const D_DX = /^d ?\/ ?d([a-z]) ?/;

/**
 * Reads the task in a text; undefined if the text is too long. Whether the task is a formula is left to
 * the parser.
 */
export function readTask(text: string): MathTask | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const folded = replaced(text.toLowerCase(), SIGNS).normalize('NFKC').replace(/\s+/g, ' ').trim();
  const asked = withoutLead(folded.replace(/(?<![?.=])[?.=]+$/, '').trim());
  const after = (beginning: RegExp): string => asked.replace(beginning, '');
  if (INTEGRAL.test(asked)) return integralOf(after(INTEGRAL));
  if (DERIVATIVE.test(asked)) return { kind: 'derivative', ...withVariable(after(DERIVATIVE)) };
  const by = D_DX.exec(asked)?.[1];
  if (by !== undefined)
    return { kind: 'derivative', expression: formulaOf(after(D_DX)), variable: by };
  const { expression, variable } = withVariable(asked);
  const sides = expression.split('=');
  const [left = '', right] = sides;
  if (right === undefined || sides.length > 2) return { kind: 'evaluate', expression };
  return { kind: 'solve', left, right, variable };
}
