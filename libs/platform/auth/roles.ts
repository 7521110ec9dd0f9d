/** The roles that a token can have (SPEC §13). */
export const ROLES = ['agent', 'user', 'council', 'admin', 'auditor'] as const;
export type Role = (typeof ROLES)[number];
