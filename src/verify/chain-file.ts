import { readFileSync } from 'node:fs'
import { WrongSetting } from '../config/config.ts'
import { checkChain } from './chain.ts'

const usage = 'kontor verify --chain <file> [--head <hash>]; - as file reads the standard input.'

/** `kontor verify --chain <file>`: whether an export of a document's events is whole. Needs no database and no settings. */
export function verifyChain(words: string[], say: (line: string) => void): boolean {
  const [option, file, headOption, head, ...more] = words
  const misused =
    option !== '--chain' || !file || more.length > 0 || (headOption !== undefined && headOption !== '--head')
  if (misused || (headOption && !head)) throw new WrongSetting(`There is only ${usage}`)
  const verdict = checkChain(readJson(file), head?.toLowerCase())
  if (!verdict.whole) {
    say(`The chain is broken. ${verdict.why}`)
    return false
  }
  const known = head ? 'and ends where it should' : 'whether it ends here, only who knows its last hash can tell'
  say(`The chain is whole: ${verdict.events} events, ${known}. Last hash: ${verdict.head ?? 'none'}`)
  return true
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))
  } catch (error) {
    throw new WrongSetting(`${file} cannot be read as JSON: ${error instanceof Error ? error.message : error}`)
  }
}
