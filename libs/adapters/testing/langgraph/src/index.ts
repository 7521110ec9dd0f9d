export { MaceSaver } from './saver.js';
export { MaceStore } from './store.js';
