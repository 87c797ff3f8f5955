import { Gauge } from 'prom-client'
import { REVISION } from '../revision.ts'
import { VERSION } from '../version.ts'
import type { Metrics } from './metrics.ts'

/** Always 1: its labels say what runs, for comparing processes and for marking updates in graphs. */
export function registerBuildInfo(metrics: Metrics): void {
  new Gauge({
    name: 'tollgate_build_info',
    help: 'Always 1; the labels are the version and commit of the program, and the version of Node',
    labelNames: ['version', 'revision', 'node'],
    registers: [metrics],
  }).set({ version: VERSION, revision: REVISION, node: process.versions.node }, 1)
}
