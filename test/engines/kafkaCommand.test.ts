import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Kafka, logLevel } from 'kafkajs'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { listProcesses } from '../../platform/postgres/embedded/processTable.ts'
import { sendSignal } from '../../platform/postgres/embedded/sendSignal.ts'
import { requireLocalKafka } from '../support/engines/kafkaBroker.ts'
import { onAbruptExit } from '../support/processes/exitSteps.ts'
import { repository } from '../support/processes/npmProcess.ts'
import { reusablePorts } from '../support/processes/reusablePorts.ts'
import { runScript } from '../support/processes/runScript.ts'
import { until } from '../support/time/until.ts'

const TOPIC = 'kept'
const START_MS_MAX = 90_000

let dataDir: string

beforeEach(async (context) => {
  await requireLocalKafka(context)
  const folder = await mkdtemp(join(tmpdir(), `tollgate-test-${process.pid}-`))
  dataDir = join(folder, 'data')
  onTestFinished(async () => {
    for (const { pid } of await brokersOn(dataDir)) sendSignal(pid, 'SIGKILL')
    await until('no broker is left', async () => (await brokersOn(dataDir)).length === 0)
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  })
})

describe('npm run kafka', () => {
  test('serves until SIGINT, and keeps its data after a stop and after a kill', async () => {
    const first = await startKafkaCommand()
    expect(first.lines.length).toBeLessThanOrEqual(10)
    await createTopic(first.addresses)
    expect(await brokersOn(dataDir)).toHaveLength(1)

    const second = await runScript('kafka.ts', [], { DATA_DIR: dataDir })
    expect(second).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^.* is in use by another .*\n$/) })

    expect(await first.end('SIGTERM')).toEqual([0, null])
    expect(await brokersOn(dataDir)).toEqual([])

    const again = await startKafkaCommand()
    expect(await topics(again.addresses)).toContain(TOPIC)
    expect(await again.end('SIGKILL')).toEqual([null, 'SIGKILL'])
    const [orphan] = await brokersOn(dataDir)
    expect(orphan).toBeDefined()

    const afterKill = await startKafkaCommand()
    const running = await brokersOn(dataDir)
    expect(running).toHaveLength(1)
    expect(running[0]?.pid).not.toBe(orphan?.pid)
    expect(await topics(afterKill.addresses)).toContain(TOPIC)
    expect(await afterKill.end('SIGINT')).toEqual([0, null])
    expect(await brokersOn(dataDir)).toEqual([])
  })

  test('exits with 1 and one line when its broker ends', async () => {
    const command = await startKafkaCommand()
    const [broker] = await brokersOn(dataDir)
    sendSignal(broker?.pid ?? 0, 'SIGKILL')
    expect(await command.exited).toEqual([1, null])
    expect(command.lines.at(-1)).toMatch(/^Broker 1 ended: by SIGKILL/)
  })

  test('leaves no process when it is interrupted while it starts', async () => {
    const command = beginKafkaCommand(await reusablePorts(1))
    await until('the broker is being started', async () => (await brokersOn(dataDir)).length > 0, START_MS_MAX)
    expect(await command.end('SIGINT')).toEqual([0, null])
    expect(await brokersOn(dataDir)).toEqual([])
  })

  const refusals: { what: string; args?: string[]; env?: Record<string, string>; code: number; line: RegExp }[] = [
    { what: 'no Java', env: { JAVA_HOME: '/nowhere' }, code: 1, line: /Java 17 or newer.*JAVA_HOME/ },
    { what: 'a near miss of a setting', env: { DATA_DIRR: 'x' }, code: 1, line: /DATA_DIRR .*DATA_DIR/ },
    { what: 'an unknown option', args: ['--broker', '3'], code: 2, line: /--broker/ },
    { what: 'a number that is none', args: ['--brokers', 'many'], code: 2, line: /--brokers .*"many"/ },
    { what: 'a word too many', args: ['3'], code: 2, line: /'3'/ },
  ]
  test.for(refusals)('refuses $what', async ({ args = [], env = {}, code, line }) => {
    const run = await runScript('kafka.ts', args, { DATA_DIR: dataDir, ...env })
    expect(run).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(line) })
    expect(run.stderr.trimEnd().split('\n')).toHaveLength(code === 2 ? 2 : 1)
  })

  test('refuses a port that is taken', async () => {
    const [port = 0] = await reusablePorts(1)
    // The controller's, which stands behind the broker's.
    const taker = createServer().listen(port + 1, '127.0.0.1')
    await once(taker, 'listening')
    onTestFinished(() => void taker.close())
    const run = await runScript('kafka.ts', ['--port', String(port)], { DATA_DIR: dataDir })
    expect(run).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`port ${port + 1} .*is taken.*--port`)),
    })
  })

  test('refuses another number of brokers than the data was made with', async () => {
    await mkdir(join(dataDir, 'kafka'), { recursive: true })
    await writeFile(join(dataDir, 'kafka', 'cluster.json'), JSON.stringify({ clusterId: 'x', brokers: 3 }))
    const run = await runScript('kafka.ts', ['--brokers', '1'], { DATA_DIR: dataDir })
    expect(run).toMatchObject({ code: 1, stderr: expect.stringMatching(/created for 3 brokers.*--brokers 3/) })
  })
})

function beginKafkaCommand([port]: readonly number[]) {
  const child = spawn(process.execPath, ['scripts/kafka.ts', '--port', String(port), '--heap', '192'], {
    cwd: repository,
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const callOff = onAbruptExit(() => child.kill('SIGTERM'))
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', (line) => lines.push(line))
  const exited = once(child, 'close').finally(callOff)
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exited
  }
  return { lines, exited, end }
}

async function startKafkaCommand() {
  const command = beginKafkaCommand(await reusablePorts(1))
  const ready = () => command.lines.map((line) => /^ {2}KAFKA_BROKERS=(\S+)$/.exec(line)?.[1]).find(Boolean)
  const ended = command.exited.then(() => {
    throw new Error(`it ended:\n${command.lines.join('\n')}`)
  })
  ended.catch(() => {})
  const addresses = await Promise.race([until('it says its address', ready, START_MS_MAX), ended])
  return { ...command, addresses }
}

async function brokersOn(folder: string) {
  return (await listProcesses()).filter(({ command }) => command.includes(` kafka.Kafka ${folder}/`))
}

async function createTopic(addresses: string): Promise<void> {
  await withAdmin(addresses, (admin) => admin.createTopics({ topics: [{ topic: TOPIC }], waitForLeaders: true }))
}

async function topics(addresses: string): Promise<string[]> {
  return withAdmin(addresses, (admin) => admin.listTopics())
}

async function withAdmin<Result>(addresses: string, work: (admin: ReturnType<Kafka['admin']>) => Promise<Result>) {
  const admin = new Kafka({ brokers: addresses.split(','), logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.disconnect()
  }
}
