export { rememberingUser, type RememberingUserOptions } from './remembering-user.js';
export { MaceSession } from './session.js';
