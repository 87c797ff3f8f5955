import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import { SettingError } from '../../../platform/config/settingError.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import type { Mailbox } from './mailbox.ts'

export const MAIL_BYTES_MAX = 256 * 1024
const MAIL_CLIENTS_MAX = 20
const MAIL_CLIENT_STALL_MS = 30_000
const MAIL_SERVER_CLOSE_MS = 500

export type MailServer = { readonly url: string; close(): Promise<void> }

const PORT_SETTING = 'SANDBOX_SMTP_PORT'

/** An SMTP server that accepts every mail and delivers none. */
export async function startMailServer(
  mailbox: Mailbox,
  { host, port, log }: { readonly host: string; readonly port: number; readonly log: Log },
): Promise<MailServer> {
  const server = new SMTPServer({
    banner: 'Tollgate sandbox: mails end here',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAIL_BYTES_MAX,
    rejectOversized: true,
    maxClients: MAIL_CLIENTS_MAX,
    socketTimeout: MAIL_CLIENT_STALL_MS,
    closeTimeout: MAIL_SERVER_CLOSE_MS,
    onData: (stream, { envelope }, done) => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      const to = envelope.rcptTo.map(({ address }) => address)
      wholeMail(stream)
        .then((raw) => raw && mailbox.add(raw, { from, to }))
        .then(
          () => done(),
          (error: unknown) => done(error instanceof Error ? error : new Error('the mail could not be parsed')),
        )
    },
  })
  // A client that leaves is no fault of ours, and could fill the log.
  server.on('error', (error: Error) => log.debug({ err: error }, 'mail client connection failed'))
  await new Promise<void>((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new SettingError(
              `${PORT_SETTING}: port ${port} on ${host} is in use; stop the process that uses it or set another port`,
            )
          : error,
      )
    server.once('error', refused)
    server.listen(port, host, () => {
      server.off('error', refused)
      resolve()
    })
  })
  const { port: boundPort } = server.server.address() as AddressInfo
  const shownHost = host.includes(':') ? `[${host}]` : host
  return {
    url: `smtp://${shownHost}:${boundPort}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** null if the mail exceeds the limit; the server refuses it at its end. */
async function wholeMail(stream: SMTPServerDataStream): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) {
    if (stream.sizeExceeded) chunks.length = 0
    else chunks.push(chunk as Buffer)
  }
  return stream.sizeExceeded ? null : Buffer.concat(chunks)
}
