export { MemoryToolError } from './memory-error.js';
export {
  type CreateCommand,
  type DeleteCommand,
  type InsertCommand,
  MaceMemoryTool,
  type MaceMemoryToolOptions,
  type MemoryCommand,
  type RenameCommand,
  type StrReplaceCommand,
  type ViewCommand,
} from './memory-tool.js';
