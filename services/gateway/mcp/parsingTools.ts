import { z } from 'zod'
import { cvProfile } from '../../../capabilities/extraction/cvProfile.ts'
import { jobPosting } from '../../../capabilities/extraction/jobPosting.ts'
import { CV, JOB, type ParseTarget } from '../../../capabilities/extraction/parseTarget.ts'
import { parseText } from '../parsing/parseText.ts'
import { tool } from './tool.ts'

export const parsingTools = [
  parsingTool('parse_cv', 'Parse a CV', 'Turns the text of a CV into a structured candidate profile.', CV, cvProfile),
  parsingTool(
    'parse_jd',
    'Parse a job posting',
    'Turns the text of a job posting into structured requirements.',
    JOB,
    jobPosting,
  ),
]

function parsingTool(name: string, title: string, does: string, target: ParseTarget, output: z.ZodObject) {
  return tool({
    name,
    title,
    description: `${does} Costs credits by the tokens used.`,
    scope: 'inference:parse',
    input: z.strictObject({ text: z.string() }),
    output,
    readOnly: false,
    run: async (deps, context, { text }) => {
      const { profile, creditsCharged } = await parseText(deps, context, target, text)
      context.response.setHeader('x-credits-charged', creditsCharged)
      return profile as Record<string, unknown>
    },
  })
}
