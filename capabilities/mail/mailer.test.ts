import { type AddressInfo, connect, createServer } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { Mailer, senderOf } from './mailer.ts'

const mail = {
  messageId: 'one@mail.example',
  to: ['ada@first.example', 'bob@first.example'],
  subject: 'Grüße 東京',
  text: 'plain\n',
  html: '<p>plain</p>',
  sentAt: new Date('2026-03-01T10:00:00.000Z'),
}

/** A real SMTP server that records the mails and counts the connections. */
async function smtpServer() {
  const taken: { to: string[]; raw: string }[] = []
  let connections = 0
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onConnect: (_session, done) => {
      connections++
      done()
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        taken.push({ to: envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks).toString() })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { url: `smtp://127.0.0.1:${port}`, taken, connections: () => connections, close }
}

test('a mail arrives with its id, date and content, and connections are reused', async () => {
  const server = await smtpServer()
  const mailer = new Mailer({ url: server.url, from: 'Tollgate <tollgate@mail.example>' })
  await mailer.send(mail)
  await mailer.send(mail)
  mailer.close()
  expect(server.connections()).toBe(1)
  const [first, second] = server.taken
  expect(first?.to).toEqual(mail.to)
  for (const { raw } of [first, second] as { raw: string }[]) {
    expect(raw).toContain('Message-ID: <one@mail.example>')
    expect(raw).toContain('Date: Sun, 01 Mar 2026 10:00:00 +0000')
    expect(raw).toContain('From: Tollgate <tollgate@mail.example>')
    expect(raw).toContain('multipart/alternative')
  }
  await server.close()
})

test('a mail leaves over the connection that the network opens', async () => {
  const server = await smtpServer()
  const asked: unknown[] = []
  const mailer = new Mailer({
    url: 'smtp://mail.example:2525',
    from: 'tollgate@mail.example',
    connect: (to, done) => {
      asked.push(to)
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => done(null, socket))
    },
  })
  await mailer.send(mail)
  mailer.close()
  expect(asked).toEqual([{ hostname: 'mail.example', port: '2525' }])
  expect(server.taken).toHaveLength(1)
  await server.close()
})

test('sending fails with the error of a network that opens no connection', async () => {
  const connectTo = (_to: unknown, done: (error: Error, socket: null) => void) => done(new Error('refused'), null)
  const mailer = new Mailer({ url: 'smtp://mail.example', from: 'tollgate@mail.example', connect: connectTo })
  await expect(mailer.send(mail)).rejects.toThrow('refused')
  mailer.close()
})

test('sending to a server that accepts the connection but does not answer times out', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const mailer = new Mailer({ url: `smtp://127.0.0.1:${port}`, from: 'a@b.example', answerMs: 100 })
  await expect(mailer.send(mail)).rejects.toThrow(/time-?out|greeting/i)
  mailer.close()
  silent.close()
})

test('sending fails if the server refuses the connection', async () => {
  const mailer = new Mailer({ url: 'smtp://127.0.0.1:1', from: 'a@b.example' })
  await expect(mailer.send(mail)).rejects.toThrow(/ECONNREFUSED/)
  mailer.close()
})

test.each([
  ['Tollgate <tollgate@mail.example>', 'mail.example'],
  ['a@b.example', 'b.example'],
  ['no address', 'tollgate.invalid'],
])('message ids of mails from %s end in %s', (from, domain) => {
  expect(new Mailer({ url: 'smtp://127.0.0.1:1', from }).domain).toBe(domain)
})

test('without MAIL_FROM the sender is an address at the SMTP host', () => {
  expect(senderOf({ SMTP_URL: 'smtps://user:secret@mail.example:465' })).toBe('Tollgate <no-reply@mail.example>')
  expect(senderOf({ SMTP_URL: 'smtp://x', MAIL_FROM: 'a@b.example' })).toBe('a@b.example')
})
