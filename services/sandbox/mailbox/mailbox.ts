import { type Clock, isoTime } from '../../../platform/clock/clock.ts'
import type { Ids } from '../../../platform/ids/ids.ts'
import type { SandboxThreads } from '../threads/sandboxThreads.ts'
import type { ReadMail } from './readMail.ts'

export const MAILBOX_MAILS_MAX = 200
/** Characters of all mails together, because one answer lists them all. */
export const MAILBOX_CHARS_MAX = 2 * 1024 * 1024

export type Mail = Omit<ReadMail, 'from'> & {
  readonly id: string
  readonly from: string
  readonly receivedAt: string
  /** How often it was received. A sender that got no acknowledgement sends a mail again. */
  readonly count: number
}

/** Sender and recipients of the SMTP transaction. */
export type Envelope = { readonly from: string; readonly to: readonly string[] }

/** The latest mails, in memory only. They are lost at a restart. */
export class Mailbox {
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #threads: Pick<SandboxThreads, 'run'>
  readonly #mails = new Map<string, Mail>()
  #chars = 0

  constructor(clock: Clock, ids: Ids, threads: Pick<SandboxThreads, 'run'>) {
    this.#clock = clock
    this.#ids = ids
    this.#threads = threads
  }

  async add(raw: Buffer, envelope: Envelope): Promise<Mail> {
    const read = await this.#threads.run('mail', raw)
    const known = read.messageId === null ? undefined : this.#byMessageId(read.messageId)
    const mail: Mail = known
      ? { ...known, count: known.count + 1 }
      : {
          ...read,
          id: this.#ids.uuid(),
          from: read.from || envelope.from,
          to: read.to.length > 0 ? read.to : envelope.to,
          receivedAt: isoTime(this.#clock.now()),
          count: 1,
        }
    this.#mails.set(mail.id, mail)
    if (!known) this.#chars += charsOf(mail)
    for (const oldest of this.#mails.values()) {
      const isFull = this.#mails.size > MAILBOX_MAILS_MAX || this.#chars > MAILBOX_CHARS_MAX
      if (!isFull || oldest === mail) break
      this.#mails.delete(oldest.id)
      this.#chars -= charsOf(oldest)
    }
    return mail
  }

  newestFirst(): Mail[] {
    return [...this.#mails.values()].reverse()
  }

  #byMessageId(messageId: string): Mail | undefined {
    return [...this.#mails.values()].find((mail) => mail.messageId === messageId)
  }
}

function charsOf({ messageId, from, to, subject, text, html, shown }: Mail): number {
  return [messageId, from, ...to, subject, text, html, shown].reduce((sum, part) => sum + (part?.length ?? 0), 0)
}
