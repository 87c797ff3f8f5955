import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startTestSandbox, type TestSandbox } from '../../../test/support/harness/sandbox.ts'
import { MAILBOX_MAILS_MAX, type Mail } from './mailbox.ts'
import { MAIL_BYTES_MAX } from './mailServer.ts'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.close())

async function send(mail: object): Promise<void> {
  const transport = createTransport(sandbox.smtpUrl)
  await transport
    .sendMail({ from: 'Tollgate <gate@demo.example>', to: 'ada@demo.example', ...mail })
    .finally(() => transport.close())
}

async function mails(): Promise<Mail[]> {
  return (await (await fetch(`${sandbox.url}/mailbox`)).json()) as Mail[]
}

describe('the mailbox', () => {
  test('lists the mails received over SMTP, newest first', async () => {
    await send({ subject: 'First', text: 'one' })
    await send({
      messageId: '<second@demo.example>',
      to: ['ada@demo.example', 'Bo <bo@demo.example>'],
      subject: 'Zahlung über 10 €',
      text: 'Grüße ✓',
      html: '<p>Grüße ✓</p>',
    })
    const [newest, oldest] = await mails()
    expect(newest).toEqual({
      id: expect.any(String),
      messageId: '<second@demo.example>',
      from: 'gate@demo.example',
      to: ['ada@demo.example', 'bo@demo.example'],
      subject: 'Zahlung über 10 €',
      text: expect.stringMatching(/^Grüße ✓\s*$/),
      html: expect.stringMatching(/^<p>Grüße ✓<\/p>\s*$/),
      receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      count: 1,
    })
    expect(oldest).toMatchObject({ subject: 'First', html: null })
  })

  test('lists a repeated mail once, with its count', async () => {
    await send({ messageId: '<same@demo.example>', subject: 'Once' })
    await send({ subject: 'Other' })
    await send({ messageId: '<same@demo.example>', subject: 'Once' })
    expect((await mails()).map(({ subject, count }) => [subject, count])).toEqual([
      ['Other', 1],
      ['Once', 2],
    ])
  })

  test('is a page for browsers, which shows mails as text only', async () => {
    await send({ subject: '<b>Bold</b>', html: '<p>Hi</p><script>alert(1)</script>' })
    const page = await fetch(`${sandbox.url}/mailbox`, {
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    })
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    const text = await page.text()
    expect(text).toContain('&lt;b&gt;Bold&lt;/b&gt;')
    expect(text).toContain('Hi')
    expect(text).not.toContain('<script')
    expect(text).toContain('No mail leaves this machine')
  })

  test('keeps the latest mails and refuses one that is too large', async () => {
    const transport = createTransport(`${sandbox.smtpUrl}?pool=true`)
    for (let n = 0; n <= MAILBOX_MAILS_MAX; n++) {
      await transport.sendMail({ from: 'a@demo.example', to: 'b@demo.example', subject: `mail ${n}` })
    }
    transport.close()
    const kept = await mails()
    expect(kept).toHaveLength(MAILBOX_MAILS_MAX)
    expect(kept.at(-1)?.subject).toBe('mail 1')
    await expect(send({ text: 'x'.repeat(MAIL_BYTES_MAX) })).rejects.toThrow(/552|exceeds/)
    expect(await mails()).toHaveLength(MAILBOX_MAILS_MAX)
  })

  test.each([
    ['a page of nothing but opening tags', `content-type: text/html\r\n\r\n${'<'.repeat(186 * 1024)}`],
    ['unclosed styles', `content-type: text/html\r\n\r\n${'<style '.repeat(26_000)}`],
  ])('shows %s, which once took a quarter of a minute', async (name, rest) => {
    const transport = createTransport(sandbox.smtpUrl)
    const raw = `subject: ${name}\r\n${rest}`
    const envelope = { from: 'a@demo.example', to: 'b@demo.example' }
    await transport.sendMail({ envelope, raw }).finally(() => transport.close())
    const [mail] = await mails()
    expect(mail?.subject).toBe(name)
    const page = await fetch(`${sandbox.url}/mailbox`, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain(name)
  })

  test('refuses requests from pages of other origins', async () => {
    const read = (headers: Record<string, string>) => fetch(`${sandbox.url}/mailbox`, { headers })
    expect((await read({ origin: 'http://elsewhere.example' })).status).toBe(403)
    expect((await read({ origin: sandbox.url })).status).toBe(200)
  })
})
