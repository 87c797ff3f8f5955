import { createTransport } from 'nodemailer'
import type { SMTPTransportGetSocket } from 'nodemailer/lib/smtp-transport'
import type { Connect } from '../../platform/network.ts'

const MAIL_CONNECTIONS_MAX = 2
const MAIL_CONNECT_MS = 10_000
const MAIL_ANSWER_MS = 30_000
const SMTP_PORT = 25

export type Mail = {
  /** Without angle brackets. A mail that is sent again keeps its id, so that recipients can recognise the duplicate. */
  readonly messageId: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly sentAt: Date
}

export type MailerOptions = {
  /** smtp:// or smtps://, with user and password if the server needs them. */
  readonly url: string
  readonly from: string
  /** Shortened in tests of a server that does not answer. */
  readonly connectMs?: number
  readonly answerMs?: number
  /** Opens the connections. Default: that of the operating system. */
  readonly connect?: Connect | undefined
}

/** Sends mails over a small pool of SMTP connections. Every wait has a time-out. */
export class Mailer {
  readonly #transport: ReturnType<typeof open>
  readonly #from: string

  constructor(options: MailerOptions) {
    this.#transport = open(options)
    this.#from = options.from
  }

  /** The domain of the sender's address, which message ids end in. */
  get domain(): string {
    return /@([^\s<>"]+?)>?$/.exec(this.#from.trim())?.[1] ?? 'tollgate.invalid'
  }

  /** Resolves when the server has accepted the mail for at least one recipient. */
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

function open({ url, connectMs = MAIL_CONNECT_MS, answerMs = MAIL_ANSWER_MS, connect }: MailerOptions) {
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
    ...(connect && { getSocket: socketsOf(connect) }),
  })
}

function socketsOf(connect: Connect): SMTPTransportGetSocket {
  return ({ host = '', port = SMTP_PORT }, done) =>
    connect({ hostname: host, port: String(port) }, (error, connection) =>
      error ? done(error) : done(null, { connection }),
    )
}

/** The sender's address: MAIL_FROM, or an address at the host of SMTP_URL. */
export function senderOf({ SMTP_URL, MAIL_FROM }: { readonly SMTP_URL?: string; readonly MAIL_FROM?: string }): string {
  if (MAIL_FROM !== undefined) return MAIL_FROM
  return `Tollgate <no-reply@${SMTP_URL === undefined ? 'tollgate.invalid' : new URL(SMTP_URL).hostname}>`
}
