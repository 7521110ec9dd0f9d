export {
  type Embedded,
  type EmbeddedName,
  type EmbeddedOptions,
  startEmbedded,
} from './supervisor.js';
export { FolderInUse, lockFolder } from './folder-lock.js';
export { privateFolder } from './private-folder.js';
export { GivenUp } from './supervised.js';
export { writeSecretFile } from './secret-file.js';
