export { RememberingUser, rememberingUser } from './remembering-user.js';
export { MaceMemoryStorage, type MaceMemoryStorageOptions } from './memory-storage.js';
