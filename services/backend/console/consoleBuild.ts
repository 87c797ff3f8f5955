import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, constants, glob, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Clock, Timer } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import { type BuiltConsole, readBuiltConsole } from './builtFiles.ts'

const HOUR_MS = 3_600_000
/** Finished builds unused for this long are removed. Other checkouts may share the packages and keep theirs. */
const UNUSED_MS_MAX = 7 * 24 * HOUR_MS
/** Leftovers of an interrupted build are removed after this long. */
const UNFINISHED_MS_MAX = HOUR_MS

const NOT_BUILT = /\.(test\.tsx?|md)$/

/** A build takes seconds; one that takes this long is stuck. */
const BUILD_MS_MAX = 300_000
/** The end of the build's output, which contains the reason of a failure. */
const OUTPUT_CHARACTERS_MAX = 4_000

const REPOSITORY = join(import.meta.dirname, '../../..')
const CONSOLE = join(REPOSITORY, 'console')

export const CONSOLE_SOURCES: ConsoleSources = { folder: CONSOLE, lockFile: join(REPOSITORY, 'package-lock.json') }
/** Shared by all installations that run from this folder; the image of the Dockerfile comes with a build in it. */
const SHARED_CACHE = join(REPOSITORY, 'node_modules/.cache/console')

export type ConsoleState =
  | { readonly status: 'building' }
  | { readonly status: 'failed' }
  | { readonly status: 'built'; readonly console: BuiltConsole }

type Options = {
  readonly clock: Clock
  readonly log: Log
  readonly dataDir: string
  readonly sources?: ConsoleSources
  /** The program that builds into the folder that it is given. */
  readonly program?: string
  readonly sharedCache?: string
}

/**
 * Builds the console, unless a build of the same sources is there already. That happens once the services are ready, in
 * a process of low priority, so that neither the start nor a call waits for it.
 */
export class ConsoleBuild {
  readonly #options: Required<Options>
  #state: ConsoleState = { status: 'building' }
  #child: ChildProcess | null = null
  #preparing: Promise<void> | null = null
  #stopped = false

  constructor(options: Options) {
    const program = join(CONSOLE, 'build/build.ts')
    this.#options = { sources: CONSOLE_SOURCES, program, sharedCache: SHARED_CACHE, ...options }
  }

  get state(): ConsoleState {
    return this.#state
  }

  /** Resolves when the console can be served, or its build has failed. */
  prepare(): Promise<void> {
    this.#preparing ??= this.#prepare().catch((error: unknown) => {
      if (this.#stopped) return
      this.#state = { status: 'failed' }
      this.#options.log.error({ err: error }, 'the console could not be built; everything else goes on')
    })
    return this.#preparing
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#child?.kill('SIGKILL')
    await this.#preparing
  }

  async #prepare(): Promise<void> {
    const { sources, clock, log } = this.#options
    const folder = await this.#folderFor(await contentHash(sources))
    if (!(await isBuilt(folder))) {
      const startedMs = clock.monotonicMs()
      await this.#build(folder)
      log.info({ seconds: Math.round((clock.monotonicMs() - startedMs) / 100) / 10 }, 'console built')
    }
    this.#state = { status: 'built', console: await readBuiltConsole(folder) }
    // A container image is read-only and needs no clean-up.
    await keepRecentBuilds(dirname(folder), basename(folder), clock.now()).catch(() => {})
  }

  /** The folder of the build. If the packages belong to another user, it is in the data folder. */
  async #folderFor(hash: string): Promise<string> {
    const { sharedCache, dataDir } = this.#options
    const shared = join(sharedCache, hash)
    if ((await isBuilt(shared)) || (await isWritable(sharedCache))) return shared
    const own = join(dataDir, 'console')
    await mkdir(own, { recursive: true })
    return join(own, hash)
  }

  /** Builds in a temporary folder and renames it, so that a build is complete or absent. */
  async #build(folder: string): Promise<void> {
    const beside = `${folder}.${process.pid}`
    try {
      await this.#run(beside)
      // Another installation may have finished the same build first.
      await rename(beside, folder).catch(async (error: unknown) => {
        if (!(await isBuilt(folder))) throw error
      })
    } finally {
      await rm(beside, { recursive: true, force: true })
    }
  }

  #run(folder: string): Promise<void> {
    const { program, clock } = this.#options
    return new Promise((resolve, reject) => {
      if (this.#stopped) return reject(new Error('the backend is stopping'))
      // In a group of its own: Ctrl-C reaches the group of the terminal, and would look like a failed build.
      const child = spawn(process.execPath, [program, folder], {
        cwd: CONSOLE,
        env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '', RAYON_NUM_THREADS: '1' },
        detached: true,
        // The build ends when its input does, so that it never outlives this process.
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      this.#child = child
      let output = ''
      const keep = (chunk: Buffer) => {
        output = `${output}${chunk}`.slice(-OUTPUT_CHARACTERS_MAX)
      }
      child.stdout.on('data', keep)
      child.stderr.on('data', keep)
      const timer: Timer = clock.after(BUILD_MS_MAX, () => child.kill('SIGKILL'))
      child.once('error', (error) => {
        timer.cancel()
        reject(error)
      })
      child.once('close', (code, signal) => {
        timer.cancel()
        this.#child = null
        if (code === 0) resolve()
        else reject(new Error(`the build ended with ${signal ?? `code ${code}`}: ${output.trim()}`))
      })
    })
  }
}

function isBuilt(folder: string): Promise<boolean> {
  return succeeds(() => access(join(folder, 'index.html')))
}

function isWritable(folder: string): Promise<boolean> {
  return succeeds(async () => {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  })
}

function succeeds(step: () => Promise<void>): Promise<boolean> {
  return step().then(
    () => true,
    () => false,
  )
}

/** What a build of the console is made from: its sources, and the versions of its packages. */
type ConsoleSources = { readonly folder: string; readonly lockFile: string }

/** Two installations with the same hash have the same console. Tests and documents are ignored. */
export async function contentHash({ folder, lockFile }: ConsoleSources): Promise<string> {
  const names: string[] = []
  for await (const entry of glob('**/*.*', { cwd: folder, withFileTypes: true })) {
    if (entry.isFile()) names.push(join(entry.parentPath, entry.name).slice(folder.length + 1))
  }
  const hash = createHash('sha256').update(await readFile(lockFile))
  for (const name of names.filter((one) => !NOT_BUILT.test(one)).toSorted()) {
    const bytes = await readFile(join(folder, name))
    hash.update(`\n${name} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex').slice(0, 32)
}

/** Removes old builds from a cache, and marks one as used. */
export async function keepRecentBuilds(cache: string, used: string, nowMs: number): Promise<void> {
  const now = new Date(nowMs)
  await utimes(join(cache, used), now, now)
  for (const name of await readdir(cache)) {
    const ageMs = nowMs - (await stat(join(cache, name))).mtimeMs
    const ageMsMax = name.includes('.') ? UNFINISHED_MS_MAX : UNUSED_MS_MAX
    if (name !== used && ageMs > ageMsMax) await rm(join(cache, name), { recursive: true, force: true })
  }
}
