import type { MathNode } from 'mathjs';
import { evaluate } from './evaluate.js';
import { isConstant, math, parseFormula, variablesOf } from './expression.js';
import { foldConstants } from './fold-constants.js';
import { notMath, NotSolved, tooLarge } from './not-solved.js';
import { equalsText, numberText } from './number-text.js';
import {
  antiderivative,
  difference,
  polynomialOf,
  valueAt,
  type Polynomial,
} from './polynomial.js';
import { polynomialText } from './polynomial-text.js';
import {
  add,
  approximate,
  divide,
  exact,
  multiply,
  negate,
  power,
  subtract,
  type Quantity,
} from './quantity.js';
import type { MathResult, MathTask } from './task.js';
import { written } from './written.js';

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
    case 'simplify':
      return simplified(parseFormula(task.expression));
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
  if (isLone && !isConstant(node.toString())) throw notMath();
  if (variablesOf(node).length > 0) return simplified(node);
  return `${written(node)} ${equalsText(evaluate(node))}`;
}

/** Above this value the library switches to doubles. */
const FRACTIONS_LIMIT = 1e15;

/**
 * Uses the library to rewrite a formula. For formulas that the library cannot handle, it throws errors
 * of many kinds; this function replaces each of them by a NotSolved with `sentence`.
 */
function rewritten(node: MathNode, by: (folded: MathNode) => MathNode, sentence: string): string {
  const folded = foldConstants(node);
  let text: string;
  try {
    text = written(by(folded));
  } catch {
    throw new NotSolved(sentence);
  }
  if (/Infinity|NaN/.test(text)) throw new NotSolved(sentence);
  return text;
}

function simplified(node: MathNode): string {
  const options = { exactFractions: true, fractionsLimit: FRACTIONS_LIMIT };
  const simplify = (folded: MathNode): MathNode => math.simplify(folded, {}, options);
  return `${written(node)} = ${rewritten(node, simplify, 'I can’t simplify that.')}`;
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

function derivative(node: MathNode, named: string | null): string {
  const variable = variableOf([node], named);
  const differentiate = (folded: MathNode): MathNode => math.derivative(folded, variable);
  const found = rewritten(node, differentiate, 'I can’t differentiate that.');
  return `The derivative of ${written(node)} with respect to ${variable} is ${found}.`;
}

function integral(task: MathTask & { kind: 'integral' }): string {
  const node = parseFormula(task.expression);
  const variable = variableOf([node], task.variable);
  const polynomial = polynomialOf(node, variable);
  if (polynomial === undefined)
    throw new NotSolved('I can’t integrate that symbolically; I integrate polynomials only.');
  const found = antiderivative(polynomial);
  const of = `The integral of ${written(node)} with respect to ${variable}`;
  if (task.bounds === null) return `${of} is ${constantAdded(found, variable)}.`;
  const from = evaluate(parseFormula(task.bounds.from));
  const to = evaluate(parseFormula(task.bounds.to));
  const area = subtract(valueAt(found, to), valueAt(found, from));
  return `${of} from ${numberText(from)} to ${numberText(to)} ${isText(area)}.`;
}

const isText = (of: Quantity): string =>
  equalsText(of).replace(/^= /, 'is ').replace(/^≈ /, 'is about ');

const constantAdded = (found: Polynomial, variable: string): string =>
  found.length === 0 ? 'C' : `${polynomialText(found, variable)} + C`;

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
  if (degree === 1) return `${variable} ${equalsText(divide(negate(c), b))}`;
  const isTrue = degree < 0;
  if (variablesOf(sides[0]).length + variablesOf(sides[1]).length === 0)
    return isTrue ? 'That is true.' : 'That is false.';
  return isTrue ? `That is true for every ${variable}.` : `No ${variable} makes that true.`;
}

function quadratic(variable: string, a: Quantity, b: Quantity, c: Quantity): string {
  const discriminant = subtract(multiply(b, b), multiply(exact(4), multiply(a, c)));
  if (approximate(discriminant) < 0) return `No real ${variable} makes that true.`;
  const root = power(discriminant, math.fraction(1, 2));
  const at = (signed: Quantity): Quantity => divide(signed, multiply(exact(2), a));
  const roots = [at(subtract(negate(b), root)), at(add(negate(b), root))];
  const ordered = roots.sort((one, other) => approximate(one) - approximate(other));
  const texts = new Set(ordered.map((each) => `${variable} ${equalsText(each)}`));
  return [...texts].join(' or ');
}
