import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Environment, WrongSetting } from './wrong-setting.ts'

/** The file that was read and the names of the settings taken from it. */
export type EnvFile = { file: string; names: string[] }

/**
 * Adds the settings of `.env` in the folder of the program, or of KONTOR_ENV_FILE, to the environment. What the environment
 * has already wins. Undefined if there is no file, or if KONTOR_ENV_FILE is off.
 */
export function addEnvFile(env: Environment, folder: string): EnvFile | undefined {
  const chosen = env.KONTOR_ENV_FILE
  if (chosen === 'off') return undefined
  const file = chosen ? resolve(chosen) : join(folder, '.env')
  if (!chosen && !existsSync(file)) return undefined
  const settings = parseEnvFile(readText(file), file)
  const names = Object.keys(settings).filter((name) => env[name] === undefined)
  for (const name of names) env[name] = settings[name]
  // Otherwise the folder would depend on where the command is called.
  if (names.includes('KONTOR_DATA') && env.KONTOR_DATA) env.KONTOR_DATA = resolve(file, '..', env.KONTOR_DATA)
  return { file, names }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new WrongSetting(
      `The settings in ${file} cannot be read (${reason}). KONTOR_ENV_FILE names another file, or off.`,
    )
  }
}

/**
 * One NAME=value in a line, in quotes if it has spaces at its ends. Unlike `util.parseEnv`, a # begins a comment only after a
 * space, because addresses contain it, and a line that is neither is refused instead of ignored.
 */
export function parseEnvFile(text: string, file: string): Record<string, string> {
  const settings: Record<string, string> = {}
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const content = line.trim()
    if (content === '' || content.startsWith('#')) continue
    const [, name, rest = ''] = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(content) ?? []
    const value = name && valueIn(rest.trim())
    // The line is not repeated: it may hold a password.
    if (!name || value === undefined)
      throw new WrongSetting(`Line ${index + 1} of ${file} must be NAME=value, or a comment that begins with #.`)
    settings[name] = value
  }
  return settings
}

/** Undefined if a quote is not closed, or text follows it. */
function valueIn(text: string): string | undefined {
  if (!/^["']/.test(text)) return text.replace(/(^|\s+)#.*$/, '')
  return /^(["'])(.*?)\1\s*(?:#.*)?$/.exec(text)?.[2]
}
