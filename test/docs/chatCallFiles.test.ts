import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHAT, call, chatBody } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import type { CoveredGatewayMessage, CoveredGatewayOptions } from '../support/processes/coveredGateway.ts'
import { repository } from '../support/processes/npmProcess.ts'
import { readMarkdown } from './markdown.ts'

const DOCUMENT = 'docs/architecture.md'
/** Without the files of `platform/`, which know nothing of calls. */
const FILES_MAX = 62
/** Something else that runs by chance during one call does not run during every one of these. */
const CALLS_MAX = 25

let harness: GatewayHarness
let gateway: ChildProcess
let url: string

beforeAll(async () => {
  harness = await startGatewayHarness({ projector: false })
  // Only its engines, its key and its provider are needed.
  await harness.drain()
  gateway = fork(join(repository, 'test/support/processes/coveredGateway.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const { databaseUrl, providerTable: providers, runtime } = harness
  const settings = { GATEWAY_PORT: '0', DATA_DIR: runtime.config.DATA_DIR }
  gateway.send({ databaseUrl, settings, providers } satisfies CoveredGatewayOptions)
  ;({ url = '' } = await message())
  // The first call opens connections and fills caches.
  await filesOfCall()
})
afterAll(async () => {
  gateway.kill()
  await harness.close()
})

async function message(): Promise<CoveredGatewayMessage> {
  const [received] = (await once(gateway, 'message')) as [CoveredGatewayMessage]
  return received
}

async function filesOfCall(): Promise<readonly string[]> {
  gateway.send('tell when nothing runs')
  await message()
  const [{ files = [] }, { status }] = await Promise.all([
    message(),
    call(url, CHAT, { key: harness.key.raw, body: chatBody() }),
  ])
  expect(status).toBe(200)
  return files
}

function listedFiles(): string[] {
  const [, section = ''] = /\n## The files of a chat call\n(.*?)\n## /s.exec(readMarkdown(DOCUMENT).text) ?? []
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  return rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, path]) => path ?? '')).toSorted()
}

test(`${DOCUMENT} lists the files of a chat call, which are at most ${FILES_MAX}`, async () => {
  const listed = listedFiles()
  let files = await filesOfCall()
  for (let calls = 1; calls < CALLS_MAX && files.some((path) => !listed.includes(path)); calls++) {
    const ofCall = new Set(await filesOfCall())
    files = files.filter((path) => ofCall.has(path))
  }
  expect(files).toEqual(listed)
  expect(files.filter((path) => !path.startsWith('platform/')).length).toBeLessThanOrEqual(FILES_MAX)
})
