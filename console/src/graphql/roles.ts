/** A person's role in a company, as the schema's enum Role. */
export type Role = 'OWNER' | 'ADMIN' | 'BILLING' | 'DEVELOPER' | 'AUDITOR'
