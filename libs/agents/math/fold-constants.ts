import type { MathNode, OperatorNode } from 'mathjs';
import { evaluate } from './evaluate.js';
import { math, variablesOf } from './expression.js';
import { dividedByZero, tooComplex, tooLarge } from './not-solved.js';
import { isExact, isZero, sizeOf } from './quantity.js';

/** Larger formulas take the library too long to rewrite. */
const MAX_NODES = 60;
const MAX_BITS = 256;

/**
 * Prepares a formula for the library's rewriting: parts without variables are computed exactly first, because
 * the library would compute them in doubles, where 0/0 vanishes and 3^-9999 is 0.
 * @throws NotSolved for a part without a value.
 */
export function foldConstants(root: MathNode): MathNode {
  let nodes = 0;
  root.traverse(() => (nodes += 1));
  if (nodes > MAX_NODES) throw tooComplex();
  return folded(root);
}

function folded(node: MathNode): MathNode {
  if (node.type === 'ConstantNode') return node;
  const value = variablesOf(node).length === 0 ? evaluate(node) : undefined;
  if (value !== undefined && isExact(value)) {
    if (sizeOf(value) > MAX_BITS) throw tooLarge();
    return math.parse(`(${value.toFraction()})`);
  }
  if (node.type === 'OperatorNode') checkDivisor(node as OperatorNode);
  // The name of a function is not a value.
  return node.map((child, path) => (path === 'fn' ? child : folded(child)));
}

function checkDivisor({ fn, args }: OperatorNode): void {
  const [, divisor] = args;
  if ((fn as string) !== 'divide' || divisor === undefined) return;
  if (variablesOf(divisor).length === 0 && isZero(evaluate(divisor))) throw dividedByZero();
}
