export {
  type Embedded,
  type EmbeddedName,
  type EmbeddedOptions,
  startEmbedded,
} from './supervisor.js';
export { FolderInUse, isLockName, lockFolder } from './folder-lock.js';
export { type RunningServers, runningServers } from './running-servers.js';
export { privateFolder } from './private-folder.js';
export { GivenUp } from './supervised.js';
export { writeSecretFile } from './secret-file.js';
