import { runBench } from './benchCommand.ts'
import { benchJudged } from './generator/judged.ts'
import { benchRules } from './generator/rules.ts'

await runBench({
  name: 'bench:generator',
  measures: 'Measures how fast the match-score generator scores pairs, with a model provider that answers at once',
  parts: { rules: benchRules, judged: benchJudged },
  resultsFile: 'generator.json',
})
