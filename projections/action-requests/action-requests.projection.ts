import { Projector } from '#read-model/projector.decorator.js';
import { REQUEST, SNOOZE, VOTE } from './tables.js';

/** The council's queue: every request with its state, its votes, and who has put it off. */
@Projector({ name: 'action_requests', version: 12, tables: [REQUEST, VOTE, SNOOZE] })
export class ActionRequestsProjection {}
