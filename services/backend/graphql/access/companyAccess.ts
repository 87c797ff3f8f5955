import { deterministicId } from '../../../../capabilities/commands/eventId.ts'
import { streamName } from '../../../../contracts/streams.ts'
import { companyDecider } from '../../../../domain/company/decider.ts'
import { actorOf, type GraphqlContext, nowOf } from '../context.ts'
import { requireId } from '../ids.ts'
import { requireSuperAdmin } from './access.ts'

/** Accesses kept in memory. Beyond this, the company's stream is read again. */
const REMEMBERED_MAX = 10_000

/** Who reads, in which request. */
type Reader = Pick<GraphqlContext, 'runtime' | 'user' | 'correlationId'>

/** Records that a super admin read data of a company: once for each user, company and UTC hour. */
export class CompanyAccess {
  readonly #recorded = new Map<string, Promise<void>>()

  /** Resolves once the access is stored; NOT_FOUND if there is no such company. */
  record(context: Reader, companyId: string): Promise<void> {
    const { userId } = requireSuperAdmin(context)
    const hour = nowOf(context).slice(0, 'YYYY-MM-DDTHH'.length)
    const key = `${userId}:${requireId(companyId, 'company')}:${hour}`
    const known = this.#recorded.get(key)
    if (known) return known
    if (this.#recorded.size >= REMEMBERED_MAX) this.#recorded.clear()
    const recording = append(context, { userId, companyId, commandId: deterministicId(`company access:${key}`) })
    this.#recorded.set(key, recording)
    recording.catch(() => this.#recorded.delete(key))
    return recording
  }
}

type Access = { readonly userId: string; readonly companyId: string; readonly commandId: string }

/** The ids of the events derive from the command id, so that another process or a restart adds no second one. */
async function append(context: Reader, { userId, companyId, commandId }: Access): Promise<void> {
  const { runtime, correlationId } = context
  const command = { type: 'RecordAccess', companyId, userId, at: nowOf(context) } as const
  const intent = { commandId, correlationId, actor: actorOf(context) }
  await runtime.engines.commands.handle(companyDecider, streamName('company', companyId), command, intent)
}
