import { serveStdio, type StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import { memoryServer, type MemoryServerOptions } from './memory-server.js';

/** Serves MCP on standard input and output, until the host closes standard input. */
export const serveMemoryOverStdio = (
  options: MemoryServerOptions,
  onerror: (error: Error) => void,
): StdioServerHandle => serveStdio(() => memoryServer(options), { onerror });
