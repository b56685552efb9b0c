// Builds dist/. A process of its own (build.mjs), because it needs 200 MB that a server would keep.
import fs from 'node:fs'
import path from 'node:path'
import { hashOfSources, noteSources, signsOfSources } from './build.mjs'
import { beside, bundling, threads } from './bundle.mjs'
import { packagesOf } from './packages.mjs'
import { asScript, runScript, withEsbuild } from './processes.mjs'
import { dist, root } from './program.mjs'

const programs = [{ in: 'src/program/cli.ts', out: 'cli' }]

await asScript(build)

/** Builds into a temporary folder and renames it to dist/ when it is complete. */
async function build() {
  const signs = signsOfSources()
  const fresh = `${dist}.new`
  fs.rmSync(fresh, { recursive: true, force: true })
  const parts = [runScript('build-web.mjs', [path.join(fresh, 'web')]), buildPrograms(fresh)]
  const contents = hashOfSources() // while they build
  const [web, server] = await Promise.allSettled(parts) // of a build that failed nothing is written any more
  for (const { reason } of [web, server]) if (reason) throw reason
  if (!web.value) {
    process.exitCode = 1
    return
  }
  for (const { from, to } of beside) {
    const source = path.join(root, from)
    if (fs.existsSync(source)) fs.cpSync(source, path.join(fresh, to), { recursive: true })
  }
  // If a source has changed meanwhile, nobody knows which contents were built: the next start builds again.
  noteSources(fresh, { signs, contents: signsOfSources() === signs ? contents : '' })
  const old = `${dist}.old`
  fs.rmSync(old, { recursive: true, force: true })
  if (fs.existsSync(dist)) fs.renameSync(dist, old)
  fs.renameSync(fresh, dist)
  fs.rmSync(old, { recursive: true, force: true })
}

async function buildPrograms(out) {
  const { metafile } = await withEsbuild((esbuild) =>
    esbuild.build({
      entryPoints: [...programs, ...threads].map((each) => ({ ...each, in: path.join(root, each.in) })),
      outdir: out,
      ...bundling(),
      sourcesContent: false, // positions are enough for stack traces
      metafile: true,
    }),
  )
  fs.writeFileSync(path.join(out, 'packages.json'), `${JSON.stringify(packagesOf(metafile), null, 2)}\n`)
}
