import type { AliasPrice } from '../../contracts/events/pricing.ts'

/** What the demo company pays, in millionths of a credit per million tokens. */
export const DEMO_PRICES: Record<string, AliasPrice> = {
  'svc/chat-premium': price(3_000_000_000, 15_000_000_000),
  'svc/chat-default': price(500_000_000, 1_500_000_000),
  'svc/chat-cheap': price(100_000_000, 400_000_000),
  'svc/extract-default': price(500_000_000, 1_500_000_000),
  'svc/extract-fast': price(100_000_000, 400_000_000),
  'svc/embed-default': price(20_000_000, 0),
}

function price(input: number, output: number): AliasPrice {
  return { rates: { input: String(input), output: String(output) } }
}

type DemoJob = readonly [title: string, location: string, employment: string, seniority: string, ...needs: string[]]

export const DEMO_JOBS: readonly DemoJob[] = [
  ['Backend Engineer', 'Berlin', 'full-time', 'senior', 'TypeScript', 'PostgreSQL', 'event sourcing'],
  ['Frontend Engineer', 'Lisbon', 'full-time', 'mid', 'React', 'CSS', 'accessibility'],
  ['Site Reliability Engineer', 'Zürich', 'full-time', 'senior', 'Kubernetes', 'Kafka', 'on-call experience'],
  ['Data Engineer', 'Amsterdam', 'full-time', 'mid', 'SQL', 'Python', 'dbt'],
  ['Machine Learning Engineer', 'Paris', 'full-time', 'senior', 'Python', 'PyTorch', 'MLOps'],
  ['Product Manager', 'London', 'full-time', 'senior', 'discovery', 'roadmaps', 'B2B SaaS'],
  ['UX Designer', 'Copenhagen', 'part-time', 'mid', 'Figma', 'user research', 'prototyping'],
  ['Technical Writer', 'Remote', 'contract', 'mid', 'API documentation', 'Markdown', 'English'],
  ['QA Engineer', 'Warsaw', 'full-time', 'junior', 'Playwright', 'test design', 'TypeScript'],
  ['Recruiter', 'Vienna', 'full-time', 'mid', 'sourcing', 'interviewing', 'German'],
  ['Customer Success Manager', 'Dublin', 'full-time', 'mid', 'onboarding', 'French', 'CRM'],
  ['Security Engineer', 'Tallinn', 'full-time', 'senior', 'threat modelling', 'OAuth', 'incident response'],
]

type DemoTalent = readonly [
  name: string,
  location: string,
  seniority: string,
  years: number,
  languages: string,
  ...skills: string[],
]

export const DEMO_TALENTS: readonly DemoTalent[] = [
  ['Ada Lindqvist', 'Berlin', 'senior', 9, 'English, Swedish', 'TypeScript', 'PostgreSQL', 'Kafka'],
  ['Bruno Carvalho', 'Lisbon', 'mid', 5, 'Portuguese, English', 'React', 'TypeScript', 'CSS'],
  ['Chiara Moretti', 'Zürich', 'senior', 11, 'Italian, German, English', 'Kubernetes', 'Go', 'Kafka'],
  ['Daan de Vries', 'Amsterdam', 'mid', 4, 'Dutch, English', 'SQL', 'Python', 'Airflow'],
  ['Elodie Martin', 'Paris', 'senior', 7, 'French, English', 'Python', 'PyTorch', 'NLP'],
  ['Farah Nasser', 'London', 'senior', 10, 'English, Arabic', 'roadmaps', 'discovery', 'analytics'],
  ['Gustav Holm', 'Copenhagen', 'mid', 6, 'Danish, English', 'Figma', 'prototyping', 'illustration'],
  ['Hana Novak', 'Prague', 'mid', 5, 'Czech, English', 'API documentation', 'OpenAPI', 'Markdown'],
  ['Igor Zielinski', 'Warsaw', 'junior', 1, 'Polish, English', 'Playwright', 'TypeScript', 'test design'],
  ['Johanna Berger', 'Vienna', 'mid', 6, 'German, English', 'sourcing', 'interviewing', 'employer branding'],
  ['Kieran Walsh', 'Dublin', 'mid', 4, 'English, French', 'onboarding', 'CRM', 'training'],
  ['Liis Tamm', 'Tallinn', 'senior', 8, 'Estonian, English', 'threat modelling', 'OAuth', 'Rust'],
]
