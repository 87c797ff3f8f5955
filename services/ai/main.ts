import { runService } from '../platform/runService.ts'
import { startAi } from './ai.ts'

await runService({ name: 'ai', requires: ['PROVIDERS_FILE', 'INTERNAL_TOKEN', 'SMTP_URL'], start: startAi })
