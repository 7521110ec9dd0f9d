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
 * The library as its one bundled file, which loads in a tenth of the time that its thousand modules take.
 * Numbers are exact. What defines or runs something is off, though no formula gets that far.
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
const CONSTANTS = new Set(['pi', 'e', 'tau', 'phi']);
const OPERATORS = new Set([
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
/** The functions that may be called, each with its fewest and most arguments. */
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

/** Of one letter, so that words are not taken for products of variables. */
const isVariable = (name: string): boolean => /^[a-z]$/.test(name) && !isConstant(name);

/** Strings are constants to the parser, and so is nothing at all. */
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
 * The tree of a formula, made of nothing but numbers, one-letter variables, the operators and functions of
 * above: no assignments, strings, lists, units or properties, so that nothing can be defined or reached.
 * @throws NotSolved if it is no such formula.
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

/** `ln` is what the differentiator calls `log`. */
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
