import { rowsOf } from '../database/rows.ts'
import type { Books, Endpoint } from '../load/books.ts'
import type { Mailbox, ReceivedMail } from '../parties/mailbox.ts'
import type { ReceivedMessage, WebhookReceivers } from '../parties/webhookReceivers.ts'
import type { Simulation } from '../simulation.ts'
import type { Checker, Condition } from '../world.ts'

/** Tasks are due by the clock of their process, which may be as far from the true time after its jumps. */
const OVERDUE_MS = 30_000

/** Messages arrive at least once, always with the same id and body, signed, and numbered without gaps. */
export function deliveries(simulation: Simulation, books: Books, receivers: WebhookReceivers): Checker {
  return {
    invariant: 'every message to a webhook is delivered under one id',
    watch: () => firstOf(receivers.paths, (path) => faultOfMessages(path, receivers.at(path))),
    end: () => firstOf(books.endpoints, faultOfEndpoint),
  }

  function faultOfEndpoint(endpoint: Endpoint): string | null {
    const { companyId, endpointId, path } = endpoint
    const rows = rowsOf(
      simulation.pglite,
      `select message_id, number, state, body from platform.webhook_deliveries
       where endpoint_id = '${endpointId}' order by number`,
    )
    const arrived = receivers.at(path)
    for (const [at, [id, number, state]] of rows.entries()) {
      if (Number(number) !== at + 1) return `message ${id} to ${path} has number ${number}, and not ${at + 1}`
      if (state === 'DELIVERED' && !arrived.some((message) => message.id === id && message.accepted)) {
        return `message ${id} to ${path} is recorded as delivered, but no attempt was accepted`
      }
      if (state === 'FAILED' || state === 'CANCELED') return `message ${id} to ${path} is ${state}`
    }
    const stray = arrived.find((message) => !rows.some(([id]) => id === message.id))
    if (stray) return `message ${stray.id} arrived at ${path}, and is not among its deliveries`
    const reasons = rows.map(([, , , body]) => (JSON.parse(body ?? '') as { data: { reason?: string } }).data.reason)
    const since = books.suspensions.filter((one) => one.companyId === companyId && one.askedAtMs > endpoint.createdAtMs)
    return firstOf(since, ({ reason }) => {
      const count = reasons.filter((one) => one === reason).length
      return count === 1 ? null : `the suspension for ${reason} has ${count} messages to ${path}`
    })
  }
}

function faultOfMessages(path: string, messages: readonly ReceivedMessage[]): string | null {
  const bodies = new Map<string, string>()
  for (const { id, body, fault } of messages) {
    if (fault !== null) return `message ${id} to ${path} is signed wrongly: ${fault}`
    if ((bodies.get(id) ?? body) !== body) return `message ${id} to ${path} came with two bodies`
    bodies.set(id, body)
  }
  const numbers = [...bodies.values()].map((body) => (JSON.parse(body) as { number: number }).number)
  return new Set(numbers).size === numbers.length ? null : `two messages to ${path} have the same number`
}

/**
 * A mail that is sent again, because its answer was lost, can be recognised: it has the same Message-ID. Mails of two tasks
 * may be alike, such as those of two resumptions within a second.
 */
export function mails({ pglite }: Simulation, books: Books, mailbox: Mailbox): Checker {
  return {
    invariant: 'a mail that is sent again has the same Message-ID',
    end: () => {
      const invited = firstOf(books.invitations, ({ email }) => {
        const own = mailbox.mails.filter(({ to, text }) => to.includes(email) && text.includes('acceptInvitation'))
        const ids = new Set(own.map(({ messageId }) => messageId))
        return ids.size <= 1 ? null : `the invitation of ${email} came under ${ids.size} ids: ${[...ids].join()}`
      })
      if (invited !== null) return invited
      const tasks = new Set(rowsOf(pglite, 'select task_id from platform.tasks').map(([id]) => id))
      return firstOf([...Map.groupBy(mailbox.mails, contentOf).values()], (same) => {
        const ids = [...new Set(same.map(({ messageId }) => messageId))]
        if (ids.length <= 1 || ids.every((id) => tasks.has(id.split('@', 1)[0] ?? ''))) return null
        const subject = /^Subject: (.*)$/m.exec(same[0]?.text ?? '')?.[1]
        return `"${subject}" to ${same[0]?.to} came under ${ids.length} ids: ${ids.join()}`
      })
    },
  }
}

/** The recipients of a mail, its date, subject and text. The date is the time of its cause, so it is the same in each attempt. */
function contentOf({ to, text }: ReceivedMail): string {
  const drawn = /^Message-ID: .*$|_NmP-[\w-]+/gim
  return [...to, text.replaceAll(drawn, '')].join('\n')
}

/** Nothing that is due waits: mails and messages that were refused are sent again at their time. */
export function noTaskIsOverdue({ pglite, server, scheduler }: Simulation): Condition {
  return {
    name: 'mails and messages are sent',
    missing: () => {
      if (!server.isFree) return `a transaction is open: ${server.describe()}`
      const before = new Date(scheduler.nowMs - OVERDUE_MS).toISOString()
      const [row] = rowsOf(
        pglite,
        `select worker, subject, due_at, attempts from platform.tasks
         where status = 'waiting' and due_at < '${before}' order by due_at, task_id`,
      )
      return row ? `${row[0]} has not done since ${row[2]}: ${row[1]}` : null
    },
  }
}

/** Every invitation has been mailed, unless its mail was refused and waits for its next attempt. */
export function invitationsAreMailed({ pglite, server }: Simulation, books: Books): Condition {
  return {
    name: 'invitations arrive',
    missing: () => {
      if (!server.isFree) return `a transaction is open: ${server.describe()}`
      const waiting = rowsOf(
        pglite,
        `select payload->>'invitationId' from platform.tasks where worker = 'email_worker' and attempts > 0 and status <> 'done'`,
      ).map(([id]) => id)
      const lost = books.invitations.find(
        ({ state, invitationId }) => state === 'sent' && !waiting.includes(invitationId),
      )
      return lost ? `${lost.email} has got no mail` : null
    },
  }
}

function firstOf<Item>(items: readonly Item[], faultOf: (item: Item) => string | null): string | null {
  for (const item of items) {
    const fault = faultOf(item)
    if (fault !== null) return fault
  }
  return null
}
