import type { MemoryTool, Role } from '../tool.js';
import { FACT_TOOLS } from './sem.js';
import { JOB_TOOLS } from './jobs.js';
import { NOTE_TOOLS } from './notes.js';
import { MEMORY_TOOLS } from './memories.js';
import { RECALL_TOOLS } from './memory-contract.js';
import { PROPOSERS, REQUEST_TOOLS } from './action-requests.js';
import { REVIEW_TOOLS } from './action-requests-review.js';
import { SEARCH_TOOLS } from './search.js';

/** All tools, in the order in which a host lists them. */
export const TOOLS: readonly MemoryTool[] = [
  ...MEMORY_TOOLS,
  ...SEARCH_TOOLS,
  ...NOTE_TOOLS,
  ...JOB_TOOLS,
  ...RECALL_TOOLS,
  ...FACT_TOOLS,
  ...REQUEST_TOOLS,
  ...REVIEW_TOOLS,
];

/**
 * True if the caller reviews requests: it is of the council, and has no role that proposes. So the tools of one
 * connection can either propose or approve.
 */
const isReviewer = (roles: readonly string[]): boolean =>
  roles.includes('council') && !PROPOSERS.some((role) => roles.includes(role));

/** Returns the tools that a caller with these roles sees. No other tool exists for the caller. */
export const toolsFor = (roles: readonly string[]): readonly MemoryTool[] =>
  TOOLS.filter(
    (tool) =>
      tool.roles.some((role: Role) => roles.includes(role)) &&
      (tool.isReview !== true || isReviewer(roles)),
  );
