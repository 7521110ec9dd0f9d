export { MaceSession } from './session.js';
