import type { Installation } from '../../../../capabilities/installation.ts'
import type { DomainEvent, Recorded } from '../../../../contracts/envelope.ts'
import type { CompanyEvent } from '../../../../contracts/events/company.ts'
import type { UserEvent } from '../../../../contracts/events/user.ts'
import type { Role } from '../../../../contracts/roles.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { companyDecider } from '../../../../domain/company/decider.ts'
import { userDecider } from '../../../../domain/user/decider.ts'
import { hashLinkToken, type LinkId, type LinkKind, linkToken } from '../../../../platform/secrets/linkTokens.ts'
import { companyById } from '../../../../projections/companies/queries.ts'
import type { TaskDraft } from '../worker.ts'
import { composed, type MailText } from './composeMail.ts'
import { mailTime } from './mailTimes.ts'

/** The pages of the console that links in mails lead to. */
const PAGES: Readonly<Record<LinkKind, string>> = {
  invitation: '/console/invitation',
  passwordReset: '/console/reset-password',
}

/** The reason for a mail with a link to one person. It holds neither the address nor the link. */
export type PersonCause = { readonly at: string; readonly expiresAt: string } & (
  | { readonly kind: 'invitation'; readonly companyId: string; readonly invitationId: string }
  | { readonly kind: 'password_reset'; readonly userId: string; readonly resetId: string }
)

/** What links in mails are made with. */
export type LinkSettings = {
  /** PUBLIC_URL. */
  readonly publicUrl: string
  /** JWT_SECRET. */
  readonly secret: string
}

/** An event whose link is mailed. */
type LinkEvent = Extract<CompanyEvent | UserEvent, { type: 'UserInvited' | 'PasswordResetRequested' }>

export function isLinkEvent(event: Recorded<DomainEvent>): event is Recorded<LinkEvent> {
  return event.type === 'UserInvited' || event.type === 'PasswordResetRequested'
}

export function isPersonCause(payload: { readonly kind?: unknown }): payload is PersonCause {
  return payload.kind === 'invitation' || payload.kind === 'password_reset'
}

/** The mails that an event leads to. A link that has expired is not sent. */
export function personMailsAfter(event: Recorded<LinkEvent>, nowMs: number): TaskDraft[] {
  const cause = causeOf(event)
  if (nowMs >= Date.parse(cause.expiresAt)) return []
  const subject =
    cause.kind === 'invitation'
      ? `mail with invitation ${cause.invitationId} of company ${cause.companyId}`
      : `mail with a password reset of user ${cause.userId}`
  return [{ cause: event.id, subject, payload: cause }]
}

function causeOf({ type, data }: LinkEvent): PersonCause {
  if (type === 'UserInvited') {
    const { companyId, invitationId, invitedAt, expiresAt } = data
    return { kind: 'invitation', companyId, invitationId, at: invitedAt, expiresAt }
  }
  const { userId, resetId, requestedAt, expiresAt } = data
  return { kind: 'password_reset', userId, resetId, at: requestedAt, expiresAt }
}

export type PersonMail = MailText & {
  /** Encrypted, as stored. */
  readonly sealedAddress: string
}

/** The mail; null if its link can no longer be used. */
export async function personMailOf(
  engines: Pick<Installation, 'database' | 'commands'>,
  cause: PersonCause,
  links: LinkSettings,
  nowMs: number,
): Promise<PersonMail | null> {
  if (nowMs >= Date.parse(cause.expiresAt)) return null
  return cause.kind === 'invitation' ? invitationMail(engines, cause, links) : resetMail(engines, cause, links)
}

type CauseOf<Kind extends PersonCause['kind']> = Extract<PersonCause, { kind: Kind }>

async function invitationMail(
  { database, commands }: Pick<Installation, 'database' | 'commands'>,
  { companyId, invitationId, expiresAt }: CauseOf<'invitation'>,
  links: LinkSettings,
): Promise<PersonMail | null> {
  const state = await commands.stateOf(companyDecider, streamName('company', companyId))
  const invitation = state.status === 'registered' ? state.invitations?.[invitationId] : undefined
  if (!invitation || invitation.acceptedBy !== null) return null
  const company = await companyById(database, companyId)
  if (!company) throw new Error(`company ${companyId} is not in the read model yet`)
  const token = tokenOf(links, { kind: 'invitation', ownerId: companyId, linkId: invitationId }, invitation.tokenHash)
  const words = {
    subject: `You are invited to ${company.name} on Tollgate`,
    paragraphs: [
      `${company.name} invites you to its account on Tollgate, ${ROLE_WORDS[invitation.role]}.`,
      `The link below works once, until ${mailTime(expiresAt)}. If you do not expect this invitation, ignore it.`,
      ...howToUse(links, 'acceptInvitation', token),
    ],
    link: { label: 'Accept the invitation', url: publicLink(links.publicUrl, 'invitation', token) },
  }
  const closing = `You receive this because an administrator of ${company.name} entered your address.`
  return { ...composed(words, closing), sealedAddress: invitation.email }
}

async function resetMail(
  { commands }: Pick<Installation, 'commands'>,
  { userId, resetId, expiresAt }: CauseOf<'password_reset'>,
  links: LinkSettings,
): Promise<PersonMail | null> {
  const state = await commands.stateOf(userDecider, streamName('user', userId))
  const open = state.status === 'registered' ? state.resets?.open : null
  if (state.status !== 'registered' || open?.resetId !== resetId) return null
  const token = tokenOf(links, { kind: 'passwordReset', ownerId: userId, linkId: resetId }, open.tokenHash)
  const words = {
    subject: 'Set a new password for Tollgate',
    paragraphs: [
      'A new password was requested for your account on Tollgate.',
      `The link below works once, until ${mailTime(expiresAt)}. If you did not request it, ignore it: your password stays as it is.`,
      ...howToUse(links, 'resetPassword', token),
    ],
    link: { label: 'Set a new password', url: publicLink(links.publicUrl, 'passwordReset', token) },
  }
  const closing = 'You receive this because you have an account on Tollgate.'
  return { ...composed(words, closing), sealedAddress: state.email }
}

/** A link of another secret would be refused, so it is not sent. */
function tokenOf({ secret }: LinkSettings, link: LinkId, tokenHash: string): string {
  const token = linkToken(secret, link)
  if (hashLinkToken(token) === tokenHash) return token
  throw new Error('the link was made with another JWT_SECRET: it must be the same for backend and AI service')
}

/** For clients of the API, and as long as the page of the link does not exist. */
function howToUse({ publicUrl }: LinkSettings, mutation: string, token: string): string[] {
  const query = `mutation { ${mutation}(token: "${token}", password: "…") { token expiresAt } }`
  return [`With the GraphQL API at ${publicGraphqlUrl(publicUrl)}, send: ${query}`]
}

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  OWNER: 'as an owner',
  ADMIN: 'as an administrator',
  BILLING: 'for its billing',
  DEVELOPER: 'as a developer',
  AUDITOR: 'as an auditor',
}

/**
 * The address of a page with its token. It begins with PUBLIC_URL and never with what a request says about its host. The
 * token stands after the #, so that browsers send it to no server and proxies log none.
 */
function publicLink(publicUrl: string, kind: LinkKind, token: string): string {
  return `${withoutSlash(publicUrl)}${PAGES[kind]}#token=${token}`
}

function publicGraphqlUrl(publicUrl: string): string {
  return `${withoutSlash(publicUrl)}/graphql`
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
