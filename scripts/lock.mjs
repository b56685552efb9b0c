// A lock: one command at a time installs or builds in a clone.
import fs from 'node:fs'
import path from 'node:path'

/** Runs the work exclusively: waits while another command installs or builds in this clone. */
export async function exclusively({ root, say, what }, work) {
  const file = path.join(root, '.cache', 'setup.lock')
  await take({ file, say, what })
  const sign = setInterval(() => touch(file), 1_000)
  try {
    return await work()
  } finally {
    clearInterval(sign)
    fs.rmSync(file, { force: true })
  }
}

async function take({ file, say, what }) {
  for (let round = 0; ; round++) {
    try {
      fs.mkdirSync(path.dirname(file), { recursive: true })
      fs.writeFileSync(file, String(process.pid), { flag: 'wx' })
      return
    } catch (error) {
      if (error.code === 'EACCES' || error.code === 'EROFS') return // a read-only folder needs no lock
      if (error.code !== 'EEXIST') throw error
    }
    if (isAbandoned(file)) fs.rmSync(file, { force: true })
    else if (round % 100 === 10) say(`Another command is ${what} in the same folder; waiting for it.`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** The process has ended, or its id was reused by one that does not touch the file every second. */
function isAbandoned(file) {
  try {
    if (Date.now() - fs.statSync(file).mtimeMs > 10_000) return true
    const pid = Number(fs.readFileSync(file, 'utf8'))
    if (pid > 0) process.kill(pid, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function touch(file) {
  try {
    fs.utimesSync(file, new Date(), new Date())
  } catch {
    // .cache was deleted; the work continues.
  }
}
