// Plain JavaScript, because an older Node cannot even read the TypeScript that would say so.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Tollgate runs on Node 24, and this is ${process.version}. npm ci brings Node 24 along unless install scripts are blocked: run npm ci again with them allowed (npm ci --no-ignore-scripts).`,
  )
  process.exit(1)
}
