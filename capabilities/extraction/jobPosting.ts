import { z } from 'zod'

const text = (description: string) => z.string().trim().min(1).nullable().describe(description)
const lines = (description: string) => z.array(z.string().trim().min(1)).max(200).describe(description)
const amount = (description: string) => z.number().min(0).nullable().describe(description)

const EMPLOYMENT_TYPES = ['full_time', 'part_time', 'contract', 'freelance', 'temporary', 'internship'] as const
const SENIORITIES = ['intern', 'junior', 'mid', 'senior', 'lead', 'principal', 'director'] as const
const PERIODS = ['year', 'month', 'week', 'day', 'hour'] as const

/** The answer of `/parse/jd`. Fields that are not in the text are null or empty lists. */
export const jobPosting = z.object({
  title: text('Job title'),
  company: text('Name of the employer'),
  location: text('Where the work is done: city, and country if given, or "remote"'),
  employment_type: z.enum(EMPLOYMENT_TYPES).nullable().describe('Employment type'),
  seniority: z.enum(SENIORITIES).nullable().describe('Seniority level that is asked for'),
  salary: z.object({
    min: amount('Lowest salary, in units of the currency'),
    max: amount('Highest salary, in units of the currency'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .nullable()
      .describe('Currency of the salary, as its ISO 4217 code'),
    period: z.enum(PERIODS).nullable().describe('The time that the salary is paid for'),
  }),
  must_have: lines('Requirements that a candidate must meet'),
  nice_to_have: lines('What is an advantage but not required'),
  responsibilities: lines('Responsibilities and tasks of the job'),
})

export type JobPosting = z.infer<typeof jobPosting>
