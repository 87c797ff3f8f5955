import http from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { sendSignal } from '../../platform/postgres/embedded/sendSignal.ts'
import { type Installation, makeInstallation, UNLIMITED } from '../support/harness/installation.ts'
import { startRecordingProvider } from '../support/parties/recordingProvider.ts'
import { until } from '../support/time/until.ts'
import { chat } from './chatCall.ts'
import { openBooks } from './installationBooks.ts'
import { judge } from './judgeCharges.ts'

const STREAMS = 50

test(`Ctrl-C with ${STREAMS} streams open delivers each whole, charged once`, async () => {
  const { installation, provider } = await start()
  const streams = await openStreams(installation, STREAMS)
  expect(provider.calls.filter(({ completedAtMs }) => completedAtMs === null)).toHaveLength(STREAMS)

  const exited = installation.interrupt()
  await installation.npm.line(/^Draining/)
  provider.release()
  const outcomes = await streams.ended
  expect(outcomes.filter(({ whole }) => whole)).toHaveLength(STREAMS)
  expect(await exited).toEqual({ code: 0, signal: null })
  expect(await installation.processesLeft()).toEqual([])

  await installation.startAgain()
  const books = openBooks(await installation.databaseUrl(), installation.demo.companyId)
  onTestFinished(() => books.close())
  const { faults, charged } = judge({ outcomes, ledger: (await books.ledger()).events, log: provider.calls })
  expect(faults).toEqual([])
  expect(charged).toBe(STREAMS)
})

test('a second Ctrl-C ends at once and leaves no process', async () => {
  const { installation } = await start()
  const streams = await openStreams(installation, 1)
  const server = await installation.serverPid()
  const exited = installation.interrupt()
  await until('npm has ended', () => {
    sendSignal(server, 'SIGINT')
    return installation.npm.exit
  })
  expect(await exited).toEqual({ code: 1, signal: null })
  expect(await streams.ended).toMatchObject([{ whole: false }])
  await until('Postgres has ended', async () => (await installation.processesLeft()).length === 0)
})

async function start() {
  const provider = await startRecordingProvider()
  onTestFinished(() => provider.close())
  const installation = await makeInstallation({ ...UNLIMITED, PROVIDERS_FILE: provider.providersFile })
  onTestFinished(() => installation.stop())
  await installation.startAgain()
  return { installation, provider }
}

/** Streams that the provider holds half-way; resolves when every client has the first bytes of its own. */
async function openStreams({ demo }: Installation, count: number) {
  const agent = new http.Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const begun: Promise<void>[] = []
  const ended = Array.from({ length: count }, (_, n) => {
    const { promise, resolve: onFirstByte } = Promise.withResolvers<void>()
    begun.push(promise)
    const script = { marker: `stream ${n}`, pieces: 6, pieceMs: 10, held: true }
    return chat({ demo, agent, script, streamed: true, onFirstByte })
  })
  await Promise.all(begun)
  return { ended: Promise.all(ended) }
}
