// How every program is bundled: the product, the benchmark, and what tests run as processes of their own.

/** With `faults` the points of src/core/fault-point.ts are built in; without, and so in the product, none of them is. */
export const bundling = ({ faults = false } = {}) => ({
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  logLevel: 'warning',
  minifySyntax: true, // calls of functions that are empty go; names and lines stay
  define: faults ? {} : { 'process.env.KONTOR_FAULT': 'undefined' },
})

/** What programs find beside them by `import.meta.url`. */
export const beside = [{ from: 'src/db/migrations', to: 'migrations' }]
