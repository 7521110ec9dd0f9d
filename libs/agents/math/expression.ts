import { createRequire } from 'node:module';
import type {
  ConstantNode,
  FunctionNode,
  MathJsInstance,
  MathNode,
  OperatorNode,
  SymbolNode,
} from 'mathjs';
import { notMath } from './not-solved.js';

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
const CONSTANTS: ReadonlySet<string> = new Set(['pi', 'e', 'tau', 'phi']);
const OPERATORS: ReadonlySet<string> = new Set([
  'add',
  'subtract',
  'multiply',
  'divide',
  'pow',
  'unaryMinus',
  'unaryPlus',
  'factorial',
  'mod',
]);
/** The allowed functions, each with its minimum and maximum number of arguments. */
const FUNCTIONS: Readonly<Record<string, readonly [fewest: number, most: number]>> = {
  ...Object.fromEntries(
    ['sqrt', 'cbrt', 'abs', 'sign', 'exp', 'ln', 'log10', 'log2', 'floor', 'ceil', 'factorial'].map(
      (name) => [name, [1, 1]],
    ),
  ),
  ...Object.fromEntries(
    ['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh'].map((name) => [
      name,
      [1, 1],
    ]),
  ),
  log: [1, 2],
  round: [1, 2],
  pow: [2, 2],
  mod: [2, 2],
  gcd: [2, 20],
  lcm: [2, 20],
  min: [1, 20],
  max: [1, 20],
};

export const isConstant = (name: string): boolean => CONSTANTS.has(name);

/**
 * True for a single letter that is not a constant. Longer names are not variables, so words are not read
 * as products.
 */
const isVariable = (name: string): boolean => /^[a-z]$/.test(name) && !isConstant(name);

/** True for a number. The parser also makes constants of strings and of missing operands. */
const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'object' && value !== null && 'n' in value);

function isAllowed(node: MathNode): boolean {
  switch (node.type) {
    case 'ParenthesisNode':
      return true;
    case 'ConstantNode':
      return isNumber((node as ConstantNode).value);
    case 'SymbolNode': {
      const { name } = node as SymbolNode;
      return isConstant(name) || isVariable(name) || Object.hasOwn(FUNCTIONS, name);
    }
    case 'OperatorNode':
      return OPERATORS.has((node as OperatorNode).fn);
    case 'FunctionNode':
      return isAllowedCall(node as FunctionNode);
    default:
      return false;
  }
}

function isAllowedCall({ fn, args }: FunctionNode): boolean {
  const name = fn.name;
  const [fewest, most] = Object.hasOwn(FUNCTIONS, name) ? (FUNCTIONS[name] ?? [1, 0]) : [1, 0];
  return args.length >= fewest && args.length <= most;
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
    const isFunctionName =
      node.type === 'SymbolNode' && Object.hasOwn(FUNCTIONS, (node as SymbolNode).name);
    if (nodes > MAX_NODES || !isAllowed(node) || isCallee !== isFunctionName) throw notMath();
  });
  return withoutSynonyms(root);
}

/** Replaces `ln` by `log`, the name that the differentiator knows. */
const withoutSynonyms = (root: MathNode): MathNode =>
  root.transform((node) =>
    node.type === 'SymbolNode' && (node as SymbolNode).name === 'ln' ? math.parse('log') : node,
  );

/** The variables of a formula, sorted. */
export function variablesOf(root: MathNode): readonly string[] {
  const names = new Set<string>();
  root.traverse((node) => {
    if (node.type === 'SymbolNode' && isVariable((node as SymbolNode).name))
      names.add((node as SymbolNode).name);
  });
  return [...names].sort();
}
