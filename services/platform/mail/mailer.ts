import { createTransport } from 'nodemailer'

const MAIL_CONNECTIONS_MAX = 2
const MAIL_CONNECT_MS = 10_000
const MAIL_ANSWER_MS = 30_000

export type Mail = {
  /** Without angle brackets. The same again is the same mail: whoever receives it twice can tell. */
  readonly messageId: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly sentAt: Date
}

export type MailerOptions = {
  /** smtp:// or smtps://, with a user and a password where the server wants them. */
  readonly url: string
  readonly from: string
  /** For tests of what happens when nobody answers. */
  readonly connectMs?: number
  readonly answerMs?: number
}

/** Sends mails over SMTP, over a few connections that are used again; no wait is without an end. */
export class Mailer {
  readonly #transport: ReturnType<typeof open>
  readonly #from: string

  constructor(options: MailerOptions) {
    this.#transport = open(options)
    this.#from = options.from
  }

  /** The part of the sender's address that names of messages end in. */
  get domain(): string {
    return /@([^\s<>"]+?)>?$/.exec(this.#from.trim())?.[1] ?? 'tollgate.invalid'
  }

  /** Resolves when the server has taken it, for one of the recipients at least. */
  async send({ messageId, to, subject, text, html, sentAt }: Mail): Promise<void> {
    await this.#transport.sendMail({
      from: this.#from,
      to: [...to],
      subject,
      text,
      html,
      date: sentAt,
      messageId: `<${messageId}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  }

  close(): void {
    this.#transport.close()
  }
}

function open({ url, connectMs = MAIL_CONNECT_MS, answerMs = MAIL_ANSWER_MS }: MailerOptions) {
  return createTransport({
    url,
    pool: true,
    maxConnections: MAIL_CONNECTIONS_MAX,
    connectionTimeout: connectMs,
    dnsTimeout: connectMs,
    greetingTimeout: answerMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Who mails are from: what was set, or an address at the server that they go through. */
export function senderOf({ SMTP_URL, MAIL_FROM }: { readonly SMTP_URL?: string; readonly MAIL_FROM?: string }): string {
  if (MAIL_FROM !== undefined) return MAIL_FROM
  return `Tollgate <no-reply@${SMTP_URL === undefined ? 'tollgate.invalid' : new URL(SMTP_URL).hostname}>`
}
