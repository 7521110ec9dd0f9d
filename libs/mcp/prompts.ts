import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { lastingWays } from './instructions.js';

const says = (text: string): GetPromptResult => ({
  messages: [{ role: 'user', content: { type: 'text', text } }],
});

/** Adds the prompts, which hosts offer to people as commands, for the tools that the caller sees. */
export function addPrompts(server: McpServer, tools: ReadonlySet<string>): void {
  if (tools.has('start_job'))
    server.registerPrompt(
      'task',
      {
        title: 'Do a task with memory',
        description: 'Has the agent do a task as a job, and keep what it learns.',
        argsSchema: z.object({ task: z.string().describe('What the agent shall do.') }),
      },
      ({ task }) =>
        says(
          [
            `Do this task: ${task}\n`,
            'First call start_job with the task as its goal, and search for what is known about it. ' +
              'Call job_hold for what you need during the task, job_use when an entry helped, and tick_job after each step. ' +
              'At the end, store what must last, call end_job, and tell me what was kept and what is gone.',
            ...lastingWays(tools),
          ].join('\n'),
        ),
    );
  if (tools.has('vote'))
    server.registerPrompt(
      'review',
      {
        title: 'Review the proposals',
        description: 'Has the reviewer go through the proposals that wait, with the person.',
      },
      () =>
        says(
          'Call list_requests. For each request, call read_dossier, show me the value, the justification and the evidence, ' +
            'and say what speaks for it and against it. Vote only as I tell you, with my reason.',
        ),
    );
}
