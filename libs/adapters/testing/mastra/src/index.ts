export { MaceMemoryStorage, type MaceMemoryStorageOptions } from './memory-storage.js';
