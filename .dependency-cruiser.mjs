// Where the adapter of each driver is.
const adapters = {
  express: '^platform/http/',
  pg: '^platform/(postgres|eventStore/postgres)/',
  '@eventstore/db-client': '^platform/eventStore/eventStoreDb/',
  kafkajs: '^platform/feed/',
  ioredis: '^platform/sharedState/redis/',
  'rate-limiter-flexible': '^platform/sharedState/redis/',
  pino: '^platform/logger/',
  '@opentelemetry/[^/]+': '^platform/tracing/',
  jose: '^platform/secrets/',
  stripe: '^capabilities/payments/',
  undici: '^capabilities/(providers|webhooks)/',
  nodemailer: '^capabilities/mail/',
  standardwebhooks: '^capabilities/webhooks/',
}

// A package that is not installed keeps its bare name, so both forms are matched.
const npmPackage = (names) => `(^|node_modules/)(@types/)?(${names.join('|')})(/|$)`
const testFile = '(^test/|\\.test\\.ts$|^vitest[^/]*\\.config\\.ts$)'

// What is bundled into the console. Each package counts against the size of its first load.
const bundled = ['react', 'react-dom', '@tanstack', '@radix-ui', 'uplot', '@graphql-typed-document-node', 'graphql-ws']
const anyNpmPackage = 'node_modules/'

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

export default {
  forbidden: [
    rule(
      'check-imports-nothing',
      'The checker is read and trusted alone. As a command it reads its arguments and files with Node.',
      { path: '^check/', pathNot: testFile },
      { pathNot: '^(node:)?(util|fs/promises)$' },
    ),
    rule(
      'simulation-checkers-share-nothing',
      'A checker that used the code it checks would share its faults. From contracts it takes types only.',
      { path: '^test/simulation/checkers/', pathNot: '(\\.test|/storedStream)\\.ts$' },
      { path: '^(domain|projections|platform|capabilities|services|scripts|test/support)/' },
    ),
    rule(
      'contracts-import-only-zod',
      'Contracts are what crosses a process: schemas and names, without logic.',
      { path: '^contracts/', pathNot: testFile },
      { pathNot: ['^contracts/', npmPackage(['zod'])] },
    ),
    rule(
      'domain-imports-only-contracts',
      'A decider is pure: no clock, no randomness, no I/O, no library.',
      { path: '^domain/', pathNot: testFile },
      { pathNot: '^(domain|contracts)/' },
    ),
    rule(
      'contracts-stand-rightmost',
      'Imports point one way: services, capabilities, platform, projections, domain, contracts. Tests keep to it too.',
      { path: '^contracts/' },
      { path: '^(domain|projections|platform|capabilities|services|scripts|bench)/' },
    ),
    rule(
      'domain-not-to-its-left',
      'Imports point one way: services, capabilities, platform, projections, domain, contracts. Tests keep to it too.',
      { path: '^domain/' },
      { path: '^(projections|platform|capabilities|services|scripts|bench)/' },
    ),
    rule(
      'projections-not-to-services',
      'Imports point one way: services, capabilities, platform, projections, domain, contracts. Tests keep to it too.',
      { path: '^projections/' },
      { path: '^(platform|capabilities|services|scripts|bench)/' },
    ),
    rule(
      'service-not-to-another-service',
      'A service is one process; what two of them need is in capabilities or to its right.',
      { path: '^services/([^/]+)/' },
      { path: '^(services|console)/', pathNot: '^services/$1/' },
    ),
    rule(
      'console-imports-nothing-of-the-server',
      'The console runs in browsers. What it knows of the server are types that are generated from the GraphQL schema.',
      { path: '^console/src/', pathNot: testFile },
      { pathNot: ['^console/src/', npmPackage(bundled)] },
    ),
    rule(
      'console-build-imports-only-vite',
      'The build runs as a process of its own and uses Node and Vite.',
      { path: '^console/', pathNot: [testFile, '^console/src/'] },
      {
        pathNot: ['^console/(build/|vite)', npmPackage(['vite']), '^(node:)?(fs/promises|os|path|util|zlib)$'],
      },
    ),
    rule(
      'platform-knows-no-business',
      'The platform imports contracts and the ports of the runner. What needs more is a capability or takes it as a parameter.',
      { path: '^platform/', pathNot: testFile },
      { path: '^(domain|projections|capabilities|services|scripts|bench)/', pathNot: '^projections/runner/' },
    ),
    rule(
      'no-imports-of-services',
      'Services are assembled from the platform and capabilities, never the other way round.',
      { path: '^(platform|capabilities)/' },
      { path: '^services/' },
    ),
    rule(
      'services-not-to-scripts',
      'A script assembles services; a service that needs one cannot run alone.',
      { path: '^(platform|capabilities|services)/', pathNot: testFile },
      { path: '^(scripts|bench)/' },
    ),
    ...Object.entries(adapters).map(([driver, folder]) =>
      rule(
        `${driver.replace(/[^a-z]+/g, '-').replace(/^-|-$/g, '')}-only-in-its-adapter`,
        'Engines and outside parties are reached through ports; a driver is imported only beside its adapter.',
        { pathNot: [folder, '^(scripts|bench)/', testFile, anyNpmPackage] },
        { path: npmPackage([driver]) },
      ),
    ),
    rule(
      'test-code-only-in-tests',
      'What runs in production, or in a script, does not depend on test code.',
      { pathNot: [testFile, anyNpmPackage] },
      { path: testFile },
    ),
    rule('no-cycles', 'Of two modules that need each other, neither can be read first.', {}, { circular: true }),
  ],
  options: {
    parser: 'swc',
    // Type imports are arrows too.
    tsPreCompilationDeps: true,
    doNotFollow: { path: anyNpmPackage },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
