// npm run conformance: runs the official conformance suite of MCP against the product, and against its endpoint with
// fixtures. The suite needs Node 24, so both are downloaded into KONTOR_CONFORMANCE or a temporary folder; they are not
// part of this project. Writes docs/mcp-conformance.md.
import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beside } from './bundle.mjs'
import { main, root } from './program.mjs'
import { ensureInstalled } from './setup.mjs'

const suiteVersion = '0.2.0-alpha.12'
const revisions = ['2026-07-28', '2025-11-25']
/** Scenarios that need only a server: the product itself must pass these. */
const withoutFixtures = [
  'server-initialize',
  'ping',
  'tools-list',
  'dns-rebinding-protection',
  'http-header-validation',
]

main(async () => {
  await ensureInstalled({ dev: true, say: console.log })
  const folder = process.env.KONTOR_CONFORMANCE ?? fs.mkdtempSync(path.join(os.tmpdir(), 'kontor-suite-'))
  const suite = fetchSuite(folder)
  const servers = await startServers()
  try {
    const rows = revisions.flatMap((revision) =>
      scenariosOf(suite, revision).map((scenario) => ({ revision, scenario })),
    )
    const results = rows.map((row) => {
      const product = withoutFixtures.includes(row.scenario) ? check(suite, folder, servers.product, row) : undefined
      const result = { ...row, product, fixtures: check(suite, folder, servers.fixtures, row) }
      console.log(
        `${row.revision} ${row.scenario}: ${told(result.fixtures)}${product ? `, product ${told(product)}` : ''}`,
      )
      return result
    })
    fs.writeFileSync(path.join(root, 'docs', 'mcp-conformance.md'), report(results))
    const failed = results.filter(({ product, fixtures }) => product?.failed || fixtures.failed)
    console.log(`${results.length - failed.length} of ${results.length} scenarios without a failed check.`)
    process.exitCode = failed.length > 0 ? 1 : 0
  } finally {
    servers.stop()
  }
})

function fetchSuite(folder) {
  const own = Number(process.versions.node.split('.')[0]) >= 24
  const node = `node-${os.platform()}-${os.arch()}`
  const suite = path.join(folder, 'node_modules/@modelcontextprotocol/conformance')
  if (!fs.existsSync(suite)) {
    const wanted = [`@modelcontextprotocol/conformance@${suiteVersion}`, ...(own ? [] : [`${node}@24`])]
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true}')
    execFileSync(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false', ...wanted],
      {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
  }
  return {
    node: own ? process.execPath : path.join(folder, 'node_modules', node, 'bin/node'),
    program: path.join(suite, 'dist/index.js'),
  }
}

/** The server scenarios of a revision, required or only reported. */
function scenariosOf({ node, program }, revision) {
  const list = execFileSync(node, [program, 'list'], { encoding: 'utf8' })
  const [servers] = list.split('Client scenarios')
  return [...servers.matchAll(/- (\S+) \[([^\]]*)\]/g)]
    .filter(([, , versions]) => versions.split(',').includes(revision))
    .map(([, name]) => name)
}

function check({ node, program }, folder, url, { revision, scenario }) {
  const out = fs.mkdtempSync(path.join(folder, 'result-'))
  const args = [program, 'server', '--url', url, '--scenario', scenario, '--spec-version', revision, '-o', out]
  try {
    execFileSync(node, args, { stdio: 'ignore', timeout: 60_000 })
  } catch {} // the result is in the file
  const file = fs.readdirSync(out, { recursive: true }).find((name) => name.endsWith('checks.json'))
  if (!file) return { passed: 0, failed: 1, skipped: 0, why: ['it did not end'] }
  const checks = JSON.parse(fs.readFileSync(path.join(out, file), 'utf8'))
  const count = (...statuses) => checks.filter(({ status }) => statuses.includes(status)).length
  const failures = checks.filter(({ status }) => status === 'FAILURE')
  return {
    passed: count('SUCCESS'),
    failed: failures.length,
    skipped: count('SKIPPED', 'WARNING'),
    why: failures.map(({ id, errorMessage }) => `${id}: ${errorMessage ?? ''}`),
  }
}

const told = ({ passed, failed, skipped, why }) =>
  `${passed}/${passed + failed}${skipped ? `, ${skipped} skipped` : ''}${why.map((each) => `\n    ${each}`).join('')}`

async function startServers() {
  const esbuild = await import('esbuild')
  const outfile = path.join(root, '.cache/programs/conformance/server.mjs')
  await esbuild.build({
    entryPoints: [path.join(root, 'src/test/processes/programs/conformance.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  await esbuild.stop()
  for (const { from, to } of beside)
    fs.cpSync(path.join(root, from), path.join(path.dirname(outfile), to), { recursive: true })
  const child = spawn(process.execPath, [outfile], {
    cwd: root,
    env: { ...process.env, PORT: process.env.PORT ?? '3917' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const first = await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve)
    child.once('exit', (code) => reject(new Error(`The servers ended with ${code}.`)))
  })
  return { ...JSON.parse(String(first)), stop: () => child.kill() }
}

function report(results) {
  const cell = (result) => (result ? told({ ...result, why: [] }) : '')
  const rows = results.map(
    (row) => `| ${row.revision} | ${row.scenario} | ${cell(row.product)} | ${cell(row.fixtures)} |`,
  )
  const failures = results.flatMap(({ revision, scenario, product, fixtures }) =>
    [...(product?.why ?? []), ...fixtures.why].map((why) => `- ${revision} ${scenario}: ${why}`),
  )
  return `# MCP conformance

What the official suite (@modelcontextprotocol/conformance ${suiteVersion}) says, written by \`npm run conformance\`: checks
passed of checks made. "Product" is \`/mcp\` as it ships, for the scenarios that need no fixtures; "with fixtures" is the
same endpoint (Host and Origin checks, credentials, body limits) with the suite's fixture tools behind it, a test-only build.

| protocol | scenario | product | with fixtures |
| --- | --- | --- | --- |
${rows.join('\n')}

${failures.length > 0 ? `Failed checks:\n\n${failures.join('\n')}` : 'No check failed.'}
`
}
