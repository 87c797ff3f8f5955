import { conceptOf } from './concepts.ts'
import { stem } from './stem.ts'

/** The features that texts are compared by, with their weights. */
export type Features = Map<string, number>

/** Weights of the kinds of features: the word itself, its concept, its topic, its letters, and so on. */
const WEIGHTS = { stem: 0.7, sense: 1, topic: 0.9, letters: 0.1, common: 0.08, token: 1, signs: 1 }

/** Stop words. */
const COMMON = new Set(
  `a about above across after all along also although am an and any anyone anything are as at away back be because been
  before being below between both but by came can come could did do does doing done down during each either else
  enough even every everyone everything first for from get gets give go goes had has have having he her here hers him
  his how however i if in into is it its itself just last least less like made make many may me might mine more most
  much my myself near neither no nobody none nor not nothing now of off often on once one only onto or other our ours
  out over own part per please put quite rather really same set shall she should since so some someone something
  still such take than that the their theirs them then there these they thing this those though through till time to
  together too toward under until up upon us use used using very was way we well were what when where whether which
  while who whom whose why will with within without would yes yet you your yours`.split(/\s+/),
)

export function featuresOf(text: string): Features {
  const counts = new Map<string, number>()
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[’']s\b/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  for (const word of words) {
    for (const feature of featuresOfWord(word)) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  }
  // A text without letters or digits is represented by its signs.
  if (counts.size === 0) counts.set(`signs ${text}`, 1)
  return weighed(counts)
}

/** The sandbox has no tokenizer, so each token is a feature: texts that share tokens are near each other. */
export function featuresOfTokens(tokens: readonly number[]): Features {
  const counts = new Map<string, number>()
  for (const token of tokens) counts.set(`token ${token}`, (counts.get(`token ${token}`) ?? 0) + 1)
  return weighed(counts)
}

/** The first word of a feature names its kind. */
function featuresOfWord(word: string): string[] {
  if (COMMON.has(word)) return [`common ${word}`]
  const root = stem(word)
  const features = [`stem ${root}`]
  const concept = conceptOf(word, root)
  if (concept) features.push(`sense ${concept.sense}`, `topic ${concept.topic}`)
  const framed = `<${root}>`
  for (let at = 0; at + 3 <= framed.length; at++) features.push(`letters ${framed.slice(at, at + 3)}`)
  return features
}

/** The weight grows with the square root of the count: a repeated word adds little. */
function weighed(counts: ReadonlyMap<string, number>): Features {
  const features: Features = new Map()
  for (const [feature, count] of counts) {
    const kind = feature.slice(0, feature.indexOf(' ')) as keyof typeof WEIGHTS
    features.set(feature, WEIGHTS[kind] * Math.sqrt(count))
  }
  return features
}
