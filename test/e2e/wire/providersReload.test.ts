import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { callIdOf, chatBody } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, INTERNAL_TOKEN, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import { type HostileProvider, startHostileProvider } from '../../support/parties/hostileProvider.ts'
import {
  DONE,
  finishes,
  type ScriptedProvider,
  says,
  startScriptedProvider,
  streamed,
  usageBlock,
} from '../../support/parties/scriptedProvider.ts'
import { until } from '../../support/time/until.ts'

const ALIAS = 'svc/chat-default'
const OTHER_ALIAS = 'svc/chat-cheap'

let folder: string
let file: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-test-providers-'))
  file = join(folder, 'providers.json')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pointTo = (baseUrl: string, changes: object = {}) =>
  writeFileSync(
    file,
    JSON.stringify({ aliases: { [ALIAS]: { providers: [{ name: 'new', baseUrl, model: 'n', ...changes }] } } }),
  )

describe('a gateway that gets SIGHUP', () => {
  let gateway: GatewayHarness
  let next: ScriptedProvider

  beforeAll(async () => {
    gateway = await startGatewayHarness({ env: { PROVIDERS_FILE: file, LOG_LEVEL: 'info' }, projector: false })
  })
  afterAll(() => gateway.close())
  beforeEach(async () => {
    next = await startScriptedProvider()
    const providers = [{ name: 'old', baseUrl: gateway.provider.baseUrl, model: 'o' }]
    writeFileSync(file, JSON.stringify({ aliases: { [ALIAS]: { providers }, [OTHER_ALIAS]: { providers } } }))
    if ((await providersTold()).join() !== 'old') await hangUp()
    gateway.provider.calls.length = 0
  })
  afterEach(() => next.close())

  /** Sends the signal and resolves with what the log has to say about it. */
  async function hangUp(): Promise<{ readonly level: number; readonly msg: string }> {
    const before = (await answersToSignal()).length
    process.kill(process.pid, 'SIGHUP')
    return until('the signal is logged', async () => (await answersToSignal())[before])
  }

  /** The providers in the metrics. */
  async function providersTold(): Promise<(string | undefined)[]> {
    const headers = { authorization: `Bearer ${INTERNAL_TOKEN}` }
    const { text } = await gateway.call('/metrics', { key: null, headers })
    return [...text.matchAll(/^tollgate_provider_breaker_state\{provider="(.*)"\}/gm)].map(([, name]) => name)
  }

  async function answersToSignal(): Promise<{ level: number; msg: string }[]> {
    // After the last line end there is nothing, or an incomplete line.
    const lines = (await readFile(gateway.logFile, 'utf8')).split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line)).filter(({ msg }) => String(msg).startsWith('SIGHUP'))
  }

  test('asks the new providers from the next call on, while a call in flight ends with the old one', async () => {
    const { promise: mayEnd, resolve: letEnd } = Promise.withResolvers<void>()
    gateway.provider.next(streamed(says('Good '), mayEnd, says('day.'), finishes(), usageBlock(), DONE))
    const stream = await gateway.stream(chatBody({ stream: true }))
    await stream.saw('Good ')
    expect((await gateway.chat(chatBody({ model: OTHER_ALIAS }))).status).toBe(200)

    pointTo(next.baseUrl)
    expect((await hangUp()).msg).toBe('SIGHUP: providers file reloaded')
    expect(await providersTold()).toEqual(['new'])
    expect((await gateway.chat(chatBody())).status).toBe(200)
    expect([gateway.provider.calls.length, next.calls.length]).toEqual([2, 1])
    // An alias that the new file leaves out has no provider.
    expect((await gateway.chat(chatBody({ model: OTHER_ALIAS }))).status).toBe(503)

    letEnd()
    expect(await stream.ended).toBe('whole')
    expect(stream.text().endsWith(DONE)).toBe(true)
    expect(await gateway.ending(callIdOf(stream))).toMatchObject({ type: 'CallCharged' })
  })

  test('closes the connections to removed providers', async () => {
    const gone: HostileProvider = await startHostileProvider()
    onTestFinished(gone.close)
    // Answers, and keeps the connection open as long as the gateway does.
    gone.always((socket) => void socket.write('HTTP/1.1 500 Down\r\ncontent-length: 0\r\n\r\n'))
    pointTo(gone.baseUrl)
    await hangUp()
    await gateway.chat(chatBody())
    expect(gone.sockets).toBe(1)
    pointTo(next.baseUrl)
    await hangUp()
    await until('the connection is closed', () => gone.sockets === 0)
    expect((await gateway.chat(chatBody())).status).toBe(200)
  })

  test.each<[string, () => void, RegExp]>([
    ['no file', () => rmSync(file), /providers\.json cannot be read \(ENOENT\)$/],
    ['no JSON', () => writeFileSync(file, '{\n  oops\n}'), /providers\.json is not JSON: /],
    ['a wrong field', () => pointTo('ftp://nowhere'), /aliases\.svc\/chat-default\.providers\.0\.baseUrl: /],
    ['a field that is unknown', () => pointTo(next.baseUrl, { modle: 'x' }), /providers\.0: .*"modle"/],
    ['a key that is not set', () => pointTo(next.baseUrl, { apiKeyEnv: 'NO_SUCH_KEY' }), /NO_SUCH_KEY is not set/],
  ])('keeps its providers with %s, and logs the reason in one line', async (_, write, why) => {
    write()
    const { level, msg } = await hangUp()
    expect(level).toBe(50)
    expect(msg).toMatch(/^SIGHUP: providers file not reloaded, the current providers stay in use: /)
    expect(msg).toMatch(why)
    expect(msg).not.toContain('\n')
    expect((await gateway.chat(chatBody())).status).toBe(200)
    expect([gateway.provider.calls.length, next.calls.length]).toEqual([1, 0])
  })
})
