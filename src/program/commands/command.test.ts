import { expect, test } from 'vitest'
import { type Command, choose, helpOfAll } from './command.ts'

const command = (more: Partial<Command> & { name: string }): Command => ({ about: 'does it', run() {}, ...more })

const backup = command({
  name: 'backup',
  takes: '[file]',
  words: { min: 0, max: 1, called: 'the name of one file' },
  options: { check: 'flag', passphrase: 'value' },
})
const restore = command({ name: 'restore', words: { min: 1, max: 1, called: 'the name of one file' } })
const rotate = command({ name: 'secrets rotate' })
const all = [backup, restore, rotate]

const chosen = (...words: string[]) => choose(all, words, 'all commands')
const given = (...words: string[]) => {
  const found = chosen(...words)
  return 'given' in found ? found.given : undefined
}

test('a command is found by its first words, wherever options stand', () => {
  expect(chosen('backup', 'x')).toMatchObject({ command: backup })
  expect(chosen('--check', 'backup')).toMatchObject({ command: backup })
  expect(chosen('secrets', 'rotate')).toMatchObject({ command: rotate })
  for (const words of [['secrets'], ['bogus'], ['bogus', '--help']])
    expect(() => chosen(...words)).toThrow(`Unknown command "kontor ${words.join(' ')}".\n\nall commands`)
})

test.each(all)(
  'help for $name is asked for with --help, -h or help at any place, and runs nothing',
  ({ name, about }) => {
    const words = name.split(' ')
    expect(() => chosen(...words, '--nowhere')).toThrow('no option')
    const asking = [
      [...words, '--help'],
      [...words, 'x', '-h'],
      ['-h', ...words],
      ['help', ...words],
    ]
    for (const each of [...asking, [...words, '--nowhere', '--help']])
      expect(chosen(...each)).toEqual({
        print: expect.stringMatching(new RegExp(`^kontor ${name}.*\\n\\n  ${about}$`)),
      })
  },
)

test.each([[[]], [['help']], [['--help']], [['-h']]])('%j asks for the help of all commands', (words) => {
  expect(chosen(...words)).toEqual({ print: 'all commands' })
})

test('words, flags and values are read in any order', () => {
  const read = { words: ['x.gz'], values: { passphrase: 'a b' }, flags: new Set(['check']) }
  expect(given('backup', '--check', 'x.gz', '--passphrase', 'a b')).toEqual(read)
  expect(given('--passphrase=a b', 'backup', 'x.gz', '--check')).toEqual(read)
  expect(given('backup', '--passphrase=-x', '--', '-y')).toMatchObject({ words: ['-y'], values: { passphrase: '-x' } })
  expect(given('backup', '--passphrase', '-')?.values.passphrase).toBe('-')
})

test.each([
  [backup, ['--chekc'], 'kontor backup has no option --chekc. See kontor backup --help.'],
  [backup, ['-c'], 'kontor backup has no option -c. See kontor backup --help.'],
  [backup, ['--constructor'], 'kontor backup has no option --constructor. See kontor backup --help.'],
  [backup, ['--check=yes'], '--check of kontor backup takes no value. See kontor backup --help.'],
  [backup, ['--passphrase'], '--passphrase of kontor backup needs a value. See kontor backup --help.'],
  [backup, ['--passphrase', '--check'], '--passphrase of kontor backup needs a value. See kontor backup --help.'],
  [backup, ['a', 'b'], 'kontor backup takes the name of one file only. See kontor backup --help.'],
  [restore, [], 'kontor restore needs the name of one file. See kontor restore --help.'],
  [rotate, ['now'], 'kontor secrets rotate does not take "now". See kontor secrets rotate --help.'],
])('$0.name with %j is refused', (each, rest, sentence) => {
  expect(() => chosen(...each.name.split(' '), ...rest)).toThrow(sentence)
})

test('the help has a line for a short command and two for one that takes something', () => {
  expect(helpOfAll([command({ name: 'start' }), backup])).toBe(
    `  kontor start      does it\n  kontor backup [file]\n${' '.repeat(20)}does it`,
  )
})
