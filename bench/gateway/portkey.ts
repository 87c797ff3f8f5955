import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchFolder } from '../feed/benchFolder.ts'
import { freePorts } from '../freePorts.ts'
import { startMeasured } from './benchProcess.ts'
import type { Contestant } from './contestant.ts'

const VERSION = '1.15.2'
/** The newest versions of these do not work with that version. */
const OVERRIDES = { '@hono/node-server': '1.13.8', hono: '4.9.7' }
const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'bench')
const FOLDER = join(CACHE, `portkey-gateway-${VERSION}`)

/** As its users run it, without its console, which would keep a log of the calls. */
export async function startPortkey(folder: BenchFolder, upstream: string, apiKey: string): Promise<Contestant> {
  await install()
  const [port] = await freePorts(1)
  const url = `http://127.0.0.1:${port}`
  const process = await startMeasured(folder, {
    name: 'portkey',
    file: join(FOLDER, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js'),
    args: [`--port=${port}`, '--headless'],
    env: { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1' },
    url,
  })
  const headers = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstream}/v1` }
  return { name: 'Portkey', call: { url: `${url}/v1/chat/completions`, apiKey, headers }, usage: process.usage }
}

/** Done once: built elsewhere and moved into place, so that an interrupted install is not mistaken for a complete one. */
async function install(): Promise<void> {
  if (existsSync(FOLDER)) return
  process.stderr.write(`  installing @portkey-ai/gateway ${VERSION}…\n`)
  const begun = `${FOLDER}.${process.pid}`
  await mkdir(begun, { recursive: true })
  try {
    const manifest = { private: true, dependencies: { '@portkey-ai/gateway': VERSION }, overrides: OVERRIDES }
    await writeFile(join(begun, 'package.json'), JSON.stringify(manifest))
    const args = ['install', '--prefix', begun, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
    const npm = spawn('npm', args, { cwd: begun, stdio: ['ignore', 'ignore', 'inherit'] })
    const [code] = await once(npm, 'exit')
    if (code !== 0) throw new Error(`@portkey-ai/gateway ${VERSION} could not be installed (npm ended with ${code})`)
    await rename(begun, FOLDER)
  } finally {
    await rm(begun, { recursive: true, force: true })
  }
}
