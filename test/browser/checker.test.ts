import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import { createApp } from '../../platform/http/createApp.ts'
import { serviceGuards } from '../../platform/http/guards.ts'
import { type HttpServer, listen } from '../../platform/http/httpServer.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { openLog } from '../../platform/logger/logger.ts'
import { findChromium, MISSING } from '../../scripts/browser/chromium.ts'
import { checker } from '../../services/backend/routes/checker.ts'
import { charged, granted } from '../support/events/ledgerEvents.ts'
import { KEY, SampleTransparencyLog } from '../support/transparency/sampleTransparencyLog.ts'
import { visit } from './visit.ts'

const executablePath = findChromium()
let browser: Browser | null = null
let server: HttpServer
beforeAll(async () => {
  if (!executablePath) return
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const { log } = openLog({ level: 'silent', file: null })
  const [clock, guards] = [systemClock, serviceGuards('an-internal-token')]
  const handler = createApp({ routes: [checker], guards, clock, ids: systemIds, log })
  server = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'BACKEND_PORT', clock })
})
afterAll(async () => {
  await browser?.close()
  await server?.drain(100)
})

test('the checker finds a receipt right, and an altered one wrong, in a browser', async (context) => {
  if (!browser) return context.skip(MISSING)
  const company = '11111111-1111-4111-8111-111111111111'
  const transparencyLog = new SampleTransparencyLog()
  transparencyLog.append(company, granted(company))
  while (transparencyLog.size < 300) transparencyLog.append(company, charged(company))
  const since = transparencyLog.checkpoint()
  while (transparencyLog.size < 600) transparencyLog.append(company, charged(company))
  transparencyLog.checkpoint()
  const receipt = JSON.stringify(await transparencyLog.receipt(257, { since: 300 }))
  const altered = receipt.replace('"label":null', '"label":"another"')
  expect(altered).not.toBe(receipt)

  const { page } = await visit(browser, `${server.url}/log/check.mjs`)
  // As text, because the test runner would rewrite the import of a function.
  const failed = (text: string) =>
    page.evaluate(`import('/log/check.mjs')
      .then(({ check }) => check(${JSON.stringify(text)}, ${JSON.stringify({ vkeys: [KEY.vkey], since })}))
      .then(({ checks }) => checks.filter(({ ok }) => !ok).map(({ name }) => name))`)
  expect(await failed(receipt)).toEqual([])
  expect(await failed(altered)).toEqual(['inclusion'])
  await page.close()
})
