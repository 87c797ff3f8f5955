import { randomUUID } from 'node:crypto'
import { addTasks } from '../../capabilities/tasks/taskTable.ts'
import { openDatabase } from '../../platform/postgres/database.ts'
import { parkedTask } from '../../projections/parkedTasks/queries.ts'
import type { Installation } from '../support/harness/installation.ts'
import { until } from '../support/time/until.ts'
import type { ConsoleVisitor } from './consolePages.ts'

/** An attempt that fails after these is the last one. */
const ATTEMPTS_BEFORE = 5

/**
 * A mail about a company that no read model has cannot be written, so that its task is parked. Once the task names the
 * demo company, which is not suspended, there is no mail to send: a super admin requeues the task, and it is gone.
 */
export async function requeuesTask(visitor: ConsoleVisitor, installation: Installation): Promise<void> {
  const { page } = visitor
  const database = openDatabase({ url: await installation.databaseUrl(), connectionsMax: 1 })
  try {
    const taskId = randomUUID()
    const subject = `mail of the journey ${taskId}`
    const at = new Date().toISOString()
    const payload = { kind: 'company_suspended', companyId: randomUUID(), at, reason: 'none' }
    await database.transaction(async (sql) => {
      await addTasks(sql, 'email_worker', [{ taskId, subject, payload }], at)
      await sql.query('update platform.tasks set attempts = $2 where task_id = $1', [taskId, ATTEMPTS_BEFORE])
    })
    const row = page.getByRole('region', { name: 'Parked tasks' }).getByRole('row').filter({ hasText: subject })
    await until('the task is parked', async () => (await parkedTask(database, taskId)) !== null)
    // The list is read again every ten seconds, which a test need not wait for.
    await page.reload()
    await row.getByText('is not in the read model yet').waitFor()
    await visitor.expectUsable('parked task')

    const { companyId } = installation.demo
    const mended = 'update platform.tasks set payload = payload || $2::jsonb where task_id = $1'
    await database.query(mended, [taskId, JSON.stringify({ companyId })])
    await row.getByRole('button', { name: `Try again: email_worker ${subject}`, exact: true }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByText('No parked tasks').waitFor()
  } finally {
    await database.close()
  }
}
