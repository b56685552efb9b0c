// Builds the web app into the folder that is given. A process of its own, beside that of the programs (build-dist.mjs).
import { asScript, withEsbuild } from './processes.mjs'
import { buildWeb } from './web.mjs'

const [out] = process.argv.slice(2)

await asScript(() => withEsbuild((esbuild) => buildWeb({ esbuild, out })))
