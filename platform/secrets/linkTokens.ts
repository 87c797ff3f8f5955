import { createHmac, hash } from 'node:crypto'
import { UUID_SOURCE } from '../../contracts/uuid.ts'

/** The purpose of a link in a mail, and the prefix of its token, by which logs recognise it as a secret. */
const PREFIXES = { invitation: 'tg_invitation', passwordReset: 'tg_reset' } as const
export type LinkKind = keyof typeof PREFIXES

export type LinkId = {
  readonly kind: LinkKind
  /** The id of the stream that records the link: that of the inviting company or of the user. */
  readonly ownerId: string
  /** Random. */
  readonly linkId: string
}

/**
 * The token of a link that is mailed to a person. It is computed from the link's id with the secret that signs access
 * tokens. So the process that sends the mail can derive it from the event, while events, read models and backups
 * contain only its hash.
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

/** The content of a token; null for text that is not a token of this kind. The owner's stream tells whether it is valid. */
export function readLinkToken(kind: LinkKind, text: string): ReadLink | null {
  const token = text.trim()
  const [, ownerId] = new RegExp(`^${PREFIXES[kind]}_(${UUID_SOURCE})_[\\w-]{43}$`).exec(token) ?? []
  return ownerId === undefined ? null : { ownerId, tokenHash: hashLinkToken(token) }
}
