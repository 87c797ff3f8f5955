/** What a user may do in their company. OWNER includes ADMIN; the others have no order. */
export const ROLES = ['OWNER', 'ADMIN', 'BILLING', 'DEVELOPER', 'AUDITOR'] as const
export type Role = (typeof ROLES)[number]
