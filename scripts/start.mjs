// npm start
import { ensureBuilt, runCli } from './build.mjs'
import { ensureInstalled, main } from './setup.mjs'

const say = (line) => console.log(line)

main(async () => {
  stopWithNpm()
  await ensureInstalled({ dev: false, say })
  await ensureBuilt({ say })
  await runCli(['start', ...process.argv.slice(2)])
})

/** npm runs us through a shell, and the shell of Debian dies of a SIGTERM without passing it on: then we stop as well. */
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
