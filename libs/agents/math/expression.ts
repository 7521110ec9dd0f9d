import { createRequire } from 'node:module';
import type {
  ConstantNode,
  FunctionNode,
  MathJsInstance,
  MathNode,
  OperatorNode,
  SymbolNode,
} from 'mathjs';
import { notMath } from './task.js';

/**
 * The library as one bundled file, which loads in a tenth of the time of its thousand modules. Its
 * numbers are exact. Functions that define or run something are disabled as a second safeguard;
 * parseFormula already rejects formulas that call them.
 */
export const math = createRequire(import.meta.url)('mathjs/lib/browser/math.js') as MathJsInstance;
const off = (): never => {
  throw notMath();
};
math.config({ number: 'Fraction' });
math.import(
  { import: off, createUnit: off, evaluate: off, compile: off, parser: off, chain: off },
  { override: true },
);

const MAX_NODES = 500;
const OPERATORS: ReadonlySet<string> = new Set(
  'add subtract multiply divide pow unaryMinus unaryPlus factorial mod'.split(' '),
);
const FUNCTIONS_BY_MOST_ARGUMENTS = {
  1: 'sqrt cbrt abs sign exp ln log10 log2 floor ceil factorial sin cos tan asin acos atan sinh cosh tanh',
  2: 'log round pow mod',
  20: 'gcd lcm min max',
};
/** The allowed functions, each with its maximum number of arguments. */
const FUNCTIONS: ReadonlyMap<string, number> = new Map(
  Object.entries(FUNCTIONS_BY_MOST_ARGUMENTS).flatMap(([most, names]) =>
    names.split(' ').map((name) => [name, Number(most)] as const),
  ),
);

export const isConstant = (name: string): boolean => ['pi', 'e', 'tau', 'phi'].includes(name);

/** True for a single letter that is not a constant, so words are not read as products. */
const isVariable = (name: string): boolean => /^[a-z]$/.test(name) && !isConstant(name);

/** True for a number. The parser also makes constants of strings and of missing operands. */
const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'object' && value !== null && 'n' in value);

const nameOf = (node: MathNode): string =>
  node.type === 'SymbolNode' ? (node as SymbolNode).name : '';

function isAllowed(node: MathNode): boolean {
  switch (node.type) {
    case 'ParenthesisNode':
      return true;
    case 'ConstantNode':
      return isNumber((node as ConstantNode).value);
    case 'SymbolNode':
      return isConstant(nameOf(node)) || isVariable(nameOf(node)) || FUNCTIONS.has(nameOf(node));
    case 'OperatorNode':
      return OPERATORS.has((node as OperatorNode).fn);
    case 'FunctionNode': {
      const { fn, args } = node as FunctionNode;
      return args.length > 0 && args.length <= (FUNCTIONS.get(fn.name) ?? 0);
    }
    default:
      return false;
  }
}

/**
 * Parses a formula of numbers, one-letter variables, and the operators and functions above. Assignments,
 * strings, lists, units and properties are rejected, so a formula cannot define or reach anything.
 * @throws NotSolved for any other text.
 */
export function parseFormula(text: string): MathNode {
  let root: MathNode;
  try {
    root = math.parse(text);
  } catch {
    throw notMath();
  }
  let nodes = 0;
  root.traverse((node, _path, parent) => {
    nodes += 1;
    const isCallee = parent?.type === 'FunctionNode' && (parent as FunctionNode).fn === node;
    const isMisplaced = isCallee !== FUNCTIONS.has(nameOf(node));
    if (nodes > MAX_NODES || !isAllowed(node) || isMisplaced) throw notMath();
  });
  // The differentiator knows the natural logarithm as `log`.
  return root.transform((node) => (nameOf(node) === 'ln' ? math.parse('log') : node));
}

/** The variables of a formula, sorted. */
export function variablesOf(root: MathNode): readonly string[] {
  const names = new Set<string>();
  root.traverse((node) => {
    if (isVariable(nameOf(node))) names.add(nameOf(node));
  });
  return [...names].sort();
}
