// How every program is bundled: the product, the benchmark, and what tests run as processes of their own.

/** With `faults` the points of src/core/observe/fault-point.ts are built in; without, and so in the product, none of them is. */
export const bundling = ({ faults = false } = {}) => ({
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  logLevel: 'warning',
  minifySyntax: true, // calls of functions that are empty go; names and lines stay
  loader: { '.typ': 'text' },
  define: faults ? {} : { 'process.env.KONTOR_FAULT': 'undefined' },
})

/** Threads that programs start, each a bundle of its own beside them: `new URL('./<out>.js', import.meta.url)`. */
export const threads = [{ in: 'src/providers/typeset/worker.ts', out: 'typeset-worker' }]

/** What programs find beside them by `import.meta.url`. */
export const beside = [{ from: 'src/db/migrations', to: 'migrations' }]
