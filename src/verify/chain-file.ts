import { readFileSync } from 'node:fs'
import { WrongSetting } from '../config/config.ts'
import { checkChain } from './chain.ts'

const usage = 'kontor verify --chain <file> [--head <hash>]; the file - is the standard input.'

/** `kontor verify --chain <file>`: checks an exported history of a document. Needs no database and no settings. */
export function verifyChain(words: string[], say: (line: string) => void): boolean {
  const [option, file, headOption, head, ...more] = words
  const isWrongUsage =
    option !== '--chain' || !file || more.length > 0 || (headOption !== undefined && headOption !== '--head')
  if (isWrongUsage || (headOption && !head)) throw new WrongSetting(`Usage: ${usage}`)
  const result = checkChain(readJson(file), head?.toLowerCase())
  if (!result.isValid) {
    say(`The chain is broken. ${result.reason}`)
    return false
  }
  const ending = head ? 'and ends with the given hash' : 'the end was not checked, because no --head was given'
  say(`The chain is valid: ${result.events} events, ${ending}. Last hash: ${result.head ?? 'none'}`)
  return true
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))
  } catch (error) {
    throw new WrongSetting(`${file} cannot be read as JSON: ${error instanceof Error ? error.message : error}`)
  }
}
