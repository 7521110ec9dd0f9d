import { z } from 'zod';
import type { MemoryTool } from './tool.js';
import { TOOLS } from './tools/index.js';

/** The first sentence of a text. */
const firstSentence = (text: string): string => /^.*?[.:](?= |$)/.exec(text)?.[0] ?? text;

const kindOf = ({ annotations }: MemoryTool): string => {
  if (annotations.readOnlyHint === true) return 'reads';
  return annotations.destructiveHint === true ? 'changes' : 'adds';
};

const fieldsOf = ({ input }: MemoryTool): string => {
  const { properties = {}, required = [] } = z.toJSONSchema(input(), { io: 'input' });
  return Object.keys(properties)
    .map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``)
    .join(', ');
};

const rowOf = (tool: MemoryTool): string =>
  `| ${[
    `\`${tool.name}\``,
    tool.roles.join(', '),
    kindOf(tool),
    firstSentence(tool.description).replace(/:$/, '.'),
    fieldsOf(tool),
  ].join(' | ')} |`;

/** The tools, who sees them, what they do, and their fields. */
const toolsTable = (): string =>
  [
    '| tool | for | | what it does | fields |',
    '| --- | --- | --- | --- | --- |',
    ...TOOLS.map(rowOf),
  ].join('\n');

const TABLE = /(<!-- tools:[^\n]*-->\n)[^]*(<!-- \/tools -->)/;

/** Returns docs/mcp.md with the present table in place of the one that it has. */
export const withToolsTable = (page: string): string =>
  page.replace(TABLE, (_all, start: string, end: string) => `${start}\n${toolsTable()}\n\n${end}`);
