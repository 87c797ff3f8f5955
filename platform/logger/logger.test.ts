import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { LOG_FILE_BYTES_MAX, openLog } from './logger.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-log-'))
  file = join(folder, 'logs', 'tollgate.log')
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

const lines = (path = file) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

describe('the log', () => {
  test('has JSON lines with a time, all of them written when it is closed', () => {
    const { log, close } = openLog({ level: 'info', file })
    for (let n = 0; n < 1_000; n++) log.info({ n }, 'counted')
    log.debug('not at this level')
    close()
    expect(lines()).toHaveLength(1_000)
    expect(lines()[999]).toEqual({ level: 30, time: expect.stringMatching(/^\d{4}-.*Z$/), n: 999, msg: 'counted' })
  })

  test.each(['a file', 'standard output'])('leaves no exit listener behind when it is closed: %s', (where) => {
    const before = process.listenerCount('exit')
    openLog({ level: 'info', file: where === 'a file' ? file : null }).close()
    expect(process.listenerCount('exit')).toBe(before)
  })

  test('redacts fields with the name of a secret at any depth', () => {
    const { log, close } = openLog({ level: 'info', file })
    const secret = 'open-sesame'
    for (const name of [
      'authorization',
      'Authorization',
      'apiKey',
      'secret',
      'token',
      'password',
      'passwordHash',
      'cookie',
      'set-cookie',
      'x-api-key',
      'newPassword',
      'STRIPE_SECRET_KEY',
      'STRIPE_WEBHOOK_SECRET',
      'stripe-signature',
      'client_secret',
    ]) {
      log.info({ [name]: secret })
      log.info({ request: { headers: { [name]: secret } } })
      log.info({ deep: { deeper: [{ evenDeeper: { [name]: secret } }] } })
    }
    log.info({ secrets: { jwtSecret: secret, internalToken: secret, webhookSecret: secret } })
    log.child({}).warn({ token: secret, tokensIn: 7 }, 'of a child')
    close()
    expect(readFileSync(file, 'utf8')).not.toContain(secret)
    expect(lines()[1].request.headers.authorization).toBe('***')
    expect(lines().at(-1)).toMatchObject({ token: '***', tokensIn: 7 })
  })

  test('redacts secrets in messages, errors and texts, and nothing else', () => {
    const { log, close } = openLog({ level: 'info', file })
    const secrets = [
      `tg_${'a1-_'.repeat(10)}`,
      'sk_live_51Habcdefghij',
      'sk_test_51Habcdefghij',
      'whsec_abcdefghijkl',
      'sk-proj-abcdefghijkl',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    ]
    for (const secret of secrets) {
      log.info(`a call with ${secret} failed`)
      log.error({ err: new Error(`no such key: "${secret}"`), note: { text: `<${secret}>` } }, 'failed')
    }
    log.info('sent with Bearer abc.def/ghi to postgres://root:hunter2@db.example/x')
    log.info('tg_ sk_test eyJ Bearer https://a.example:80/x@y task_list_of_ten tokens: 7')
    close()
    const text = readFileSync(file, 'utf8')
    for (const secret of [...secrets, 'abc.def/ghi', 'hunter2']) expect(text).not.toContain(secret)
    expect(lines().at(-2).msg).toBe('sent with Bearer *** to postgres://root:***@db.example/x')
    expect(lines().at(-1).msg).toBe('tg_ sk_test eyJ Bearer *** task_list_of_ten tokens: 7')
  })

  test('does not modify the logged object', () => {
    const { log, close } = openLog({ level: 'info', file })
    const given = { headers: { authorization: 'Bearer x' } }
    log.info(given)
    close()
    expect(given).toEqual({ headers: { authorization: 'Bearer x' } })
  })

  test('keeps the stack of an error', () => {
    const { log, close } = openLog({ level: 'info', file })
    log.error({ err: new Error('out of luck') }, 'failed')
    close()
    expect(lines()[0].err).toMatchObject({
      type: 'Error',
      message: 'out of luck',
      stack: expect.stringMatching(/logger.test/),
    })
  })
})

describe('a log file that has reached its size limit', () => {
  test('is rotated, and there are two files at most', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { log, close } = openLog({ level: 'info', file })
    for (const name of ['first', 'second', 'third']) {
      log.info(name)
      vi.advanceTimersByTime(1_000)
      expect(lines().map(({ msg }) => msg)).toEqual([name])
      // Grows the file without writing line by line.
      truncateSync(file, LOG_FILE_BYTES_MAX)
      vi.advanceTimersByTime(5_000)
    }
    log.info('fourth')
    close()
    expect(lines().map(({ msg }) => msg)).toEqual(['fourth'])
    expect(statSync(`${file}.1`).size).toBe(LOG_FILE_BYTES_MAX)
    expect(readFileSync(`${file}.1`, 'utf8').slice(0, 200)).toContain('third')
    expect(existsSync(`${file}.2`)).toBe(false)
  })
})

describe('a log that cannot be written', () => {
  test('throws an error that names the setting', () => {
    writeFileSync(join(folder, 'logs'), 'a file where a folder should be')
    expect(() => openLog({ level: 'info', file })).toThrowError(
      /^DATA_DIR: the log .*tollgate\.log cannot be written \(E/,
    )
  })

  test.runIf(existsSync('/dev/full'))('because the disk is full loses lines, but the process can still exit', () => {
    const { log, close } = openLog({ level: 'info', file: '/dev/full' })
    for (let n = 0; n < 20_000; n++) log.info({ n, padding: 'x'.repeat(200) }, 'lost')
    close()
  })
})
