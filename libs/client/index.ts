export * from './action-requests.js';
export * from './admin.js';
export type { ArgumentKind } from './argument-kinds.js';
export { MaceArgumentError, requireArguments } from './arguments.js';
export { BatchedJob, type BatchingOptions } from './batched-job.js';
export * from './collisions.js';
export * from './console.js';
export * from './conversations.js';
export * from './privacy.js';
export * from './episodes.js';
export type {
  EventsOptions,
  FollowJobOptions,
  FollowOptions,
  LogEvent,
  Position,
} from './events.js';
export * from './integrity.js';
export * from './jobs.js';
export type { Json, JsonObject } from './json.js';
export { MaceClient } from './mace-client.js';
export {
  type ErrorCode,
  type ErrorEnvelope,
  type ErrorHelp,
  helpLines,
  isMaceError,
  MaceError,
  MaceUnreachable,
} from './mace-error.js';
export {
  type Kept,
  type OfPerson,
  type PersonMemory,
  type Recall,
  type RecallRequest,
  type RememberRequest,
} from './memories.js';
export * from './memory-contract.js';
export type { Moment } from './moments.js';
export * from './notes.js';
export * from './oversight.js';
export {
  type MemoryOfPerson,
  personMemory,
  type PersonMemoryOptions,
  type PersonTurn,
  type TurnMemory,
} from './person-memory.js';
export * from './projections.js';
export * from './queries.js';
export * from './records.js';
export * from './reflective-logs.js';
export * from './search.js';
export * from './sem.js';
export { carriableText } from './texts.js';
export * from './streams.js';
export * from './threads.js';
export type {
  AccessOptions,
  CallOptions,
  Consistency,
  MaceClientOptions,
  ReadOptions,
  WriteOptions,
} from './transport.js';
export * from './why.js';
export type { WithJobOptions } from './with-job.js';
export * from './with-memory.js';
