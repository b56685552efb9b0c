// npm start
import { ensureBuilt } from './build.mjs'
import { main, runCli } from './program.mjs'
import { ensureInstalled } from './setup.mjs'

const say = (line) => console.error(line) // in strict mode the standard output carries lines of the log only

main(async () => {
  stopWithNpm()
  await ensureInstalled({ dev: false, say })
  await ensureBuilt({ say })
  await runCli(['start', ...process.argv.slice(2)])
})

/** npm starts this script through a shell. The shell of Debian ends at SIGTERM without passing it on, so stop when it is gone. */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event !== 'start') return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  watch.unref()
}
