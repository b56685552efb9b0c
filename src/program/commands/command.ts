import { parseArgs } from 'node:util'
import { WrongSetting } from '../../config/config.ts'

/** A command of the command line. What it takes is declared, so that help and refusals come before anything runs. */
export type Command = {
  /** One or two words, such as `secrets rotate`. */
  name: string
  /** What follows the name in the help, such as `<file> [--check]`. */
  takes?: string
  about: string
  /** How many words without a dash it takes, such as names of files; none if not given. */
  words?: { min: number; max: number; called: string }
  /** The long options by name: `value` is followed by a text, `flag` is not. */
  options?: Record<string, 'flag' | 'value'>
  run(given: Given): Promise<void> | void
}

/** What was given to a command: words, texts of options, and the flags that are set. */
export type Given = { words: string[]; values: Record<string, string | undefined>; flags: Set<string> }

/** What the words ask for: text to print, which runs nothing, or a command with what was given to it. */
export function choose(
  commands: readonly Command[],
  words: readonly string[],
  help: string,
): { print: string } | { command: Command; given: Given } {
  const command = findCommand(commands, words)
  if (asksForHelp(words)) {
    if (command) return { print: helpOf(command) }
    if (words.every((word) => word.startsWith('-') || word === 'help')) return { print: help }
  }
  if (!command) throw new WrongSetting(`Unknown command "kontor ${words.join(' ')}".\n\n${help}`)
  return { command, given: readGiven(command, afterName(words, command.name)) }
}

/** The words without those of the name. An option before the name is kept, and refused if the command has none like it. */
function afterName(words: readonly string[], name: string): string[] {
  const rest = [...words]
  for (const part of name.split(' ')) rest.splice(rest.indexOf(part), 1)
  return rest
}

/** The command that the words begin with; a name of two words is preferred. */
function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  const plain = words.filter((word) => !word.startsWith('-') && word !== 'help')
  const named = (name: string) => commands.find((command) => command.name === name)
  return named(plain.slice(0, 2).join(' ')) ?? named(plain[0] ?? '')
}

/** Whether help is asked for, at any place. */
const asksForHelp = (words: readonly string[]): boolean =>
  words.length === 0 || words[0] === 'help' || words.includes('--help') || words.includes('-h')

/** Checks what follows the name of a command, and refuses what it does not take with a sentence. */
function readGiven(command: Command, rest: readonly string[]): Given {
  const { options = {}, name } = command
  const types = Object.entries(options).map(([option, kind]) => [
    option,
    { type: kind === 'flag' ? 'boolean' : 'string' },
  ])
  const { tokens } = parseArgs({
    args: [...rest],
    options: Object.fromEntries(types) as Record<string, { type: 'boolean' | 'string' }>,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const given: Given = { words: [], values: {}, flags: new Set() }
  for (const token of tokens) {
    if (token.kind === 'positional') given.words.push(token.value)
    if (token.kind !== 'option') continue
    const kind = Object.hasOwn(options, token.name) && token.rawName.startsWith('--') ? options[token.name] : undefined
    if (!kind) throw new WrongSetting(`kontor ${name} has no option ${token.rawName}. ${seeHelp(command)}`)
    if (kind === 'flag' && token.value !== undefined)
      throw new WrongSetting(`${token.rawName} of kontor ${name} takes no value. ${seeHelp(command)}`)
    if (kind === 'flag') given.flags.add(token.name)
    else given.values[token.name] = textOf(command, token)
  }
  checkWords(command, given.words)
  return given
}

type OptionToken = { rawName: string; value: string | undefined; inlineValue: boolean | undefined }

/** A text that looks like the next option is a forgotten one; `-` alone is the standard input. */
function textOf(command: Command, { rawName, value, inlineValue }: OptionToken): string {
  const forgotten = !value || (!inlineValue && value.startsWith('-') && value !== '-')
  if (forgotten) throw new WrongSetting(`${rawName} of kontor ${command.name} needs a value. ${seeHelp(command)}`)
  return value
}

function checkWords(command: Command, words: readonly string[]) {
  const { min, max, called } = command.words ?? { min: 0, max: 0, called: '' }
  const [surplus] = words.slice(max)
  if (surplus !== undefined && max === 0)
    throw new WrongSetting(`kontor ${command.name} does not take "${surplus}". ${seeHelp(command)}`)
  if (surplus !== undefined) throw new WrongSetting(`kontor ${command.name} takes ${called} only. ${seeHelp(command)}`)
  if (words.length < min) throw new WrongSetting(`kontor ${command.name} needs ${called}. ${seeHelp(command)}`)
}

const seeHelp = ({ name }: Command) => `See kontor ${name} --help.`

/** The help of one command. */
const helpOf = ({ name, takes, about }: Command): string =>
  `${['kontor', name, takes].filter(Boolean).join(' ')}\n\n  ${about.replaceAll('\n', '\n  ')}`

/** A line for each command, or two if it takes something. */
export function helpOfAll(commands: readonly Command[]): string {
  const indent = ' '.repeat(20)
  return commands
    .map(({ name, takes, about }) => {
      const first = ['  kontor', name, takes].filter(Boolean).join(' ')
      const text = about.replaceAll('\n', `\n${indent}`)
      return first.length < 19 ? `${first.padEnd(20)}${text}` : `${first}\n${indent}${text}`
    })
    .join('\n')
}
