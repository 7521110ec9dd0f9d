import type { ConstantNode, FunctionNode, MathNode } from 'mathjs';
import { numberText } from './number-text.js';

/** Formats numbers for people; the natural logarithm is written `ln`. */
function handler(node: MathNode, options: object): string | undefined {
  if (node.type === 'ConstantNode') {
    const text = numberText((node as ConstantNode).value);
    return text.includes('/') ? `(${text})` : text;
  }
  if (node.type !== 'FunctionNode') return undefined;
  const { fn, args } = node as FunctionNode;
  if (fn.name !== 'log' || args.length !== 1) return undefined;
  return `ln(${args.map((arg) => arg.toString(options)).join('')})`;
}

/** Returns a formula as text. */
export const written = (node: MathNode): string =>
  node.toString({ parenthesis: 'auto', implicit: 'show', handler }).replaceAll(' ^ ', '^');
