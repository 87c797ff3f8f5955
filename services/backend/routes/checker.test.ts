import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock/clock.ts'
import { createApp } from '../../../platform/http/createApp.ts'
import { serviceGuards } from '../../../platform/http/guards.ts'
import { type HttpServer, listen } from '../../../platform/http/httpServer.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { charged, granted } from '../../../test/support/events/ledgerEvents.ts'
import { KEY, SampleTransparencyLog } from '../../../test/support/transparency/sampleTransparencyLog.ts'
import { checker } from './checker.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-checker-'))
let server: HttpServer
beforeAll(async () => {
  const { log } = openLog({ level: 'silent', file: null })
  const [clock, guards] = [systemClock, serviceGuards('an-internal-token')]
  const handler = createApp({ routes: [checker], guards, clock, ids: systemIds, log })
  server = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'BACKEND_PORT', clock })
})
afterAll(async () => {
  await server.drain(100)
  rmSync(folder, { recursive: true })
})

test('200: the file that is served checks a receipt alone, as a command', async () => {
  const answer = await fetch(`${server.url}/log/check.mjs`)
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=3600',
    'access-control-allow-origin': '*',
  })
  const company = '11111111-1111-4111-8111-111111111111'
  const transparencyLog = new SampleTransparencyLog()
  for (const event of [granted(company), charged(company), charged(company)]) transparencyLog.append(company, event)
  transparencyLog.checkpoint()
  const [program, receipt] = [path.join(folder, 'check.mjs'), path.join(folder, 'receipt.json')]
  writeFileSync(program, await answer.text())
  writeFileSync(receipt, JSON.stringify(await transparencyLog.receipt(1)))
  const { stdout } = await promisify(execFile)(process.execPath, [program, receipt, '--vkey', KEY.vkey])
  expect(stdout).toMatch(/verified\n$/)
})
