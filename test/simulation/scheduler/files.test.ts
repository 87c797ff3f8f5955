import { describe, expect, it } from 'vitest'
import { type FaultKind, FaultPlan } from '../faults/faultPlan.ts'
import { SimulatedFiles } from './files.ts'
import { Random } from './random.ts'
import { Scheduler } from './scheduler.ts'
import { SimulatedProcess } from './simulatedProcess.ts'

type Handle = { writeFile(text: string): Promise<void>; sync(): Promise<void>; close(): Promise<void> }

class CertainFaults extends FaultPlan {
  readonly #kinds: readonly FaultKind[]

  constructor(kinds: readonly FaultKind[]) {
    super(1)
    this.#kinds = kinds
  }

  override happens(kind: FaultKind): boolean {
    return this.#kinds.includes(kind)
  }
}

function machine(...faults: readonly FaultKind[]) {
  const scheduler = new Scheduler(1, 0)
  const files = new SimulatedFiles({ scheduler, faults: new CertainFaults(faults), random: new Random(1) })
  const owner = new SimulatedProcess('gateway')
  const run = async (work: () => Promise<unknown>) => {
    let isDone = false
    const result = scheduler.processes.run(owner, work)
    result.then(
      () => {
        isDone = true
      },
      () => {
        isDone = true
      },
    )
    await scheduler.runUntil(() => isDone)
    return result
  }
  const write = async (path: string, isSynced: boolean) => {
    const handle = (await files.call('open', [path, 'w'])) as Handle
    await handle.writeFile('0123456789')
    if (isSynced) await handle.sync()
    await handle.close()
  }
  const syncRoot = async () => {
    const handle = (await files.call('open', ['/simulated', 'r'])) as Handle
    await handle.sync()
    await handle.close()
  }
  return { files, scheduler, owner, run, write, syncRoot, contents: () => Object.fromEntries(files.contents()) }
}

describe('files in memory', () => {
  it('a killed process leaves what it has written', async () => {
    const { owner, run, write, contents } = machine()
    await run(() => write('/simulated/a', false))
    owner.kill()
    expect(contents()).toEqual({ '/simulated/a': '0123456789' })
  })

  it('a crash tears only files that were not synced', async () => {
    const { owner, run, write, contents } = machine('file is torn')
    await run(() => write('/simulated/torn', false))
    await run(() => write('/simulated/whole', true))
    owner.kill()
    expect(contents()['/simulated/whole']).toBe('0123456789')
    expect('0123456789'.startsWith(contents()['/simulated/torn'] as string)).toBe(true)
    expect(contents()['/simulated/torn']).not.toBe('0123456789')
  })

  it('a crash loses names only if their folder was not synced', async () => {
    const { files, owner, run, write, syncRoot, contents } = machine('file is missing')
    await run(async () => {
      await write('/simulated/a.partial', true)
      await syncRoot()
      await files.call('rename', ['/simulated/a.partial', '/simulated/a'])
      await write('/simulated/new', true)
    })
    owner.kill()
    expect(Object.keys(contents())).toEqual(['/simulated/a.partial'])
  })

  it('a crash brings removed files back unless their folder was synced', async () => {
    const { files, owner, run, write, syncRoot, contents } = machine('removed file is back')
    await run(async () => {
      for (const name of ['a', 'b']) await write(`/simulated/${name}`, true)
      await files.call('rm', ['/simulated/a'])
      await syncRoot()
      await files.call('rm', ['/simulated/b'])
    })
    owner.kill()
    expect(Object.keys(contents())).toEqual(['/simulated/b'])
  })

  it('a crash may damage a file although it was synced', async () => {
    const { files, owner, run, write, contents } = machine('file is damaged')
    await run(() => write('/simulated/a', true))
    owner.kill()
    expect(contents()['/simulated/a']).toMatch(/^\d*\0+$/)
    expect([...files.damaged]).toEqual(['/simulated/a'])
  })

  it('a process may die at a call, whose answer it never gets', async () => {
    const { files, scheduler, owner } = machine('process is killed at a file call')
    const answers: unknown[] = []
    scheduler.processes.run(
      owner,
      () => void files.call('rm', ['/simulated/a', { force: true }]).then((end) => answers.push(end)),
    )
    await scheduler.runUntil(() => owner.isDead)
    expect(answers).toEqual([])
  })

  it('a crash leaves the files of other processes alone', async () => {
    const { run, write, contents } = machine('file is torn', 'file is missing')
    await run(() => write('/simulated/a', false))
    new SimulatedProcess('other').kill()
    expect(contents()).toEqual({ '/simulated/a': '0123456789' })
  })

  it('reports missing files and folders as Node does', async () => {
    const { files, run } = machine()
    const codeOf = (name: string, ...values: unknown[]) => run(() => files.call(name, values).catch(({ code }) => code))
    expect(await codeOf('readFile', '/simulated/missing', 'utf8')).toBe('ENOENT')
    expect(await codeOf('readdir', '/simulated/missing')).toBe('ENOENT')
    expect(await codeOf('open', '/simulated/missing/file', 'w')).toBe('ENOENT')
    expect(await codeOf('rm', '/simulated/missing', { force: true })).toBeUndefined()
    await run(() => files.call('mkdir', ['/simulated/one/two', { recursive: true }]))
    expect(await codeOf('mkdir', '/simulated/one/two')).toBe('EEXIST')
    expect(await run(() => files.call('readdir', ['/simulated/one']))).toEqual(['two'])
  })

  it('refuses calls that it does not know', async () => {
    const { files, run } = machine()
    await expect(run(async () => files.call('symlink', ['/simulated/a', '/simulated/b']))).rejects.toThrow('symlink')
    await expect(
      run(async () => {
        const handle = (await files.call('open', ['/simulated/a', 'w'])) as { truncate(): Promise<void> }
        await handle.truncate()
      }),
    ).rejects.toThrow('truncate')
  })
})
