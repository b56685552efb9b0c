// Which folder may import which. Every folder under src is one layer, and a layer imports only what its line names.
// Types count like code. A folder that has no line here fails the last rule.

const layers = {
  db: [],
  core: ['db'],
  config: ['core', 'db', 'providers'],
  countries: ['core'],
  providers: ['core'],
  ledger: ['core', 'db', 'countries'],
  features: ['core', 'db', 'countries', 'ledger'],
  catalog: ['core', 'db', 'countries', 'ledger', 'features', 'worker'],
  http: ['config', 'core', 'db', 'countries', 'features', 'catalog'],
  mcp: ['config', 'core', 'db', 'catalog'],
  worker: ['core', 'db'],
  simulators: ['core', 'db'],
  verify: ['config', 'core', 'db', 'ledger', 'features', 'catalog'],
  backup: ['core', 'db', 'verify', 'catalog'],
  demo: ['config', 'core', 'db', 'countries', 'features', 'catalog', 'simulators'],
  program: [
    'config',
    'core',
    'db',
    'features',
    'providers',
    'simulators',
    'catalog',
    'http',
    'mcp',
    'worker',
    'verify',
    'backup',
    'demo',
  ],
}

/**
 * The areas of the business from the bottom up, each with its features in order. A feature imports only those before it, in its own
 * area and in those above it here, so no cycle can form. Each area has a README.
 */
const areas = {
  platform: ['files', 'imports', 'mail', 'views', 'changes', 'outbox', 'exports', 'search'],
  company: [
    'preferences',
    'people',
    'notifications',
    'settings',
    'audit',
    'api-keys',
    'connected-apps',
    'organizations',
    'members',
    'invitations',
  ],
  selling: ['customers', 'items', 'documents', 'payments'],
  goods: ['stock', 'orders'],
  buying: ['expense-categories', 'suppliers', 'expenses', 'scans', 'mailboxes'],
  books: ['exchange-rates', 'bank-accounts', 'accounts', 'tax-authorities', 'reports', 'dashboard', 'statutory'],
  pay: ['payroll', 'payroll-forms'],
  work: ['automations', 'companion'],
}
const featureOrder = Object.entries(areas).flatMap(([area, features]) => features.map((name) => `${area}/${name}`))

/** Files whose types name each other. Only the first pair has to: an operation is given the list of operations. */
const cyclesOfTypes = [
  '^src/core/define/(operation|services)\\.ts$',
  '^src/core/outside/(access-point|tax-authority)\\.ts$',
  '^src/countries/(country|einvoices)\\.ts$',
  '^src/providers/mailbox/(mailbox|imap|pop3)\\.ts$',
]

const tests = '(^src/test/|^web/test/|\\.test\\.ts$|\\.check\\.ts$)'
const folder = (name) => `^src/${name}/`

/** What is filed in a country reads the books, so it stands above the features; the rules of a country stand below them. */
const filings = '^src/countries/(filings\\.ts$|[^/]+/filings/)'

const layerRules = Object.entries(layers).map(([name, allowed]) => ({
  name: `${name}-imports-only-what-its-line-names`,
  severity: 'error',
  from: { path: folder(name), pathNot: [tests, filings] },
  to: { path: '^src/', pathNot: [name, ...allowed].map(folder) },
}))

const featureRules = featureOrder.map((name, index) => ({
  name: `${name}-imports-only-features-before-it`,
  severity: 'error',
  from: { path: folder(`features/${name}`), pathNot: tests },
  to: {
    path: folder('features'),
    pathNot: featureOrder.slice(0, index + 1).map((other) => folder(`features/${other}`)),
  },
}))

/** The web app, from the bottom up: a line imports only the lines before it. Screens never import each other's folders. */
const webLayers = [
  '(words|language|search|keys|money|amount|contract|early|tax-names)',
  '(shown|refusals|api|session|country|live|shared-stream|online|patiently|preparing|dashboard-query|new-version)',
  'ui/',
  'shell/',
  'screens/',
  'routes',
  '(main|first-frame)',
]
const webPath = (name) => `^web/src/${name}`

const webRules = [
  ...webLayers.map((name, index) => ({
    name: `web-${name.replace(/\W/g, '-')}-imports-only-layers-below`,
    severity: 'error',
    from: { path: webPath(name), pathNot: tests },
    to: { path: '^web/src/', pathNot: webLayers.slice(0, index + 1).map(webPath) },
  })),
  {
    name: 'a-screen-imports-no-other-screen',
    severity: 'error',
    from: { path: '^web/src/screens/([^/]+)/', pathNot: tests },
    to: { path: '^web/src/screens/', pathNot: '^web/src/screens/$1/' },
  },
  {
    name: 'the-web-app-takes-only-types-from-the-server',
    severity: 'error',
    from: { path: '^web/', pathNot: tests },
    to: { path: '^src/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'the-server-imports-nothing-of-the-web-app',
    severity: 'error',
    from: { path: '^src/', pathNot: tests },
    to: { path: '^web/' },
  },
]

module.exports = {
  forbidden: [
    ...webRules,
    ...layerRules,
    ...featureRules,
    {
      name: 'the-wire-knows-only-names',
      comment: "src/db/wire speaks PostgreSQL's protocol over one connection. It knows neither pools nor tables.",
      severity: 'error',
      from: { path: '^src/db/wire/', pathNot: tests },
      to: { path: '^src/', pathNot: ['^src/db/wire/', '^src/db/names\\.ts$'] },
    },
    {
      name: 'every-folder-has-a-line',
      comment: 'Add the folder to `layers`, or the feature to its area in `areas`.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/test/',
          ...Object.keys(layers)
            .filter((name) => name !== 'features')
            .map(folder),
          ...featureOrder.map((name) => folder(`features/${name}`)),
        ],
      },
      to: {},
    },
    {
      name: 'operations-are-imported-by-the-catalog-only',
      comment: "A feature uses another feature's noun or store, never its operations.",
      severity: 'error',
      from: { path: '^src/', pathNot: [tests, folder('features'), '^src/catalog/operations\\.ts$'] },
      to: { path: operationFiles() },
    },
    {
      name: 'filings-of-a-country-are-imported-by-their-list-only',
      severity: 'error',
      from: { path: '^src/', pathNot: [tests, filings, '^src/catalog/filings\\.ts$'] },
      to: { path: filings },
    },
    {
      name: 'filings-of-a-country-import-features-and-what-is-below',
      severity: 'error',
      from: { path: filings, pathNot: tests },
      to: { path: '^src/', pathNot: ['core', 'db', 'countries', 'ledger', 'features'].map(folder) },
    },
    {
      name: 'a-country-imports-no-other-country',
      severity: 'error',
      from: { path: '^src/countries/([^/]+)/', pathNot: [tests, '^src/countries/payroll/'] },
      to: { path: '^src/countries/[^/]+/', pathNot: ['^src/countries/$1/', '^src/countries/payroll/'] },
    },
    {
      name: 'no-operations-of-another-feature',
      severity: 'error',
      from: { path: '^src/(features/[^/]+/[^/]+)/', pathNot: tests },
      to: { path: operationFiles(), pathNot: '^src/$1/' },
    },
    {
      name: 'no-cycles',
      comment: 'What both files need is moved to the lower of them, or to a file below both.',
      severity: 'error',
      from: { pathNot: tests },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-cycles-of-types',
      comment: 'Types count too, except in the files that `cyclesOfTypes` names.',
      severity: 'error',
      from: { path: '^src/', pathNot: [tests, ...cyclesOfTypes] },
      to: { circular: true },
    },
    {
      name: 'no-test-code-in-the-product',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: tests },
    },
    {
      name: 'no-undeclared-packages',
      comment: 'An imported package is in package.json; a package the product needs at run time is no devDependency.',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    { name: 'nothing-unresolvable', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}

/** Files that export operations and nothing else: those that catalog/operations.ts imports. */
function operationFiles() {
  const list = require('node:path').join(__dirname, 'src/catalog/operations.ts')
  const source = require('node:fs').readFileSync(list, 'utf8')
  const files = [...source.matchAll(/from '\.\.\/(features\/[^']+)'/g)].map(([, file]) => file)
  return files.map((file) => `^src/${file.replaceAll('.', '\\.')}$`)
}
