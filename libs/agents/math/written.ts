import type { ConstantNode, FunctionNode, MathNode } from 'mathjs';
import { numberText } from './number-text.js';

/** Numbers as people write them; `log` of one argument is the natural one, and is called so. */
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

/** A formula as text. */
export const written = (node: MathNode): string =>
  node.toString({ parenthesis: 'auto', implicit: 'show', handler }).replaceAll(' ^ ', '^');
