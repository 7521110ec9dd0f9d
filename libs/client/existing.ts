import { MaceError } from './mace-error.js';

/** Returns an answer; undefined in place of NOT_FOUND. */
export async function existing<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof MaceError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
