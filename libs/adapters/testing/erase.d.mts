/** A personal address that the service recognises, so that what has it is stored sealed. */
export const EMAIL: string;

/** Erases the personal data of a user, as the user, the council and an admin do it. */
export function erase(userId: string): Promise<void>;
