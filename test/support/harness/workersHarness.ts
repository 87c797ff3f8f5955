import type { ProviderTable } from '../../../capabilities/providers/providersFile.ts'
import { SANDBOX_ALIASES } from '../../../contracts/aliases.ts'
import { startAi } from '../../../services/ai/ai.ts'
import type { WorkerLimits } from '../../../services/ai/workers/startWorkers.ts'
import { type Script, startScriptedProvider, whole } from '../parties/scriptedProvider.ts'
import { type SteppedClock, steppedClock } from '../time/steppedClock.ts'
import { until } from '../time/until.ts'
import { startBackendHarness } from './backendHarness.ts'
import { call } from './gatewayClient.ts'
import { INTERNAL_TOKEN } from './gatewayHarness.ts'
import { startTestSandbox } from './sandbox.ts'

export type SentFile = { readonly name: string; readonly bytes: Buffer; readonly type?: string }
export type ReceivedMail = {
  readonly messageId: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly count: number
}

/** Links in mails begin with it. */
export const PUBLIC_URL = 'https://tollgate.example'

export type WorkersHarness = Awaited<ReturnType<typeof startWorkersHarness>>

/**
 * Backend and AI service as an installation has them. Models answer through the sandbox unless a test says otherwise,
 * mails end in its mailbox, and tasks fall due by a clock that the test moves.
 */
export async function startWorkersHarness(limits: WorkerLimits = {}, settings: Readonly<Record<string, string>> = {}) {
  const sandbox = await startTestSandbox()
  const models = await startScriptedProvider()
  const bySandbox = forwarded(sandbox.url ?? '')
  models.always(bySandbox)
  const clock: SteppedClock = steppedClock(Date.now())
  const mail = { SMTP_URL: sandbox.smtpUrl, MAIL_FROM: 'Tollgate <tollgate@mail.example>', PUBLIC_URL }
  const env = { AI_PORT: '0', ...mail }
  const backend = await startBackendHarness({ clock, env: { ...env, BREAKER_COOLDOWN_MS: '50', ...settings } })
  const ai = await startAi(backend.runtime, providersAt(models.baseUrl), { pollMs: 20, dueEveryMs: 50, ...limits })
  const { ask, admin } = backend

  const upload = async (field: 'uploadCv' | 'uploadJobDocument', file: SentFile, token = admin.token) => {
    const query = `mutation ($file: Upload!) { ${field}(file: $file) { id kind status filename } }`
    const form = new FormData()
    form.set('operations', JSON.stringify({ query, variables: { file: null } }))
    form.set('map', JSON.stringify({ 0: ['variables.file'] }))
    form.set('0', new File([new Uint8Array(file.bytes)], file.name, { type: file.type ?? '' }))
    const headers = { authorization: `Bearer ${token}` }
    const answered = await fetch(`${backend.url}/graphql`, { method: 'POST', headers, body: form })
    // biome-ignore lint/suspicious/noExplicitAny: the fields are asserted, not used.
    const json = (await answered.json()) as any
    return {
      status: answered.status,
      document: json.data?.[field],
      error: json.errors?.[0]?.message,
      code: json.errors?.[0]?.extensions?.code,
    }
  }
  const documents = async (token = admin.token) =>
    (await ask('{ documents { id kind status filename error talentId jobId } }', {}, token)).data.documents
  return {
    ...backend,
    backendUrl: backend.url,
    url: ai.url ?? '',
    clock,
    models,
    bySandbox,
    upload,
    documents,
    /** The document once no worker processes it. A failed one is retried as time goes on: `meanwhile` moves the clock. */
    settled: (id: string, meanwhile: () => void = () => {}, msMax?: number) => {
      const read = async () => {
        meanwhile()
        return (await documents()).find(
          (one: { id: string; status: string }) => one.id === id && one.status !== 'UPLOADED',
        )
      }
      return until(`document ${id} is read`, read, msMax)
    },
    mails: async (): Promise<ReceivedMail[]> =>
      (await call(sandbox.url ?? '', '/mailbox', { key: null })).json as ReceivedMail[],
    hook: (what: 'created' | 'destroyed', body: unknown, key: string | null = INTERNAL_TOKEN) =>
      call(ai.url ?? '', `/api/events/room/${what}`, { key, body: body as object }),
    close: async () => {
      await ai.drain(1_000)
      await backend.close()
      await models.close()
      await sandbox.close()
    },
  }
}

function providersAt(baseUrl: string): ProviderTable {
  const provider = { name: 'model', baseUrl, model: 'any', apiKey: null }
  const waits = { connectTimeoutMs: 10_000, firstByteTimeoutMs: 10_000, idleTimeoutMs: 10_000 }
  const entry = { maxOutputTokens: 4_096, providers: [{ ...provider, ...waits }] as const }
  return Object.fromEntries(SANDBOX_ALIASES.map((alias) => [alias, entry])) as ProviderTable
}

function forwarded(url: string): Script {
  return async (response, { path, body }) => {
    const headers = { 'content-type': 'application/json' }
    const answered = await fetch(url + path, { method: 'POST', headers, body: new Uint8Array(body) })
    const status = answered.status
    await whole(Buffer.from(await answered.arrayBuffer()), { status })(response, undefined as never)
  }
}
