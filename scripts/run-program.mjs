// Runs the programs of installed packages: the checks of npm test, vitest.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { root } from './program.mjs'

/** Runs a program of a package and answers its exit code, with its output if that is kept instead of printed. */
export function runProgram([name, bin, ...args], { env = {}, keepsOutput = false } = {}) {
  return new Promise((resolve, reject) => {
    const to = keepsOutput ? 'pipe' : 'inherit'
    const child = spawn(process.execPath, [programOf(name, bin), ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', to, to],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    const stop = (signal) => {
      stopped = true
      child.kill(signal)
    }
    let stopped = false
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
    child.on('error', reject)
    child.on('close', (code) => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      if (stopped) process.exit(130)
      resolve({ code: code ?? 1, output })
    })
  })
}

function programOf(name, bin) {
  const folder = path.join(root, 'node_modules', name)
  const { bin: bins } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
  return path.join(folder, typeof bins === 'string' ? bins : bins[bin])
}

export const secondsSince = (began) => ((Date.now() - began) / 1000).toFixed(1)
