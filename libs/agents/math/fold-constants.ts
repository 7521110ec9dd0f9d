import type { MathNode, OperatorNode } from 'mathjs';
import { evaluate } from './evaluate.js';
import { math, variablesOf } from './expression.js';
import { dividedByZero, tooComplex, tooLarge } from './not-solved.js';
import { isExact, isZero, sizeOf } from './quantity.js';

/** The maximum size of a formula that is rewritten; larger ones take the library too long. */
const MAX_NODES = 60;
const MAX_BITS = 256;

/**
 * Prepares a formula for the library's rewriting: this function first computes the parts without
 * variables exactly. The library would compute them in doubles: it would drop a 0/0 from the formula,
 * and would round 3^-9999 to 0. @throws NotSolved for a part without a value.
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
  // The name of a function is not a value, so it is kept.
  return node.map((child, path) => (path === 'fn' ? child : folded(child)));
}

function checkDivisor({ fn, args }: OperatorNode): void {
  const [, divisor] = args;
  if ((fn as string) !== 'divide' || divisor === undefined) return;
  if (variablesOf(divisor).length === 0 && isZero(evaluate(divisor))) throw dividedByZero();
}
