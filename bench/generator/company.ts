import { randomUUID } from 'node:crypto'
import type { Installation } from '../../capabilities/installation.ts'
import { streamName } from '../../contracts/streams.ts'
import { jobDecider } from '../../domain/job/decider.ts'
import { talentDecider } from '../../domain/talent/decider.ts'

export type CompanySize = { readonly jobs: number; readonly talents: number }

const ACTOR = { kind: 'system', name: 'bench' } as const
const AT = '2026-01-01T08:00:00.000Z'
const AT_ONCE = 50
const SKILLS = ['TypeScript', 'PostgreSQL', 'Kubernetes', 'React', 'Python', 'Figma', 'Go', 'Kafka', 'Terraform', 'SQL']
const CITIES = ['Berlin', 'Lisbon', 'Zürich', 'Paris', 'Warsaw']

/** Whether the rules alone decide a company's pairs, or leave many of them open. */
export type Kind = 'decided' | 'open'

/** Creates a company whose jobs and talents match to various degrees. */
export async function registerCompany({ commands }: Installation, size: CompanySize, kind: Kind): Promise<void> {
  const companyId = randomUUID()
  const context = () => ({ commandId: randomUUID(), correlationId: companyId, actor: ACTOR })
  await inTurns(size.jobs, async (n) => {
    const jobId = randomUUID()
    const stream = streamName('job', jobId)
    const requirements = kind === 'decided' ? [`Trade ${n % 10} alone`, `Craft ${n % 10}`] : picked(n, 3)
    const place = kind === 'decided' ? null : (CITIES[n % CITIES.length] ?? null)
    const job = { title: `Position ${n}`, location: place, employmentType: 'full-time', requirements, metadata: {} }
    const seniority = kind === 'decided' ? null : 'senior'
    await commands.handle(
      jobDecider,
      stream,
      { type: 'PostJob', jobId, companyId, ...job, seniority, at: AT },
      context(),
    )
    await commands.handle(jobDecider, stream, { type: 'PublishJob', jobId, companyId, at: AT }, context())
  })
  await inTurns(size.talents, async (n) => {
    const talentId = randomUUID()
    const own = kind === 'decided' ? [`Trade ${n % 10} alone`, `Craft ${n % 10}`] : picked(n * 7, 4)
    const talent = {
      name: `Talent ${n}`,
      location: CITIES[n % CITIES.length] ?? null,
      seniority: n % 3 === 0 ? 'senior' : 'mid',
      yearsOfExperience: n % 12,
      skills: [...own, `Hobby ${n}`, 'Teamwork', 'Planning'],
      languages: ['English'],
    }
    const command = { type: 'RegisterTalent', talentId, companyId, ...talent, at: AT } as const
    await commands.handle(talentDecider, streamName('talent', talentId), command, context())
  })
}

function picked(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => SKILLS[(from + n * 3) % SKILLS.length] as string)
}

async function inTurns(count: number, work: (n: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => work(from + n)))
  }
}
