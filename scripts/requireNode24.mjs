// Plain JavaScript, because an older Node cannot even read TypeScript to say so.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
// 24.16 introduced the ids that calls get.
if (major < 24 || (major === 24 && minor < 16)) {
  console.error(
    `Tollgate runs on Node 24.16 or newer, and this is ${process.version}. npm ci brings it along unless install scripts are blocked: run npm ci again with them allowed (npm ci --no-ignore-scripts).`,
  )
  process.exit(1)
}
