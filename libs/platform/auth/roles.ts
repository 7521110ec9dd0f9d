/** The roles a token can carry (SPEC §13). */
export const ROLES = ['agent', 'user', 'council', 'admin', 'auditor'] as const;
export type Role = (typeof ROLES)[number];
