export { MaceSaver } from './saver.js';
