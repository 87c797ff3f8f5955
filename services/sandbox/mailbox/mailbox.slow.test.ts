import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestSandbox, type TestSandbox } from '../../../test/support/harness/sandbox.ts'
import { stallDuring } from '../../../test/support/time/eventLoopStall.ts'
import { MAILBOX_CHARS_MAX, type Mail } from './mailbox.ts'

/** Far more than reading the mail takes of this thread, and far less than parsing it here would. */
const STALL_MS_MAX = 150

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.close())

async function mails(): Promise<Mail[]> {
  return (await (await fetch(`${sandbox.url}/mailbox`)).json()) as Mail[]
}

async function send(raw: string): Promise<void> {
  const transport = createTransport(sandbox.smtpUrl)
  const envelope = { from: 'a@demo.example', to: 'b@demo.example' }
  await transport.sendMail({ envelope, raw }).finally(() => transport.close())
}

test.each([
  ['many recipients', `to: ${'a@b.example,'.repeat(15_000)}\r\n\r\nhi`],
  ['many headers', `${'x: y\r\n'.repeat(30_000)}\r\nhi`],
  ['nested messages', `${'content-type: message/rfc822\r\n\r\n'.repeat(5_000)}hi`],
  ['many parts', `content-type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(18_000)}--b--\r\n`],
])('a mail with %s is read on a thread', async (name, rest) => {
  await send('subject: first\r\n\r\n')
  const { stall } = await stallDuring(() => send(`subject: ${name}\r\n${rest}`))
  expect(stall.cpuMs).toBeLessThan(STALL_MS_MAX)
  const [mail] = await mails()
  expect(mail?.subject).toBe(name)
  expect(mail?.to.length).toBeLessThanOrEqual(100)
})

test('the mailbox keeps no more text than one answer should list', async () => {
  for (let n = 0; n < 12; n++) await send(`subject: mail ${n}\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(2_800)}`)
  const kept = await mails()
  expect(kept[0]?.subject).toBe('mail 11')
  expect(kept.length).toBeLessThan(12)
  expect(JSON.stringify(kept).length).toBeLessThan(MAILBOX_CHARS_MAX * 1.1)
})
