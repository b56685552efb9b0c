// npm start
import { ensureBuilt, runCli } from './build.mjs'
import { ensureInstalled, main } from './setup.mjs'

const say = (line) => console.log(line)

main(async () => {
  await ensureInstalled({ dev: false, say })
  await ensureBuilt({ say })
  await runCli(['start', ...process.argv.slice(2)])
})
