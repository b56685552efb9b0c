// npm run bench -- start: how long `npm start` takes in an empty data folder and again, and what the processor does meanwhile.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root } from '../scripts/program.mjs'

/** Seconds from the command to the answer, on an idle machine with 2 cores. */
const bars = { first: 10, second: 2.5 }

/** Answers which bars were missed. The build is thrown away before, because the first start after an installation builds. */
export async function benchStart() {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'kontor-bench-start-'))
  fs.rmSync(path.join(root, 'dist'), { recursive: true, force: true })
  const missed = []
  try {
    for (const name of ['first', 'second']) {
      console.log(`\n${name} start`)
      console.log('seconds  node CPU  PostgreSQL CPU  until')
      const seconds = await startOnce(dataDir)
      if (seconds > bars[name]) missed.push(`${name} start: ${seconds.toFixed(1)} s, at most ${bars[name]}`)
    }
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
  return missed
}

/** Starts Kontor until it is ready, prints a line for each that it says, and stops it. */
function startOnce(dataDir) {
  const began = performance.now()
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    KONTOR_ENV_FILE: 'off',
    KONTOR_DATA: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
  }
  const args = [path.join(root, 'scripts/start.mjs')]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let seconds
  const show = (text) => {
    for (const line of String(text)
      .split('\n')
      .filter((each) => /^\S/.test(each))) {
      const now = (performance.now() - began) / 1_000
      console.log(
        `${now.toFixed(1).padStart(7)}  ${cpuOf(child.pid).padStart(8)}  ${cpuOfServer(dataDir).padStart(14)}  ${line}`,
      )
      if (line.startsWith('Kontor is ready')) seconds = now
    }
    if (seconds !== undefined) child.kill('SIGTERM')
  }
  child.stdout.on('data', show)
  child.stderr.on('data', show)
  return new Promise((resolve, reject) =>
    child.once('exit', (code) =>
      seconds === undefined ? reject(new Error(`It ended with ${code}.`)) : resolve(seconds),
    ),
  )
}

const ticksPerSecond = 100

/** Seconds of processor time of a process and of its children that ended, such as the one that creates the database; Linux only. */
function seconds(pid) {
  try {
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticksPerSecond
  } catch {
    return 0
  }
}

const cpuOf = (pid) => seconds(pid).toFixed(1)

const cpuOfServer = (dataDir) =>
  pids()
    .filter((pid) => workingFolder(pid).startsWith(path.join(dataDir, 'postgres')))
    .reduce((sum, pid) => sum + seconds(pid), 0)
    .toFixed(1)

const pids = () => (fs.existsSync('/proc') ? fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [])

function workingFolder(pid) {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}
