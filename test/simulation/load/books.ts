import type { CallerKey } from './attempt.ts'

/** What outside parties asked for and were answered. Checkers compare it with what the installation has stored. */
export class Books {
  readonly companies: Company[] = []
  readonly invitations: Invitation[] = []
  readonly endpoints: Endpoint[] = []
  readonly suspensions: { readonly companyId: string; readonly reason: string; readonly askedAtMs: number }[] = []
  readonly receipts: { readonly callId: string; readonly text: string }[] = []
  readonly statements: { readonly companyId: string; readonly format: string; readonly text: string }[] = []
  readonly health: { readonly atMs: number; readonly status: string; readonly text: string }[] = []
  /** Answers that the documents rule out. */
  readonly broken: string[] = []
}

export type Company = {
  readonly companyId: string
  /** Of its owner. */
  readonly token: string
  readonly keys: MintedKey[]
  /** From the first request for a suspension until the end of it was confirmed; null: it goes on. */
  readonly suspensions: { readonly fromMs: number; toMs: number | null }[]
}

export type MintedKey = CallerKey & {
  /** When its revocation was first asked for. */
  revokingFromMs: number | null
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
