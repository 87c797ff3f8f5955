import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { findEmbeddedPostgres } from '../../platform/postgres/embedded/embeddedPostgres.ts'
import { sendSignal } from '../../platform/postgres/embedded/sendSignal.ts'
import { startInstallation } from '../support/harness/installation.ts'
import { runScript } from '../support/processes/runScript.ts'
import { until } from '../support/time/until.ts'
import { balanceOf, chatOnce } from './demoCalls.ts'

const BACK_MS_MAX = 60_000

test('an embedded PostgreSQL that is killed is restarted, and calls are charged again', async () => {
  const installation = await startInstallation()
  onTestFinished(() => installation.stop())
  const { backendUrl, logFile } = installation.demo
  const status = async () => ((await (await fetch(`${backendUrl}/health`)).json()) as { status: string }).status
  expect(await status()).toBe('healthy')
  const before = await balanceOf(installation)

  const found = await findEmbeddedPostgres(installation.dataDir)
  sendSignal(found?.pid ?? 0, 'SIGKILL')
  await installation.npm.line(/embedded PostgreSQL \(process \d+\) has ended; next start in/)
  await installation.npm.line(/embedded PostgreSQL is back/)
  await until(
    'a call is charged',
    () =>
      chatOnce(installation).then(
        () => true,
        () => null,
      ),
    BACK_MS_MAX,
  )
  await until('the balance shows it', async () => (await balanceOf(installation)) < before, BACK_MS_MAX)
  await until('the backend is healthy', async () => (await status()) === 'healthy', BACK_MS_MAX)
  expect(await runScript('verify.ts', [backendUrl], {})).toMatchObject({ code: 0 })
  await until('the log says so', async () => (await readFile(logFile, 'utf8')).includes('embedded PostgreSQL is back'))
  expect(await installation.interrupt()).toEqual({ code: 0, signal: null })
  expect(await installation.processesLeft()).toEqual([])
})
