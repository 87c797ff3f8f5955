import { formatCredits } from '../../../../domain/credits.ts'
import { majorUnits } from '../../../../domain/price.ts'
import { composed, type MailText, type Words } from './composeMail.ts'
import { disputeWords } from './disputeMails.ts'
import type { MailCause } from './mailCauses.ts'
import { topUpWords } from './topUpMails.ts'

/** The mail to those who look after a company's credits, or to super admins. */
export function mailText(cause: MailCause, companyName: string): MailText {
  const isForOperators = 'to' in cause && cause.to === 'operators'
  const why = isForOperators ? 'you operate this service' : `you administer ${companyName}`
  return composed(wordsOf(cause, companyName), `You receive this because ${why}.`)
}

function wordsOf(cause: MailCause, company: string): Words {
  switch (cause.kind) {
    case 'low_balance': {
      const left = formatCredits(BigInt(cause.balanceMicros))
      return {
        subject: `Low balance: ${left} credits left for ${company}`,
        paragraphs: [
          `${company} has ${left} credits left, which is less than ${lowLimitOf(cause)}.`,
          'When the balance reaches zero, API calls are refused until credits are added. Please buy a credit pack in time.',
        ],
      }
    }
    case 'company_suspended':
      return {
        subject: `${company} is suspended`,
        paragraphs: [
          `API calls of ${company} are refused from now on, for this reason: ${cause.reason}`,
          'You can still sign in and read everything. Calls that were under way have ended and were charged as usual. Please contact the operator of this service.',
        ],
      }
    case 'company_resumed':
      return {
        subject: `${company} is no longer suspended`,
        paragraphs: [`The suspension of ${company} has ended. Its API calls are accepted again.`],
      }
    case 'payment_failed':
      return {
        subject: `Payment failed: ${moneyOf(cause)} for ${company}`,
        paragraphs: [
          `The payment of ${moneyOf(cause)} for invoice ${cause.invoiceId} of ${company} did not go through.`,
          cause.nextAttemptAt === null
            ? 'It will not be retried automatically. Please pay the invoice, or check your payment method: until then API calls may be refused.'
            : `It will be tried again on ${dayOf(cause.nextAttemptAt)}. Please check your payment method: until it is paid, API calls may be refused.`,
        ],
        link: payLink(cause.payUrl),
      }
    case 'payment_action_required':
      return {
        subject: `Please confirm a payment of ${moneyOf(cause)} for ${company}`,
        paragraphs: [
          `The payment of ${moneyOf(cause)} for invoice ${cause.invoiceId} of ${company} needs your confirmation, for example with your bank.`,
          'Nothing is charged until you confirm it.',
        ],
        link: payLink(cause.payUrl),
      }
    case 'invoice_not_finalized':
      return {
        subject: `An invoice for ${company} could not be completed`,
        paragraphs: [
          `Invoice ${cause.invoiceId} of ${company} over ${moneyOf(cause)} could not be completed: ${cause.reason}`,
          'Please check your billing address and tax details.',
        ],
      }
    case 'invoice_open':
      return {
        subject: `Invoice of ${moneyOf(cause)} for ${company}, due on ${dayOf(cause.dueAt)}`,
        paragraphs: [
          `There is a new invoice for ${company}: ${cause.invoiceId} over ${moneyOf(cause)}. Please pay it by ${dayOf(cause.dueAt)}.`,
        ],
        link: payLink(cause.payUrl),
      }
    case 'invoice_due_soon':
      return {
        subject: `Reminder: invoice of ${moneyOf(cause)} for ${company} is due on ${dayOf(cause.dueAt)}`,
        paragraphs: [
          `Invoice ${cause.invoiceId} of ${company} over ${moneyOf(cause)} is due on ${dayOf(cause.dueAt)} and not paid yet.`,
          'When it is overdue, API calls of a company that pays by invoice are refused until it is paid.',
        ],
        link: payLink(cause.payUrl),
      }
    case 'invoice_overdue':
      return {
        subject: `Overdue: invoice of ${moneyOf(cause)} for ${company}`,
        paragraphs: [
          `Invoice ${cause.invoiceId} of ${company} over ${moneyOf(cause)} was due on ${dayOf(cause.dueAt)} and is not paid.`,
          'API calls of a company that pays by invoice are refused until it is paid.',
        ],
        link: payLink(cause.payUrl),
      }
    case 'trial_ending':
      return {
        subject: `The trial of ${company} is about to end`,
        paragraphs: [
          cause.trialEndAt === null
            ? `The trial of ${company} ends soon.`
            : `The trial of ${company} ends on ${dayOf(cause.trialEndAt)}.`,
          'After that the subscription is charged to your payment method. If you do not want to continue, cancel it before then.',
        ],
      }
    case 'subscription_paused':
      return {
        subject: `The subscription of ${company} is paused`,
        paragraphs: [
          `The subscription of ${company} is paused, and no credits are added until it resumes.`,
          'Usually a payment method is missing. Please add one to resume it.',
        ],
      }
    case 'duplicate_subscription': {
      const refund = cause.refunded && moneyOf(cause.refunded)
      return {
        subject: `A second subscription of ${company} was canceled`,
        paragraphs: [
          `${company} had subscribed twice. The earlier subscription, ${cause.keptSubscriptionId}, continues; the later one, ${cause.subscriptionId}, was canceled.`,
          refund === null
            ? 'It had not been paid, so nothing is refunded.'
            : `Its payment of ${refund} is refunded, and its credits are taken back. To change the plan, use changePlan.`,
        ],
      }
    }
    case 'key_expiring':
      return {
        subject: `API key "${cause.name}" of ${company} expires on ${dayOf(cause.expiresAt)}`,
        paragraphs: [
          `The API key "${cause.name}" (${cause.hint}…) of ${company} expires on ${dayOf(cause.expiresAt)} at ${cause.expiresAt.slice(11, 16)} UTC.`,
          'From then on calls with it are refused. Rotate it in time and give the new key to everybody who uses it.',
        ],
      }
    case 'credits_expiring': {
      const left = formatCredits(BigInt(cause.leftMicros))
      const rollover = BigInt(cause.rolloverMicros)
      return {
        subject: `${left} credits of ${company} expire on ${cause.day}`,
        paragraphs: [
          `${company} has ${left} credits left that expire on ${cause.day}, the first of them at ${cause.expiresAt.slice(11, 16)} UTC. From then on calls cannot use them.`,
          ...(rollover > 0n
            ? [
                `What is not used by then rolls over in part: at present, ${formatCredits(rollover)} of these credits would.`,
              ]
            : []),
          'Calls use promotional credits first, then those that expire first. You find all of them under Billing in the console.',
        ],
      }
    }
    case 'dispute_opened':
    case 'dispute_closed':
      return disputeWords(cause, company, moneyOf(cause))
    case 'top_up_confirmation':
    case 'top_up_declined':
    case 'top_up_off':
      return topUpWords(cause, company, moneyOf)
    case 'key_budget': {
      const budget = `${formatCredits(BigInt(cause.budgetMicros))} credits ${PERIODS[cause.period]}`
      const isUsedUp = cause.percent >= 100
      return {
        subject: isUsedUp
          ? `The budget of API key "${cause.name}" of ${company} is used up`
          : `${cause.percent} % of the budget of API key "${cause.name}" of ${company} is used`,
        paragraphs: [
          `The API key "${cause.name}" (${cause.hint}…) of ${company}, with the keys that it was rotated from or into, has ` +
            `spent ${formatCredits(BigInt(cause.spentMicros))} credits of its budget of ${budget}.`,
          `${isUsedUp ? 'Its calls are refused' : 'When it is used up, its calls are refused'} until ` +
            `${cause.period === 'TOTAL' ? '' : 'the next period, or until '}the budget is raised.`,
        ],
      }
    }
  }
}

function lowLimitOf({ filledMicros, limitMicros }: Extract<MailCause, { kind: 'low_balance' }>): string {
  if (limitMicros) return `the ${formatCredits(BigInt(limitMicros))} at which you asked to be notified`
  return `a tenth of the ${formatCredits(BigInt(filledMicros))} credits after the last top-up`
}

const PERIODS = { DAY: 'per day (UTC)', MONTH: 'per month (UTC)', TOTAL: 'in total' } as const

function moneyOf({ amountMinor, currency }: { readonly amountMinor: string; readonly currency: string }): string {
  const form = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  return form.format(Number(majorUnits(amountMinor, currency))).replace(/\s/g, ' ')
}

/** Links only http and https addresses. */
function payLink(url: string | null): Words['link'] {
  return url !== null && /^https?:\/\//.test(url) ? { label: 'Pay the invoice', url } : null
}

const dayOf = (at: string) => at.slice(0, 10)
