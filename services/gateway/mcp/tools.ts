import { chatTool } from './chatTool.ts'
import { parsingTools } from './parsingTools.ts'
import { readingTools } from './readingTools.ts'
import type { GatewayTool } from './tool.ts'

export const TOOLS: readonly GatewayTool[] = [chatTool, ...readingTools, ...parsingTools]
