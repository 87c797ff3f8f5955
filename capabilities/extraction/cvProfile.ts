import { z } from 'zod'

const text = (description: string) => z.string().trim().min(1).nullable().describe(description)
const items = <Item extends z.ZodType>(item: Item, description: string) => z.array(item).max(200).describe(description)

/** A year, or a year and a month. */
export const START = /^\d{4}(-(0[1-9]|1[0-2]))?$/
export const END = /^(\d{4}(-(0[1-9]|1[0-2]))?|present)$/

const start = z.string().regex(START).nullable().describe('Start date, as YYYY-MM or YYYY')
const end = z.string().regex(END).nullable().describe('End date, as YYYY-MM or YYYY, or "present" if it goes on')

/** The answer of `/parse/cv`. Fields that are not in the text are null or empty lists. */
export const cvProfile = z.object({
  name: text('Full name of the candidate'),
  contact: z.object({
    email: text('E-mail address of the candidate'),
    phone: text('Phone number of the candidate, as written'),
    location: text('Where the candidate lives: city, and country if given'),
  }),
  summary: text('Summary or profile paragraph of the candidate'),
  skills: items(
    z.object({
      name: z.string().trim().min(1).describe('Name of the skill'),
      years: z.number().min(0).max(80).nullable().describe('Years of experience with the skill'),
    }),
    'Skills of the candidate',
  ),
  experience: items(
    z.object({
      title: text('Job title'),
      company: text('Name of the employer'),
      start,
      end,
      description: text('What was done there'),
    }),
    'Work experience, in the order of the text',
  ),
  education: items(
    z.object({ degree: text('Degree or diploma'), institution: text('School or university'), start, end }),
    'Education, in the order of the text',
  ),
  languages: items(
    z.object({
      name: z.string().trim().min(1).describe('Name of the language, as written'),
      level: text('How well it is spoken, as written'),
    }),
    'Human languages that the candidate speaks',
  ),
  links: items(z.string().trim().min(1), 'Links to pages of the candidate, as written'),
})

export type CvProfile = z.infer<typeof cvProfile>
