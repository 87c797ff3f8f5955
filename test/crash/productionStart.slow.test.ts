import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ServiceProgram } from '../../capabilities/runService.ts'
import { readConfig, requireSettings } from '../../platform/config/config.ts'
import { signingKey } from '../../platform/secrets/noteKeys.ts'

const programs = vi.hoisted(() => new Map<string, ServiceProgram>())
vi.mock('../../capabilities/runService.ts', () => ({
  runService: async (program: ServiceProgram) => void programs.set(program.name, program),
}))

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-production-'))
  writeFileSync(join(folder, 'providers.json'), '{"aliases":{}}')
  await import('../../services/gateway/main.ts')
  await import('../../services/backend/main.ts')
  await import('../../services/ai/main.ts')
  await import('../../services/projector/main.ts')
  await import('../../services/reactor/main.ts')
  await import('../../services/sandbox/main.ts')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** All that production asks for; the database is not there, so that a start without a gap ends at it. */
const complete = (): Record<string, string> => ({
  DATABASE_URL: 'postgres://127.0.0.1:1/nothing',
  PROVIDERS_FILE: join(folder, 'providers.json'),
  JWT_SECRET: 'x'.repeat(32),
  INTERNAL_TOKEN: 'x'.repeat(16),
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
  SMTP_URL: 'smtp://mail.example',
  PUBLIC_URL: 'https://tollgate.example',
  LOG_SIGNING_KEY: signingKey('tollgate.example', Buffer.alloc(32, 1)).text,
})
const without = (name: string) => Object.fromEntries(Object.entries(complete()).filter(([other]) => other !== name))

const REQUIRED: [service: string, setting: string][] = [
  ['gateway', 'PROVIDERS_FILE'],
  ['gateway', 'INTERNAL_TOKEN'],
  ['backend', 'JWT_SECRET'],
  ['backend', 'INTERNAL_TOKEN'],
  ['backend', 'STRIPE_SECRET_KEY'],
  ['backend', 'STRIPE_WEBHOOK_SECRET'],
  ['ai', 'PROVIDERS_FILE'],
  ['ai', 'INTERNAL_TOKEN'],
  ['ai', 'JWT_SECRET'],
  ['ai', 'SMTP_URL'],
  ['ai', 'PUBLIC_URL'],
  ['projector', 'INTERNAL_TOKEN'],
  ['reactor', 'INTERNAL_TOKEN'],
  ['reactor', 'LOG_SIGNING_KEY'],
  ['backend', 'LOG_SIGNING_KEY'],
]

function requireOf(service: string, env: Record<string, string>): void {
  const program = programs.get(service)
  if (!program) throw new Error(`there is no program of ${service}`)
  requireSettings(readConfig(env), program.requires)
}

describe('a service on production engines', () => {
  test.each(REQUIRED)('%s does not start without %s', (service, setting) => {
    expect(() => requireOf(service, without(setting))).toThrowError(new RegExp(`^${setting} is not set`))
    requireOf(service, complete())
  })

  test('waits until read models are of its version, if it reads them', () => {
    const waiting = [...programs.values()].filter(({ readsModels }) => readsModels).map(({ name }) => name)
    expect(waiting.toSorted()).toEqual(['ai', 'backend', 'gateway', 'reactor'])
  })

  test('refuses to start the sandbox unless SANDBOX is 1', () => {
    const sandbox = programs.get('sandbox')
    expect(() => sandbox?.start({} as never, readConfig(complete()))).toThrowError(/^SANDBOX is not 1/)
  })

  function start(env: Record<string, string>, service: string): Promise<{ code: number | null; stderr: string }> {
    const main = join(import.meta.dirname, '..', '..', 'services', service, 'main.ts')
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [main], { cwd: folder, env }, (_error, _stdout, stderr) =>
        resolve({ code: child.exitCode, stderr }),
      )
    })
  }

  test('without a required setting prints one line that names it and exits with 1', async () => {
    const endings = await Promise.all([
      start(without('DATABASE_URL'), 'gateway'),
      start(without('PROVIDERS_FILE'), 'gateway'),
      start(complete(), 'gateway'),
    ])
    expect(endings.map(({ code }) => code)).toEqual([1, 1, 1])
    expect(endings.map(({ stderr }) => stderr)).toEqual([
      expect.stringMatching(/^tollgate: DATABASE_URL is not set.*\n$/),
      expect.stringMatching(/^tollgate: PROVIDERS_FILE is not set.*\n$/),
      expect.stringMatching(/^tollgate: DATABASE_URL: the database cannot be used.*\n$/),
    ])
  })
})
