import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { until } from '../../test/support/time/until.ts'
import { kafkaJars, kafkaVersion } from './jars.ts'
import { KafkaUnavailable } from './unavailable.ts'

let folder: string
let cacheFolder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-planted-'))
  cacheFolder = join(folder, 'cache')
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

describe('Kafka’s jars', () => {
  test('are downloaded once for several concurrent callers', async () => {
    await plantMaven(`echo run >> ${folder}/runs; sleep 0.2; touch "$out/kafka_2.13-${kafkaVersion}.jar"`)
    const folders = await Promise.all([1, 2, 3].map(() => kafkaJars({ cacheFolder })))
    expect(new Set(folders).size).toBe(1)
    expect(readdirSync(folders[0] ?? '')).toEqual([`kafka_2.13-${kafkaVersion}.jar`])
    expect(await readFile(join(folder, 'runs'), 'utf8')).toBe('run\n')
  })

  test('report the progress of their download', async () => {
    await plantMaven(
      `echo "[INFO] Downloaded from somewhere: protocol://host/path/a-1.jar (1 kB at 1 kB/s)"; touch "$out/kafka_2.13-${kafkaVersion}.jar"`,
    )
    const reported: string[] = []
    await kafkaJars({ cacheFolder, onProgress: (line) => reported.push(line) })
    expect(reported).toEqual([expect.stringContaining(kafkaVersion), '  1 files, a-1.jar'])
  })

  test('that are incomplete are downloaded again', async () => {
    await plantMaven('touch "$out/one-of-many.jar"; echo "[ERROR] no way to the repository"; exit 1')
    await expect(kafkaJars({ cacheFolder })).rejects.toThrow('no way to the repository')
    await plantMaven('touch "$out/one-of-many.jar"')
    await expect(kafkaJars({ cacheFolder })).rejects.toThrow('left no Kafka')
    await plantMaven(`touch "$out/kafka_2.13-${kafkaVersion}.jar"`)
    expect(readdirSync(await kafkaJars({ cacheFolder }))).toEqual([`kafka_2.13-${kafkaVersion}.jar`])
  })

  test('stop downloading after an abort, which ends Maven', async () => {
    await plantMaven(`touch ${folder}/begun; sleep 60; touch ${folder}/went-on`)
    const interrupt = new AbortController()
    const fetching = kafkaJars({ cacheFolder, signal: interrupt.signal })
    fetching.catch(() => {})
    await until('Maven has begun', () => existsSync(join(folder, 'begun')))
    interrupt.abort()
    await expect(fetching).rejects.toThrow('aborted')
    expect(existsSync(join(folder, 'went-on'))).toBe(false)
  })

  test('need Maven: without it the error is one line', async () => {
    vi.stubEnv('PATH', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    const failure = await kafkaJars({ cacheFolder }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(KafkaUnavailable)
    expect((failure as Error).message).toMatch(/^Maven is needed to download Kafka, and mvn cannot be run.*$/)
  })
})

/** A fake Maven that does as reported, with the folder for the jars in $out. */
async function plantMaven(does: string): Promise<void> {
  const script = `#!/bin/sh\nfor word; do case $word in -DoutputDirectory=*) out=\${word#*=};; esac; done\nmkdir -p "$out"\n${does}\n`
  await writeFile(join(folder, 'mvn'), script)
  await chmod(join(folder, 'mvn'), 0o755)
  vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`)
  onTestFinished(() => void vi.unstubAllEnvs())
}
