import { randomUUID } from 'node:crypto'
import { streamName } from '../../../contracts/streams.ts'
import { type CompanyCommand, companyDecider } from '../../../domain/company/decider.ts'
import { type ProjectCommand, projectDecider } from '../../../domain/project/decider.ts'
import type { Random } from '../scheduler/random.ts'
import type { AdminCommands } from './adminCommands.ts'

const MICROS = 1_000_000
const LABEL = 'team'
const NO_LIMITS = { rpm: null, tpm: null, callsInFlight: null }

export type SharedLevel = 'company' | 'project' | 'label'

/** The budgets in total that keys of a company share, in micros: set before its first key, and never changed. */
export type SharedBudgets = {
  readonly projectId: string
  readonly micros: Readonly<Partial<Record<SharedLevel, number>>>
}

/** Which of them bind a key. */
export type Binding = {
  readonly projectId: string | null
  readonly label: string | null
  readonly labelFixed: boolean
}

export const UNSHARED: SharedBudgets = { projectId: '', micros: {} }
export const UNBOUND: Binding = { projectId: null, label: null, labelFixed: false }

export function anySharedBudgets(random: Random, mayBeLimited: boolean): SharedBudgets {
  const projectId = randomUUID()
  const some = (share: number) =>
    mayBeLimited && random.chance(share) ? Math.floor(random.between(0.2, 2) * MICROS) : undefined
  return { projectId, micros: { company: some(0.2), project: some(0.5), label: some(0.5) } }
}

export function anyBinding(random: Random, { projectId }: SharedBudgets): Binding {
  const labelFixed = random.chance(0.4)
  const label = labelFixed || random.chance(0.2) ? LABEL : null
  return { projectId: random.chance(0.5) ? projectId : null, label, labelFixed }
}

export async function setSharedBudgets(
  commands: AdminCommands,
  companyId: string,
  { projectId, micros }: SharedBudgets,
  at: string,
): Promise<void> {
  const by = companyId
  const stream = streamName('project', projectId)
  const created = { companyId, name: 'Project', memberIds: [], limits: NO_LIMITS }
  const ofProject = (command: ProjectCommand) => commands.handle(projectDecider, stream, () => command)
  await ofProject({ type: 'CreateProject', projectId, ...created, by, at })
  const total = (amount: number) => ({ amountMicros: BigInt(amount), period: 'TOTAL' }) as const
  if (micros.project !== undefined) {
    await ofProject({ type: 'SetProjectBudget', projectId, budget: total(micros.project), by, at })
  }
  const ofCompany = (command: CompanyCommand) =>
    commands.handle(companyDecider, streamName('company', companyId), () => command)
  if (micros.company !== undefined) {
    await ofCompany({ type: 'SetCompanyBudget', companyId, budget: total(micros.company), by, at })
  }
  if (micros.label !== undefined) {
    await ofCompany({ type: 'SetLabelBudget', companyId, label: LABEL, budget: total(micros.label), by, at })
  }
}

/** Whether a budget counts what a key with this binding spends. */
export function isBoundBy(level: SharedLevel, { projectId, labelFixed }: Binding): boolean {
  if (level === 'company') return true
  return level === 'project' ? projectId !== null : labelFixed
}
