import { createHmac, hash } from 'node:crypto'
import { UUID_SOURCE } from '../../contracts/uuid.ts'

/** What a link in a mail is for, and the beginning of its token, by which logs recognise it as a secret. */
const PREFIXES = { invitation: 'tg_invitation', passwordReset: 'tg_reset' } as const
export type LinkKind = keyof typeof PREFIXES

export type LinkId = {
  readonly kind: LinkKind
  /** The id of the stream that records the link: of the company that invites, or of the user. */
  readonly ownerId: string
  /** Random. */
  readonly linkId: string
}

/**
 * The token of a link that is mailed to a person. It is computed from the link's id with the secret that signs access tokens,
 * so that the process that sends the mail can make it from the event, while neither events nor read models nor backups
 * contain it: they have its hash.
 */
export function linkToken(secret: string, { kind, ownerId, linkId }: LinkId): string {
  const code = createHmac('sha256', secret).update(`link:${kind}:${ownerId}:${linkId}`).digest('base64url')
  return `${PREFIXES[kind]}_${ownerId}_${code}`
}

/** A token has 256 bits that cannot be guessed, so a plain SHA-256 is safe to store. */
export function hashLinkToken(token: string): string {
  return hash('sha256', token, 'hex')
}

export type ReadLink = { readonly ownerId: string; readonly tokenHash: string }

/** What a token says; null for text that is not a token of this kind. Whether it is valid is in the owner's stream. */
export function readLinkToken(kind: LinkKind, text: string): ReadLink | null {
  const token = text.trim()
  const [, ownerId] = new RegExp(`^${PREFIXES[kind]}_(${UUID_SOURCE})_[\\w-]{43}$`).exec(token) ?? []
  return ownerId === undefined ? null : { ownerId, tokenHash: hashLinkToken(token) }
}
