import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addEnvFile, parseEnvFile } from './env-file.ts'

const folderWith = (text: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-env-'))
  writeFileSync(join(folder, '.env'), text)
  return folder
}

test('each line is a setting, a comment or empty', () => {
  const text = '\uFEFF# the port\nPORT=4000\r\n\n  export HOST=::1\n'
  expect(parseEnvFile(text, '.env')).toEqual({ PORT: '4000', HOST: '::1' })
})

test.each([
  ['A=x # a comment', 'x'],
  ['A=', ''],
  ['A= # only a comment', ''],
  ['A=compatible:http://127.0.0.1:1/v1#model', 'compatible:http://127.0.0.1:1/v1#model'],
  ['A="  spaces # kept "  # a comment', '  spaces # kept '],
  ['A=\'it is "so"\'', 'it is "so"'],
  ['A=a=b', 'a=b'],
])('%s', (line, value) => {
  expect(parseEnvFile(line, '.env')).toEqual({ A: value })
})

test.each(['PORT 4000', 'PORT: 4000', '=4000', '4PORT=1', 'A="open', "A='x' y", 'hunter2'])(
  'a wrong line (%s) is refused in a sentence with its number and without its text',
  (wrong) => {
    expect(parseEnvFile('A=1\nB=2', '.env')).toEqual({ A: '1', B: '2' })
    expect(() => parseEnvFile(`A=1\n${wrong}`, '/x/.env')).toThrow(
      /^Line 2 of \/x\/\.env must be NAME=value, or a comment that begins with #\.$/,
    )
  },
)

test('the environment wins over the file, also with an empty value', () => {
  const env = { PORT: '5000', HOST: '' }
  const folder = folderWith('PORT=4000\nHOST=::1\nKONTOR_DEMO=0\n')
  expect(addEnvFile(env, folder)).toEqual({ file: join(folder, '.env'), names: ['KONTOR_DEMO'] })
  expect(env).toEqual({ PORT: '5000', HOST: '', KONTOR_DEMO: '0' })
})

test('a data folder in the file is relative to the file, in the environment to the current folder', () => {
  const folder = folderWith('KONTOR_DATA=./books')
  const env: Record<string, string> = {}
  addEnvFile(env, folder)
  expect(env.KONTOR_DATA).toBe(join(folder, 'books'))
  const given = { KONTOR_DATA: './mine' }
  addEnvFile(given, folder)
  expect(given.KONTOR_DATA).toBe('./mine')
})

test('KONTOR_ENV_FILE names another file, or off; a missing one is refused', () => {
  const [folder, other] = [folderWith('PORT=4000'), folderWith('PORT=4001')]
  const env: Record<string, string> = { KONTOR_ENV_FILE: join(other, '.env') }
  addEnvFile(env, folder)
  expect(env.PORT).toBe('4001')
  expect(addEnvFile({ KONTOR_ENV_FILE: 'off' }, folder)).toBeUndefined()
  expect(addEnvFile({}, other.replace('kontor', 'nowhere'))).toBeUndefined()
  expect(() => addEnvFile({ KONTOR_ENV_FILE: join(folder, 'none') }, folder)).toThrow(/cannot be read \(ENOENT\)/)
})

test('a copy of .env.example can be read', () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  expect(parseEnvFile(example, '.env.example')).toMatchObject({ PORT: '3000' })
  const all = example.replace(/^# ([A-Z_]+=)/gm, '$1')
  expect(parseEnvFile(all, '.env.example').KONTOR_MODEL).toBe('compatible:http://127.0.0.1:11434/v1#qwen2.5vl')
})
