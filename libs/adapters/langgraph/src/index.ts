export { rememberingUser, type RememberingNode } from './remembering-user.js';
export { MaceSaver } from './saver.js';
export { MaceStore } from './store.js';
