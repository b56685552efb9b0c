#!/usr/bin/env node
// kontor <verb>: the same program as `npm start`, with any of its verbs.
import { ensureBuilt, runCli } from './build.mjs'
import { ensureInstalled, main } from './setup.mjs'

const say = (line) => console.error(line) // the standard output belongs to the verb: `kontor mcp` speaks a protocol on it

main(async () => {
  await ensureInstalled({ dev: false, say })
  await ensureBuilt({ say })
  await runCli(process.argv.slice(2))
})
