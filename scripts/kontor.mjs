#!/usr/bin/env node
// kontor <command>: the same program as `npm start`, with any of its commands.
import { checkNode, isBuilt, main, runCli } from './program.mjs'

const say = (line) => console.error(line) // the standard output belongs to the command: `kontor mcp` writes a protocol to it

main(async () => {
  checkNode()
  if (!isBuilt) await prepareClone()
  await runCli(process.argv.slice(2))
})

async function prepareClone() {
  const { ensureInstalled } = await import('./setup.mjs')
  await ensureInstalled({ dev: false, say })
  const { ensureBuilt } = await import('./build.mjs')
  await ensureBuilt({ say })
}
