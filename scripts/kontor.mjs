#!/usr/bin/env node
// kontor <command>: the same program as `npm start`, with any of its commands.
import { ensureBuilt, runCli } from './build.mjs'
import { ensureInstalled, main } from './setup.mjs'

const say = (line) => console.error(line) // the standard output belongs to the command: `kontor mcp` writes a protocol to it

main(async () => {
  await ensureInstalled({ dev: false, say })
  await ensureBuilt({ say })
  await runCli(process.argv.slice(2))
})
