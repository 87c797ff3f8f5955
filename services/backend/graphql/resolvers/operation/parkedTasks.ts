import { streamName } from '../../../../../contracts/streams.ts'
import { taskDecider } from '../../../../../domain/task/decider.ts'
import {
  type ParkedTaskRow,
  parkedTasks as parkedTasksModel,
} from '../../../../../projections/parkedTasks/projection.ts'
import { parkedTask, parkedTaskList } from '../../../../../projections/parkedTasks/queries.ts'
import { requireSuperAdmin } from '../../access/access.ts'
import { notFound } from '../../apiError.ts'
import { change, nowOf } from '../../context.ts'
import type { ParkedTask, Resolvers } from '../../generated.ts'
import { requireId } from '../../ids.ts'

const PARKED_TASKS_PAGE_MAX = 500

export const parkedTasks: Resolvers = {
  Query: {
    parkedTasks: async (_source, { worker }, context) => {
      requireSuperAdmin(context)
      const { database } = context.runtime.engines
      const rows = await parkedTaskList(database, worker ?? null, PARKED_TASKS_PAGE_MAX)
      return rows.map(shownTask)
    },
  },

  Mutation: {
    requeueParkedTask: async (_source, { id }, context) => {
      requireSuperAdmin(context)
      const taskId = requireId(id, 'parked task')
      const known = await parkedTask(context.runtime.engines.database, taskId)
      if (!known) throw notFound('parked task', id)
      const command = { type: 'RequeueTask', taskId, worker: known.worker, at: nowOf(context) } as const
      const row = await change(context, parkedTasksModel, taskDecider, streamName('task', taskId), command)
      return shownTask(row)
    },
  },
}

/** A task that finished before this query is reported as requeued. */
function shownTask({ taskId, worker, subject, attempts, error, status, parkedAt }: ParkedTaskRow): ParkedTask {
  const state = status === 'PARKED' ? 'PARKED' : 'REQUEUED'
  return { id: taskId, worker, subject, attempts, error, status: state, parkedAt }
}
