import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { WebhookClient } from '../../capabilities/webhooks/webhookClient.ts'
import { NOTICE_TYPES } from '../../contracts/noticeTypes.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { repository } from '../support/processes/npmProcess.ts'
import { readMarkdown } from './markdown.ts'
import { runnableBlocks } from './snippets.ts'

const SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`
const SIGNAL = new AbortController().signal

test('the receiver of docs/webhooks.md takes a message once, and refuses one that is not signed with its secret', async () => {
  const listening = ".listen(0, '127.0.0.1', function () { console.log(this.address().port) })"
  const [code = ''] = runnableBlocks('docs/webhooks.md', 'js', {
    replaced: [[".listen(8080, '127.0.0.1')", listening]],
    env: {},
  })
  const process = spawn(globalThis.process.execPath, ['--input-type=module', '-e', code], {
    cwd: repository,
    env: { TOLLGATE_WEBHOOK_SECRET: SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    process.kill('SIGKILL')
  })
  const lines = createInterface(process.stdout)[Symbol.asyncIterator]()
  const port = (await lines.next()).value
  const client = new WebhookClient({ clock: systemClock, rules: { allowsPrivate: true, allowsHttp: true } })
  const send = (messageId: string, number: number, secret = SECRET) => {
    const body = JSON.stringify({ type: 'balance.low', number, data: { credits: 5 } })
    return client.send({ url: `http://127.0.0.1:${port}/`, messageId, body, secret }, SIGNAL)
  }
  expect(await send('one', 1, `whsec_${Buffer.alloc(32, 4).toString('base64')}`)).toEqual({ status: 400 })
  expect(await send('one', 1)).toEqual({ status: 204 })
  expect(await send('one', 1)).toEqual({ status: 204 })
  expect(await send('two', 2)).toEqual({ status: 204 })
  expect((await lines.next()).value).toBe('1 balance.low {"credits":5}')
  expect((await lines.next()).value).toBe('2 balance.low {"credits":5}')
})

test('docs/webhooks.md lists every type of message', () => {
  const [, table = ''] = /\n(\| Type \|.*?)\n\n/s.exec(readMarkdown('docs/webhooks.md').text) ?? []
  const listed = [...table.matchAll(/^\| `([a-z_.]+)` \|/gm)].map(([, type]) => type)
  expect(listed).toEqual([...NOTICE_TYPES])
})
