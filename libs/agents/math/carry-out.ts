import type { MathNode, OperatorNode } from 'mathjs';
import { isConstant, math, parseFormula, variablesOf } from './expression.js';
import { antiderivative, difference, polynomialOf, valueAt } from './polynomial.js';
import {
  apply,
  approximate,
  dividedByZero,
  evaluate,
  exact,
  isExact,
  isZero,
  sizeOf,
  type Quantity,
} from './quantity.js';
import { notMath, NotSolved, tooLarge, type MathResult, type MathTask } from './task.js';
import { equalsText, numberText, polynomialText, written } from './text.js';

const MAX_RESULT = 4_000;

/** Computes a task. If this is impossible, the result explains why. */
export function carryOut(task: MathTask): MathResult {
  try {
    const text = solutionOf(task);
    if (text.length > MAX_RESULT) throw tooLarge();
    return { text, solved: true };
  } catch (error) {
    if (error instanceof NotSolved) return { text: error.sentence, solved: error.isAnswer };
    throw error;
  }
}

function solutionOf(task: MathTask): string {
  switch (task.kind) {
    case 'evaluate':
      return value(parseFormula(task.expression));
    case 'derivative':
      return derivative(parseFormula(task.expression), task.variable);
    case 'integral':
      return integral(task);
    case 'solve':
      return solution(task);
  }
}

function value(node: MathNode): string {
  const isLone = node.type === 'ConstantNode' || node.type === 'SymbolNode';
  if (variablesOf(node).length > 0 || (isLone && !isConstant(node.toString()))) throw notMath();
  return `${written(node)} ${equalsText(evaluate(node))}`;
}

/** Returns the variable of a task: the named one, otherwise the only one in the formula, otherwise x. */
function variableOf(nodes: readonly MathNode[], named: string | null): string {
  const variables = [...new Set(nodes.flatMap(variablesOf))];
  if (named !== null) return named;
  const [only = 'x'] = variables;
  if (variables.length <= 1) return only;
  if (variables.includes('x')) return 'x';
  throw new NotSolved(`Which variable do you mean: ${variables.join(', ')}?`);
}

/** The maximum size of a formula that is differentiated; larger ones take the library too long. */
const MAX_NODES = 60;
const MAX_BITS = 256;

function derivative(node: MathNode, named: string | null): string {
  const variable = variableOf([node], named);
  let nodes = 0;
  node.traverse(() => (nodes += 1));
  if (nodes > MAX_NODES) throw new NotSolved('That is too complex for me.');
  const folded = withoutConstantParts(node);
  let found = 'NaN';
  try {
    found = written(math.derivative(folded, variable));
  } catch {
    // The library throws errors of many kinds for formulas that it cannot handle.
  }
  if (/Infinity|NaN/.test(found)) throw new NotSolved('I can’t differentiate that.');
  return `The derivative of ${written(node)} with respect to ${variable} is ${found}.`;
}

/**
 * Computes the parts of a formula without variables exactly. The library would compute them in doubles:
 * it would drop a 0/0, and would round 3^-9999 to 0. @throws NotSolved for a part without a value.
 */
function withoutConstantParts(node: MathNode): MathNode {
  if (node.type === 'ConstantNode') return node;
  const value = variablesOf(node).length === 0 ? evaluate(node) : undefined;
  if (isExact(value)) {
    if (sizeOf(value) > MAX_BITS) throw tooLarge();
    return math.parse(`(${value.toFraction()})`);
  }
  if (node.type === 'OperatorNode') checkDivisor(node as OperatorNode);
  // The name of a function is not a value, so it is kept.
  return node.map((child, path) => (path === 'fn' ? child : withoutConstantParts(child)));
}

function checkDivisor({ fn, args }: OperatorNode): void {
  const [, divisor] = args;
  if ((fn as string) !== 'divide' || divisor === undefined) return;
  if (variablesOf(divisor).length === 0 && isZero(evaluate(divisor))) throw dividedByZero();
}

function integral(task: MathTask & { kind: 'integral' }): string {
  const node = parseFormula(task.expression);
  const variable = variableOf([node], task.variable);
  const polynomial = polynomialOf(node, variable);
  if (polynomial === undefined)
    throw new NotSolved('I can’t integrate that symbolically; I integrate polynomials only.');
  const found = antiderivative(polynomial);
  const of = `The integral of ${written(node)} with respect to ${variable}`;
  if (task.bounds === null)
    return `${of} is ${found.length === 0 ? '' : `${polynomialText(found, variable)} + `}C.`;
  const from = evaluate(parseFormula(task.bounds.from));
  const to = evaluate(parseFormula(task.bounds.to));
  const area = equalsText(apply('subtract', valueAt(found, to), valueAt(found, from)))
    .replace(/^= /, 'is ')
    .replace(/^≈ /, 'is about ');
  return `${of} from ${numberText(from)} to ${numberText(to)} ${area}.`;
}

function solution(task: MathTask & { kind: 'solve' }): string {
  const sides = [parseFormula(task.left), parseFormula(task.right)] as const;
  const variable = variableOf(sides, task.variable);
  const [left, right] = sides.map((side) => polynomialOf(side, variable));
  const cannot = 'I can’t solve that; I solve linear and quadratic equations in one variable.';
  if (left === undefined || right === undefined) throw new NotSolved(cannot);
  const equation = difference(left, right);
  const [c = exact(0), b = exact(0), a] = equation;
  const degree = equation.length - 1;
  if (degree > 2) throw new NotSolved(cannot);
  if (degree === 2 && a !== undefined) return quadratic(variable, a, b, c);
  if (degree === 1) return `${variable} ${equalsText(apply('divide', apply('unaryMinus', c), b))}`;
  const isTrue = degree < 0;
  if (variablesOf(sides[0]).length + variablesOf(sides[1]).length === 0)
    return isTrue ? 'That is true.' : 'That is false.';
  return isTrue ? `That is true for every ${variable}.` : `No ${variable} makes that true.`;
}

function quadratic(variable: string, a: Quantity, b: Quantity, c: Quantity): string {
  const discriminant = apply(
    'subtract',
    apply('multiply', b, b),
    apply('multiply', exact(4), apply('multiply', a, c)),
  );
  if (approximate(discriminant) < 0) return `No real ${variable} makes that true.`;
  const root = apply('sqrt', discriminant);
  const roots = ['subtract', 'add'].map((sign) =>
    apply('divide', apply(sign, apply('unaryMinus', b), root), apply('multiply', exact(2), a)),
  );
  const ordered = roots.sort((one, other) => approximate(one) - approximate(other));
  const texts = new Set(ordered.map((each) => `${variable} ${equalsText(each)}`));
  return [...texts].join(' or ');
}
