import { hostname } from 'node:os'
import type { Config } from '../config/config.ts'

export type Say = (line: string) => void

/** For commands that a person runs. */
export const say: Say = (line) => void process.stdout.write(`${line}\n`)

/** For what does not belong to the output of a command. */
export const sayAside: Say = (line) => void process.stderr.write(`${line}\n`)

/**
 * For programs that serve: text for the person at a terminal, and in strict mode lines of the log, because there the standard
 * output is read by programs as one JSON object per line.
 */
export const sayInLog = ({ mode }: Pick<Config, 'mode'>): Say =>
  mode === 'local' ? say : (line) => say(JSON.stringify({ level: 30, time: Date.now(), ...origin(), msg: line.trim() }))

const origin = () => ({ pid: process.pid, hostname: hostname() })
