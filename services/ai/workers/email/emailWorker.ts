import { doCreditsExpire } from '../../../../capabilities/creditLots/shownLots.ts'
import type { Installation } from '../../../../capabilities/installation.ts'
import { companyAddresses } from '../../../../capabilities/mail/companyAddresses.ts'
import type { Mailer } from '../../../../capabilities/mail/mailer.ts'
import { operatorAddresses } from '../../../../capabilities/mail/operatorAddresses.ts'
import { ERASED } from '../../../../capabilities/personalData/personalData.ts'
import { recordSeen } from '../../../../capabilities/setup/setupSeen.ts'
import { recall } from '../../../../capabilities/tasks/workerMemory.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { type Clock, isoTime } from '../../../../platform/clock/clock.ts'
import { type ExpiryPlace, keysExpiringSoon } from '../../../../projections/apiKeys/queries.ts'
import type { CompanyRow } from '../../../../projections/companies/projection.ts'
import { companyById, lowBalanceRulesOf } from '../../../../projections/companies/queries.ts'
import { noticesAfter, noticesOfMails } from '../webhooks/notices.ts'
import type { Worker } from '../worker.ts'
import { budgetMails } from './budgetMails.ts'
import { createCreditMails } from './creditMails.ts'
import { isDisputeSo } from './disputeMails.ts'
import { invoiceMails } from './invoiceMails.ts'
import { isLedgerEvent, type MailCause, mailsAfter, mailTask, type StoredWatch } from './mailCauses.ts'
import { mailText } from './mailTexts.ts'
import { isPersonCause, type LinkSettings, personMailOf } from './personMails.ts'
import { isTopUpCause, isTopUpSo } from './topUpMails.ts'

/** Keys that one query for expiring keys returns. */
const DUE_TASKS_MAX = 200
const MAIL_RECIPIENTS_MAX = 50

export type EmailWorkerOptions = {
  readonly engines: Pick<Installation, 'database' | 'store' | 'personal' | 'commands'>
  readonly mailer: Pick<Mailer, 'send' | 'domain'>
  readonly clock: Pick<Clock, 'now'>
  readonly links: LinkSettings
  /** Keys that one call of `due` returns; the next call continues after them. */
  readonly dueMax?: number
}

const NAME = 'email_worker'
const NO_KEY = '00000000-0000-0000-0000-000000000000'
/** Done tasks are forgotten after some days, and these causes last longer: a budget may be used up for weeks. */
const LASTING: ReadonlySet<MailCause['kind']> = new Set([
  ...(['key_budget', 'invoice_open', 'invoice_due_soon', 'invoice_overdue', 'credits_expiring'] as const),
])
const EXPIRY_NOTICE_MS = 7 * 24 * 60 * 60 * 1_000

/**
 * Sends mails to the admins of a company, one for each cause, and links to persons, and reports what webhooks tell the
 * company. The Message-ID derives from the cause, so a mail that is sent again after a crash between sending and recording
 * can be recognised as the same.
 */
export function emailWorker({
  engines,
  mailer,
  clock,
  links,
  dueMax = DUE_TASKS_MAX,
}: EmailWorkerOptions): Worker<'ledger' | 'invoice' | 'subscription' | 'company' | 'user' | 'dispute' | 'topUp'> {
  /** The last key that was returned by `due`; null to start from the first one. */
  let reached: ExpiryPlace | null = null
  const creditMails = createCreditMails(engines, dueMax)
  return {
    name: NAME,
    categories: ['ledger', 'invoice', 'subscription', 'company', 'user', 'dispute', 'topUp'],
    remembers: ['ledger', 'invoice', 'subscription'],
    lookUp: (sql, events) => {
      const companyIds = new Set(events.filter(isLedgerEvent).map(({ data }) => data.companyId))
      return companyIds.size === 0 ? Promise.resolve(new Map()) : lowBalanceRulesOf(sql, [...companyIds])
    },
    // What is mailed and what webhooks report is found in one pass: the ledger has an event for every call.
    consider: (event, memory, nowMs, rules) => {
      const mails = mailsAfter(event, memory, nowMs, rules)
      return { ...mails, ...noticesAfter(event, { before: memory, after: mails.memory }, nowMs) }
    },
    due: async (nowMs) => {
      const isFirst = reached === null
      const budgets = isFirst ? await budgetMails(engines.database, isoTime(nowMs)) : []
      const after = reached ?? { expiresAt: isoTime(nowMs), keyId: NO_KEY }
      const range = { after, to: isoTime(nowMs + EXPIRY_NOTICE_MS), lifetimeMs: EXPIRY_NOTICE_MS }
      const keys = await keysExpiringSoon(engines.database, range, dueMax)
      const last = keys.at(-1)
      const isMore = keys.length === dueMax && last !== undefined && last.expiresAt !== null
      reached = isMore ? { expiresAt: last.expiresAt, keyId: last.keyId } : null
      const expiring = keys.flatMap(({ keyId, companyId, name, hint, expiresAt }) => {
        if (expiresAt === null) return []
        const at = isoTime(Date.parse(expiresAt) - EXPIRY_NOTICE_MS)
        return [
          mailTask(`key expiring: ${keyId}`, { kind: 'key_expiring', companyId, at, keyId, name, hint, expiresAt }),
        ]
      })
      const invoices = isFirst ? await invoiceMails(engines.database, nowMs) : []
      const tasks = [...expiring, ...budgets, ...invoices, ...(await creditMails(nowMs))]
      return { tasks, notices: noticesOfMails(tasks, isoTime(nowMs)) }
    },
    perform: async ({ taskId, payload }) => {
      const messageId = `${taskId}@${mailer.domain}`
      if (isPersonCause(payload)) {
        const mail = await personMailOf(engines, payload, links, clock.now())
        const address = mail && (await engines.personal.reveal(mail.sealedAddress))
        if (!mail || address === null || address === ERASED) return
        const { subject, text, html } = mail
        await mailer.send({ messageId, to: [address], subject, text, html, sentAt: new Date(payload.at) })
        await recordSeen(engines.database, 'mail').catch(() => {})
        return
      }
      const cause = payload as MailCause
      const company = await companyById(engines.database, cause.companyId)
      if (!company) throw new Error(`company ${cause.companyId} is not in the read model yet`)
      if (!(await isStillTrue(engines, cause, company, clock.now()))) return
      if (LASTING.has(cause.kind) && (await wasDone(engines, taskId))) return
      const isForOperators = 'to' in cause && cause.to === 'operators'
      const to = isForOperators
        ? await operatorAddresses(engines, MAIL_RECIPIENTS_MAX)
        : await companyAddresses(engines, cause.companyId, MAIL_RECIPIENTS_MAX)
      if (to.length === 0) return
      await mailer.send({ messageId, to, ...mailText(cause, company.name), sentAt: new Date(cause.at) })
      // The mail is sent: a record that fails must not send it again.
      await recordSeen(engines.database, 'mail').catch(() => {})
    },
  }
}

/** Whether the cause still holds; it may have been resolved since. */
async function isStillTrue(
  { database, store }: EmailWorkerOptions['engines'],
  cause: MailCause,
  company: CompanyRow,
  nowMs: number,
): Promise<boolean> {
  if (cause.kind === 'low_balance') {
    // Calls of postpaid companies are not refused at zero.
    if (company.billingMode === 'POSTPAID' || company.lowBalance === 'OFF') return false
    const stream = streamName('ledger', cause.companyId)
    const known = (await recall(database, NAME, [stream])).get(stream)
    return (known?.memory as StoredWatch | undefined)?.isLow ?? false
  }
  if (isTopUpCause(cause)) return isTopUpSo(store, cause)
  if (cause.kind === 'dispute_opened' || cause.kind === 'dispute_closed') return isDisputeSo(store, cause)
  if (cause.kind === 'company_suspended' || cause.kind === 'company_resumed') {
    // Not from the read model, which may be behind the event that led to this mail.
    let last: string | null = null
    for await (const { type } of store.readStream(streamName('company', cause.companyId))) {
      if (type === 'CompanySuspended' || type === 'CompanyResumed') last = type
    }
    return last === (cause.kind === 'company_suspended' ? 'CompanySuspended' : 'CompanyResumed')
  }
  if ('invoiceId' in cause) {
    for await (const { type, data } of store.readStream(streamName('invoice', cause.invoiceId))) {
      if (type === 'InvoicePaid' || ('facts' in data && data.facts.status === 'VOID')) return false
    }
  }
  if (cause.kind === 'key_expiring') {
    let expiresAt: string | null = cause.expiresAt
    for await (const { type, data } of store.readStream(streamName('apiKey', cause.keyId))) {
      if (type === 'ApiKeyRevoked' || type === 'ApiKeyExpired') return false
      if (type === 'ApiKeyUpdated') expiresAt = data.expiresAt === undefined ? expiresAt : data.expiresAt
    }
    return expiresAt === cause.expiresAt
  }
  if (cause.kind === 'credits_expiring') {
    // They are told of with the low balance, and a company can turn both off.
    return company.lowBalance !== 'OFF' && (await doCreditsExpire(database, cause, isoTime(nowMs)))
  }
  return true
}

async function wasDone({ store }: EmailWorkerOptions['engines'], taskId: string): Promise<boolean> {
  for await (const { type } of store.readStream(streamName('task', taskId))) if (type === 'TaskCompleted') return true
  return false
}
