import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { asInstalled, runProgram, runShell, type SnippetRun } from '../docs/snippets.ts'
import { type Installation, startInstallation, UNLIMITED } from '../support/harness/installation.ts'
import { repository } from '../support/processes/npmProcess.ts'
import { PATIENCE } from '../support/time/patience.ts'
import { until } from '../support/time/until.ts'
import { type DocumentedClient, documentedClients } from './documentedClients.ts'
import { environmentOf } from './environments.ts'

/** Codex and Claude Code are hundreds of megabytes. */
const DOWNLOAD_MS_MAX = 300_000 * PATIENCE
const ANSWER = /sandbox, not a real model|city='Berlin'/

const clients = documentedClients()

let installation: Installation
beforeAll(async () => {
  // All are downloaded at the same time; a failure is reported by the client's own tests.
  for (const client of clients) environmentOf(client).catch(() => {})
  installation = await startInstallation(UNLIMITED)
})
afterAll(() => installation.stop())

describe.for(clients)('$name', (client) => {
  let environment: Awaited<ReturnType<typeof environmentOf>>
  beforeAll(async () => {
    environment = await environmentOf(client)
  }, DOWNLOAD_MS_MAX)

  test('gets answers as the guide sets it up, and each of its calls is charged', async ({ skip }) => {
    if ('missing' in environment) return skip(environment.missing)
    const home = await mkdtemp(join(tmpdir(), 'tollgate-test-client-'))
    onTestFinished(() => rm(home, { recursive: true, force: true }))
    const { id, secret } = await mintKey(client.name)
    const printed = await runIn(client, {
      replaced: asInstalled(installation.dataDir, installation.env),
      env: { PATH: `${environment.bin}:${process.env.PATH}`, HOME: home, TOLLGATE_KEY: secret },
      cwd: home,
    })
    // Terminals are as wide as they like.
    expect(printed.replaceAll(/\s+/g, ' ')).toMatch(ANSWER)
    await until('a call of the client is charged', async () => (await callsOf(id)).includes('CHARGED'))
    expect(new Set(await callsOf(id))).toEqual(new Set(['CHARGED']))
  })
})

function runIn({ program: { language, text } }: DocumentedClient, run: SnippetRun): Promise<string> {
  const code = run.replaced.reduce((changed, [from, to]) => changed.replaceAll(from, to), text)
  if (language === 'sh') return runShell([code], run)
  if (language === 'python') return runProgram('python', ['-c', code], run)
  // The packages of the npm libraries are those that the other tests use.
  return runProgram('node', ['--input-type=module', '-e', code], { ...run, cwd: repository })
}

async function mintKey(name: string): Promise<{ id: string; secret: string }> {
  const mint = 'mutation($name: String!) { mintApiKey(input: { name: $name }) { apiKey { id } secret } }'
  const { mintApiKey } = await ask<{ mintApiKey: { apiKey: { id: string }; secret: string } }>(mint, { name })
  return { id: mintApiKey.apiKey.id, secret: mintApiKey.secret }
}

/** The states of the key's calls. */
async function callsOf(keyId: string): Promise<string[]> {
  const list = 'query($keyId: ID) { calls(keyId: $keyId, first: 50) { nodes { state } } }'
  const { calls } = await ask<{ calls: { nodes: { state: string }[] } }>(list, { keyId })
  return calls.nodes.map(({ state }) => state)
}

async function ask<Data>(query: string, variables: object): Promise<Data> {
  const { backendUrl, adminToken } = installation.demo
  const answer = await fetch(`${backendUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = (await answer.json()) as { data?: Data; errors?: readonly object[] }
  if (!data || errors) throw new Error(JSON.stringify(errors))
  return data
}
