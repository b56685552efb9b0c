// Bundle options of every program: the product, the benchmark, and programs that tests run as separate processes.
import fs from 'node:fs'

/**
 * Packages of many small files that every program loads, which take longer to find one by one than to load: two fifths of the
 * processor time of a start. Those that use one another are together here, so that none is loaded twice.
 */
const included = [
  '@fastify/cookie',
  '@fastify/multipart',
  '@modelcontextprotocol/server',
  'ajv',
  'fast-json-stringify',
  'fastify',
  'fflate',
  'graphile-worker',
  'kysely',
  'pg',
  'pg-protocol',
  'prom-client',
  'qrcode',
  'typebox',
  'write-excel-file',
]

/** Included packages in the older format of modules ask for modules of Node.js with `require`. */
const requireOfModule =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"

/** The other packages stay where they are: node_modules. Named, because a function that decides would be asked for every import. */
const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
  fs.readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)
const external = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
  (name) => !included.includes(name),
)

/** `faults` includes the fault points of src/core/observe/fault-point.ts; the product is built without them. */
export const bundling = ({ faults = false } = {}) => ({
  bundle: true,
  external,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  logLevel: 'warning',
  banner: { js: requireOfModule },
  minifySyntax: true, // removes calls of empty functions; keeps names and lines
  loader: { '.typ': 'text' },
  define: faults ? {} : { 'process.env.KONTOR_FAULT': 'undefined' },
})

/** Threads and processes that programs start, each a separate bundle beside them: `bundledFile('<out>')`. */
export const threads = [
  { in: 'src/providers/typeset/worker.ts', out: 'typeset-worker' },
  { in: 'src/core/files/xlsx-worker.ts', out: 'xlsx-worker' },
  { in: 'src/providers/tables/worker.ts', out: 'table-worker' },
  { in: 'src/providers/reader/child.ts', out: 'receipt-reader' },
  { in: 'src/providers/reader/ocr/recognizer-thread.ts', out: 'line-reader' },
]

/** Files that programs find beside them through `import.meta.url`. */
export const beside = [
  { from: 'src/db/migrations', to: 'migrations' },
  { from: 'src/db/baseline', to: 'baseline' },
  { from: 'src/db/functions', to: 'functions' },
]
