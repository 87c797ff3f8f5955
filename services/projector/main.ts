import { runService } from '../../capabilities/runService.ts'
import { startProjector } from './projector.ts'

await runService({
  name: 'projector',
  requires: ['INTERNAL_TOKEN'],
  start: startProjector,
  operationsPort: 'PROJECTOR_PORT',
})
