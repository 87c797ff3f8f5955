import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { factLines, type MeetingFacts } from '../../domain/meeting/facts.ts'
import { unsupportedWords } from '../../domain/meeting/summaryCheck.ts'
import { collect } from '../support/events/events.ts'
import { call } from '../support/harness/gatewayClient.ts'
import { startWorkersHarness, type WorkersHarness } from '../support/harness/workersHarness.ts'
import { completion, type Script, whole } from '../support/parties/scriptedProvider.ts'
import { until } from '../support/time/until.ts'

const START = '2026-03-01T10:00:00.000Z'
const END = '2026-03-01T10:45:30.000Z'

let harness: WorkersHarness
beforeAll(async () => {
  harness = await startWorkersHarness()
})
afterAll(() => harness.close())
beforeEach(() => harness.models.always(harness.bySandbox))

const created = (room: string, timestamp = START) => harness.hook('created', { event: 'room_created', room, timestamp })
const destroyed = (room: string, timestamp = END) =>
  harness.hook('destroyed', { event: 'room_destroyed', room, timestamp })

type Insight = {
  id: string
  room: string
  startedAt: string
  endedAt: string
  durationSeconds: number
  jobId: string | null
  talentId: string | null
  summary: string
}

async function insights(token: string, args = ''): Promise<Insight[]> {
  const fields = 'id room startedAt endedAt durationSeconds jobId talentId summary createdAt'
  const { data } = await harness.ask(`{ meetingInsights${args} { nodes { ${fields} } } }`, {}, token)
  return data.meetingInsights.nodes
}
const insightOf = (room: string, token = harness.superAdmin.token) =>
  until(`${room} has its insight`, async () => (await insights(token, `(room: ${JSON.stringify(room)})`))[0])

async function linkedRoom(
  title = 'Welder',
  name = 'Ada Example',
): Promise<{ room: string; jobId: string; talentId: string }> {
  const { ask, admin } = harness
  const job = `mutation { postJob(input: { title: "${title}", location: "Basel", requirements: ["MIG"] }) { id } }`
  const talent = `mutation { registerTalent(input: { name: "${name}", skills: ["MIG"], yearsOfExperience: 7 }) { id } }`
  const jobId = (await ask(job, {}, admin.token)).data.postJob.id
  const talentId = (await ask(talent, {}, admin.token)).data.registerTalent.id
  return { room: `job-${jobId}--talent-${talentId}--round 1`, jobId, talentId }
}

describe('the hooks', () => {
  test('need the internal token', async () => {
    const body = { event: 'room_created', room: 'r', timestamp: START }
    expect((await harness.hook('created', body, null)).status).toBe(401)
    expect((await harness.hook('destroyed', body, harness.key.raw)).status).toBe(401)
  })

  test('count a repeated event once', async () => {
    const room = `twice ${randomUUID()}`
    expect((await created(room)).json).toEqual({ received: true })
    const again = await created(room)
    expect([again.status, again.json]).toEqual([200, { received: true, duplicate: true }])
    const other = await harness.hook('created', { event: 'room_created', room, timestamp: '2026-03-01T10:00:00+00:00' })
    expect(other.json).toEqual({ received: true, duplicate: true })
    const stream = streamName('meeting', `~${Buffer.from(room).toString('base64url')}`)
    expect(await collect(harness.runtime.engines.store.readStream(stream))).toHaveLength(1)
    const atOnce = await Promise.all(Array.from({ length: 5 }, () => destroyed(room)))
    expect(atOnce.filter(({ json }) => !json.duplicate)).toHaveLength(1)
  })

  test('are described in the OpenAPI document', async () => {
    const { json } = await call(harness.url, '/openapi.json', { key: null })
    expect(Object.keys(json.paths)).toEqual(
      expect.arrayContaining(['/api/events/room/created', '/api/events/room/destroyed']),
    )
  })
})

describe('a meeting', () => {
  test.each([
    ['created, then destroyed', [created, destroyed]],
    ['destroyed, then created', [destroyed, created]],
  ])('leads to an insight: %s', async (_, hooks) => {
    const { room, jobId, talentId } = await linkedRoom()
    for (const hook of hooks) expect((await hook(room)).json).toEqual({ received: true })
    const insight = await insightOf(room, harness.admin.token)
    expect(insight).toMatchObject({ room, startedAt: START, endedAt: END, durationSeconds: 2_730.0, jobId, talentId })
    expect(insight.summary).toContain('Ada Example')
    expect(insight.summary).toContain('45 minutes')
  })

  test('in a reused room is one of several, and events that arrive late split a meeting', async () => {
    const room = `standup-${randomUUID()}`
    await created(room, '2026-03-01T10:00:00Z')
    await destroyed(room, '2026-03-01T12:00:00Z')
    const looked = await insightOf(room)
    expect(looked.durationSeconds).toBe(7_200)
    await destroyed(room, '2026-03-01T10:30:00Z')
    await created(room, '2026-03-01T11:00:00Z')
    const both = await until('there are two insights', async () => {
      const found = await insights(harness.superAdmin.token, `(room: "${room}")`)
      return found.length === 2 && found
    })
    expect(both.map(({ durationSeconds }) => durationSeconds)).toEqual([3_600, 1_800])
    expect(both.map(({ id }) => id)).not.toContain(looked.id)
  })

  test('that is not over has no insight', async () => {
    const room = `open-${randomUUID()}`
    await created(room)
    const done = `done-${randomUUID()}`
    await created(done)
    await destroyed(done)
    await insightOf(done)
    expect(await insights(harness.superAdmin.token, `(room: "${room}")`)).toEqual([])
  })
})

describe('an insight', () => {
  test("is visible to its job's company and to super admins; without links, to super admins only", async () => {
    const { room } = await linkedRoom()
    const loose = `loose-${randomUUID()}`
    for (const name of [room, loose]) {
      await created(name)
      await destroyed(name)
      await insightOf(name)
    }
    const other = await harness.register(`other-${randomUUID()}@x.example`, await harness.registerCompany())
    expect(await insights(other.token)).toEqual([])
    expect((await insights(harness.admin.token, `(room: "${room}")`)).length).toBe(1)
    expect(await insights(harness.admin.token, `(room: "${loose}")`)).toEqual([])
  })

  test('has no links to missing jobs or talents, nor to those of two companies', async () => {
    const { jobId } = await linkedRoom()
    const elsewhere = await harness.register(`e-${randomUUID()}@x.example`, await harness.registerCompany())
    const foreign = 'mutation { registerTalent(input: { name: "Eve Foreign" }) { id } }'
    const talentId = (await harness.ask(foreign, {}, elsewhere.token)).data.registerTalent.id
    const mixed = `job-${jobId}--talent-${talentId}`
    const nothing = `job-${randomUUID()}--talent-${randomUUID()}`
    for (const name of [mixed, nothing]) {
      await created(name)
      await destroyed(name)
    }
    const insight = await insightOf(mixed)
    expect(insight).toMatchObject({ jobId, talentId: null })
    expect(insight.summary).not.toContain('Eve')
    expect(await insightOf(nothing)).toMatchObject({ jobId: null, talentId: null })
    expect(await insights(elsewhere.token)).toEqual([])
  })

  test('can be read page by page', async () => {
    const room = `paged-${randomUUID()}`
    for (const hour of [10, 11, 12]) {
      await created(room, `2026-03-01T${hour}:00:00Z`)
      await destroyed(room, `2026-03-01T${hour}:30:00Z`)
    }
    await until(
      'there are three',
      async () => (await insights(harness.superAdmin.token, `(room: "${room}")`)).length === 3,
    )
    const page = async (after: string | null) => {
      const query = `query ($after: String) { meetingInsights(room: "${room}", first: 2, after: $after) {
        nodes { endedAt } pageInfo { hasNextPage endCursor } } }`
      return (await harness.ask(query, { after }, harness.superAdmin.token)).data.meetingInsights
    }
    const first = await page(null)
    expect(first.nodes.map(({ endedAt }: Insight) => endedAt.slice(11, 16))).toEqual(['12:30', '11:30'])
    expect(first.pageInfo.hasNextPage).toBe(true)
    const second = await page(first.pageInfo.endCursor)
    expect(second.nodes.map(({ endedAt }: Insight) => endedAt.slice(11, 16))).toEqual(['10:30'])
    expect(second.pageInfo.hasNextPage).toBe(false)
  })

  test('stores no name in clear, and is erased with its talent', async () => {
    const { room, talentId } = await linkedRoom('Welder', 'Zenobia Quux')
    await created(room)
    await destroyed(room)
    expect((await insightOf(room)).summary).toContain('Zenobia Quux')
    const { store } = harness.runtime.engines
    const stream = streamName('meeting', `~${Buffer.from(room).toString('base64url')}`)
    expect(JSON.stringify(await collect(store.readStream(stream)))).not.toContain('Zenobia')
    await harness.ask(`mutation { eraseTalent(id: "${talentId}") }`, {}, harness.admin.token)
    expect((await insightOf(room)).summary).toBe('[erased]')
  })
})

describe('a summary by a model', () => {
  const answering = (summary: string): Script =>
    whole(completion({ choices: [{ index: 0, message: { role: 'assistant', content: JSON.stringify({ summary }) } }] }))
  const factsOf = (title: string, name: string): MeetingFacts => ({
    room: null,
    startedAt: START,
    endedAt: END,
    job: { title, location: 'Basel', seniority: null, requirements: ['MIG'] },
    talent: {
      name,
      location: null,
      seniority: null,
      yearsOfExperience: 7,
      skills: ['MIG'],
      languages: [],
    },
    score: null,
  })

  test.each([
    ['Welder', 'Ada Example', 'Zaphod Beeblebrox met the team and scored 99 points.'],
    ['Ingénieur 2', 'Jürgen O’Neil', 'Jürgen O’Neil and Mary Smith talked for 3 hours.'],
    ['東京 Engineer', '田中 花子', '山田 太郎 took part in the meeting.'],
    ['Head of R&D', 'Lee', 'lee was joined by smith; it lasted ninety minutes.'],
  ])('for %s with %s has no name and no number that is not a fact', async (title, name, invented) => {
    const { models } = harness
    const { room } = await linkedRoom(title, name)
    models.always(answering(invented))
    const before = models.calls.length
    await created(room)
    await destroyed(room)
    const { summary } = await insightOf(room)
    expect(unsupportedWords(summary, factLines(factsOf(title, name)))).toEqual([])
    expect(summary).toContain(name)
    // Asked, asked again with the problems, and then not asked any more.
    expect(models.calls.length - before).toBe(2)
    expect(models.lastCall().body.toString()).toContain('The facts do not say')
  })

  test('is accepted from the first or the second answer that keeps to the facts', async () => {
    const { models } = harness
    const good = 'The meeting with Ada Example was about the role of Welder in Basel.'
    for (const answers of [[answering(good)], [answering('Bob was the candidate.'), answering(good)]]) {
      const { room } = await linkedRoom()
      models.next(...answers)
      await created(room)
      await destroyed(room)
      expect((await insightOf(room)).summary).toBe(good)
    }
  })

  test('is replaced by the rule-based one while no model answers', async () => {
    harness.models.always(whole({}, { status: 503 }))
    const { room } = await linkedRoom()
    await created(room)
    await destroyed(room)
    expect((await insightOf(room)).summary).toContain('lasted 45 minutes 30 seconds')
  })
})
