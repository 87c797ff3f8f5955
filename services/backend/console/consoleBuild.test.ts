import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock/clock.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { until } from '../../../test/support/time/until.ts'
import { ConsoleBuild, contentHash } from './consoleBuild.ts'

const { log } = openLog({ level: 'silent', file: null })
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-console-'))
  await writeFile(join(folder, 'lock.json'), '{}')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const BUILDS = `import { mkdirSync, writeFileSync, appendFileSync } from 'node:fs'
mkdirSync(process.argv[2] + '/assets', { recursive: true })
writeFileSync(process.argv[2] + '/assets/index-1.js', 'go()')
writeFileSync(process.argv[2] + '/assets/index-1.js.br', 'small')
writeFileSync(process.argv[2] + '/index.html', '<!doctype html>')
appendFileSync(new URL('./ran.txt', import.meta.url), 'x')`

type Changes = { readonly program?: string; readonly sharedCache?: string }

async function buildWith(text: string, { sharedCache = join(folder, 'cache') }: Changes = {}): Promise<ConsoleBuild> {
  const sources = join(folder, 'sources')
  await writeFile(join(folder, 'build.mjs'), text)
  const program = join(folder, 'build.mjs')
  const lockFile = join(folder, 'lock.json')
  const dataDir = join(folder, 'data')
  return new ConsoleBuild({
    clock: systemClock,
    log,
    dataDir,
    program,
    sharedCache,
    sources: { folder: sources, lockFile },
  })
}

const ran = async () => (await readdir(folder)).includes('ran.txt')

test('a build is read into memory, and the next one of the same sources is found', async () => {
  const first = await buildWith(BUILDS)
  expect(first.state.status).toBe('building')
  await first.prepare()
  expect(first.state).toMatchObject({
    status: 'built',
    console: { index: { contentType: 'text/html; charset=utf-8' } },
  })
  if (first.state.status !== 'built') return
  const asset = first.state.console.assets.get('index-1.js')
  expect([String(asset?.bytes), String(asset?.brotli), asset?.gzip]).toEqual(['go()', 'small', null])
  expect([...first.state.console.assets.keys()]).toEqual(['index-1.js'])

  expect(await ran()).toBe(true)
  await rm(join(folder, 'ran.txt'))
  const second = await buildWith(BUILDS)
  await second.prepare()
  expect(second.state.status).toBe('built')
  expect(await ran()).toBe(false)
})

test('a failed build leaves nothing behind and is reported as failed', async () => {
  const build = await buildWith(`${BUILDS}\nprocess.exit(3)`)
  await build.prepare()
  expect(build.state).toEqual({ status: 'failed' })
  expect(await readdir(join(folder, 'cache'))).toEqual([])
})

test('if the packages folder is read-only, the build is kept with the data', async () => {
  await writeFile(join(folder, 'a file'), '')
  const build = await buildWith(BUILDS, { sharedCache: join(folder, 'a file', 'cache') })
  await build.prepare()
  expect(build.state.status).toBe('built')
  expect(await readdir(join(folder, 'data', 'console'))).toHaveLength(1)
})

test('stopping ends a running build, which does not count as failed', async () => {
  const build = await buildWith(`${BUILDS}\nsetInterval(() => {}, 1000)`)
  void build.prepare()
  await until('the build has begun', ran)
  await build.stop()
  expect(build.state).toEqual({ status: 'building' })
  expect(await readdir(join(folder, 'cache'))).toEqual([])
})

test('the hash depends on sources and lock file, not on tests or documents', async () => {
  const sources = { folder, lockFile: join(folder, 'lock.json') }
  await writeFile(join(folder, 'main.tsx'), 'one')
  const hash = await contentHash(sources)
  await writeFile(join(folder, 'main.test.ts'), 'test')
  await writeFile(join(folder, 'README.md'), 'text')
  expect(await contentHash(sources)).toBe(hash)
  await writeFile(join(folder, 'main.tsx'), 'two')
  const changed = await contentHash(sources)
  expect(changed).not.toBe(hash)
  await writeFile(join(folder, 'lock.json'), '{ }')
  expect(await contentHash(sources)).not.toBe(changed)
})
