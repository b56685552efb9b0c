// Bundle options of every program: the product, the benchmark, and programs that tests run as separate processes.

/** Packages of hundreds of small files, which take longer to find one by one than to load: a fourth of the start of a program. */
const included = /^(typebox|kysely|write-excel-file|fflate)(\/|$)/

/** Leaves the other packages where they are: node_modules. */
const packages = {
  name: 'packages',
  setup: (build) =>
    build.onResolve({ filter: /^[^./#]/ }, ({ path, kind }) =>
      kind === 'entry-point' || included.test(path) ? undefined : { path, external: true },
    ),
}

/** `faults` includes the fault points of src/core/observe/fault-point.ts; the product is built without them. */
export const bundling = ({ faults = false } = {}) => ({
  bundle: true,
  plugins: [packages],
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  logLevel: 'warning',
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
export const beside = [{ from: 'src/db/migrations', to: 'migrations' }]
