// The direction of imports: db <- core <- countries, providers <- features <- operations.ts <- http, mcp, worker <-
// programs. Each rule names a layer and everything it must not reach.

const programs = '^src/(app|cli|start-[^/]+)\\.ts$'
const config = '^src/config\\.ts$'
const surfaces = '^src/(http|mcp|worker)/'
const list = '^src/operations\\.ts$'
const features = '^src/features/'
const providers = '^src/providers/'
const countries = '^src/countries/'
const core = '^src/core/'
const tests = '(^src/test/|\\.test\\.ts$|\\.check\\.ts$)'

/** A layer imports nothing that stands above it; types count too unless `atRunTime` says otherwise. */
const layer = ({ name, of, except, above, atRunTime = false }) => ({
  name,
  severity: 'error',
  from: { path: of, pathNot: except ? [tests, except] : tests },
  to: { path: above, ...(atRunTime && { dependencyTypesNot: ['type-only'] }) },
})

module.exports = {
  forbidden: [
    layer({
      name: 'db-is-the-ground',
      of: '^src/db/',
      except: '^src/db/tables\\.ts$',
      above: [core, countries, providers, features, list, surfaces, config, programs],
    }),
    layer({
      name: 'tables-take-types-from-features-and-core',
      of: '^src/db/tables\\.ts$',
      above: [core, features],
      atRunTime: true,
    }),
    layer({
      name: 'tables-take-nothing-from-elsewhere',
      of: '^src/db/tables\\.ts$',
      above: [countries, providers, list, surfaces, config, programs],
    }),
    layer({
      name: 'core-knows-no-feature',
      of: core,
      above: [countries, features, list, surfaces, config, programs],
    }),
    layer({ name: 'core-takes-types-from-providers', of: core, above: [providers], atRunTime: true }),
    layer({
      name: 'countries-import-core',
      of: countries,
      above: ['^src/db/', providers, features, list, surfaces, config, programs],
    }),
    layer({
      name: 'providers-import-core',
      of: providers,
      above: ['^src/db/', countries, features, list, surfaces, config, programs],
    }),
    layer({ name: 'features-know-no-surface', of: features, above: [list, surfaces, config, programs] }),
    layer({ name: 'features-take-types-from-providers', of: features, above: [providers], atRunTime: true }),
    layer({
      name: 'the-list-knows-features-only',
      of: list,
      above: [countries, providers, surfaces, config, programs],
    }),
    layer({ name: 'surfaces-know-no-program', of: surfaces, above: [programs] }),
    {
      name: 'surfaces-are-apart',
      comment: 'HTTP, MCP and the worker share core and the list, not each other.',
      severity: 'error',
      from: { path: '^src/(http|mcp|worker)/', pathNot: tests },
      to: { path: surfaces, pathNot: '^src/$1/' },
    },
    {
      name: 'no-operations-of-another-feature',
      comment: "A feature uses another one's noun or store. A file of operations is known to the list alone.",
      severity: 'error',
      from: { path: '^src/(features/[^/]+)/', pathNot: tests },
      to: { path: operationFiles(), pathNot: '^src/$1/' },
    },
    {
      name: 'operations-are-known-to-the-list-alone',
      severity: 'error',
      from: { path: '^src/', pathNot: [tests, features, list] },
      to: { path: operationFiles() },
    },
    {
      name: 'no-cycles-at-run-time',
      severity: 'error',
      from: { pathNot: tests },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-test-code-in-the-product',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: tests },
    },
    {
      name: 'no-undeclared-packages',
      comment:
        'A package that is imported stands in package.json; what the product needs at run time is no devDependency.',
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

/** Files that export operations and nothing else: those that operations.ts imports. */
function operationFiles() {
  const source = require('node:fs').readFileSync(
    require('node:path').join(__dirname, 'src/catalog/operations.ts'),
    'utf8',
  )
  const files = [...source.matchAll(/from '\.\/(features\/[^']+)'/g)].map(([, file]) => file)
  return files.map((file) => `^src/${file.replaceAll('.', '\\.')}$`)
}
