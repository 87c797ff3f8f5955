import type { Company as KnownCompany } from './accounts.ts'

/** What outside parties asked for and were answered. Checkers compare it with what the installation has stored. */
export class Books {
  readonly companies: Company[] = []
  readonly invitations: Invitation[] = []
  readonly endpoints: Endpoint[] = []
  readonly suspensions: { readonly companyId: string; readonly reason: string; readonly askedAtMs: number }[] = []
  readonly receipts: { readonly callId: string; readonly text: string }[] = []
  readonly statements: Statement[] = []
  readonly health: { readonly atMs: number; readonly status: string; readonly text: string }[] = []
  /** Answers that the documents rule out. */
  readonly broken: string[] = []
}

/** A company with the token of its owner. */
export type Company = KnownCompany & { readonly token: string }

export type Statement = {
  readonly companyId: string
  readonly format: string
  readonly askedAtMs: number
  readonly text: string
}

export type Invitation = {
  readonly companyId: string
  readonly email: string
  readonly invitationId: string
  state: 'sent' | 'mailed' | 'accepted' | 'withdrawn'
}

export type Endpoint = {
  readonly companyId: string
  readonly endpointId: string
  readonly path: string
  readonly createdAtMs: number
}
