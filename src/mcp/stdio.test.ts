import { spawn } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, test } from 'vitest'
import { connectAgent } from '../program/commands/mcp-command.ts'
import { mcpUrl, newest, previous } from '../test/mcp.ts'
import { listening } from '../test/oauth-client.ts'
import { sample } from '../test/prove.ts'
import { member, type Someone, withKey } from '../test/world.ts'
import { bridge } from './stdio.ts'

/** A server with very low rate limits. */
const limitedServer = listening({ RATE_LIMIT_SCALE: '0.001' })

/** `kontor mcp`, started by a desktop agent as a child process. */
const program = fileURLToPath(new URL('../../scripts/kontor.mjs', import.meta.url))
const cwd = fileURLToPath(new URL('../../', import.meta.url))

const keyOf = ({ credentials }: Someone) => ('authorization' in credentials ? credentials.authorization.slice(7) : '')
const environment = (more: Record<string, string>) => ({
  PATH: process.env.PATH ?? '',
  KONTOR_ENV_FILE: 'off',
  ...more,
})

// In npm test one of the protocols: over HTTP all are shown by server.test.ts.
describe.each(sample([newest, previous], 2))('with protocol %s', (version) => {
  test('an agent lists tools and calls several at once over standard input and output', async () => {
    const amy = await withKey(await member('OWNER'))
    const env = environment({ KONTOR_URL: mcpUrl().origin, KONTOR_API_KEY: keyOf(amy) })
    const mode = version === newest ? { pin: newest } : ('legacy' as const)
    const client = new Client({ name: 'desktop', version: '1.0.0' }, { versionNegotiation: { mode } })
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env, cwd }))
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('customers_create')
    const made = await Promise.all(
      ['One', 'Two', 'Three'].map((name) =>
        client.callTool({ name: 'customers_create', arguments: { name, country: 'SG' } }),
      ),
    )
    expect(made.map(({ structuredContent }) => (structuredContent as { name: string }).name)).toEqual([
      'One',
      'Two',
      'Three',
    ])
    expect((await amy.call('customers_list')).customers).toHaveLength(3)
    await expect(client.callTool({ name: 'nothing_such', arguments: {} })).rejects.toMatchObject({ code: -32602 })
    await client.close()
  })
})

test('kontor mcp --tools compact lists the everyday tools, and calls any', async () => {
  const amy = await withKey(await member('OWNER'))
  const env = environment({ KONTOR_URL: mcpUrl().origin, KONTOR_API_KEY: keyOf(amy) })
  const client = new Client({ name: 'desktop', version: '1.0.0' })
  const args = [program, 'mcp', '--tools', 'compact']
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd }))
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toContain('customers_create')
  expect(names).not.toContain('customers_delete')
  const { id } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  await client.callTool({ name: 'customers_delete', arguments: { id } })
  expect((await amy.call('customers_list')).customers).toEqual([])
  await client.close()
})

describe('a wrong setting', () => {
  const wrong: [string, Record<string, string>, RegExp, tools?: string][] = [
    ['an unknown key', { KONTOR_API_KEY: 'kt_garbage1_0' }, /does not know the key in KONTOR_API_KEY/],
    ['no key', {}, /Set KONTOR_API_KEY/],
    ['no server', { KONTOR_API_KEY: 'x', KONTOR_URL: 'http://127.0.0.1:9' }, /does not answer at http:\/\/127.0.0.1:9/],
    ['an invalid URL', { KONTOR_API_KEY: 'x', KONTOR_URL: 'nowhere' }, /KONTOR_URL must be/],
    ['an unknown list of tools', { KONTOR_API_KEY: 'x' }, /kontor mcp takes --tools compact/, 'tiny'],
  ]

  test.each(wrong)('%s is refused with a sentence', async (_, env, sentence, tools) => {
    await expect(connectAgent(tools, environment({ KONTOR_URL: mcpUrl().origin, ...env }))).rejects.toThrow(sentence)
  })

  // In npm test one of them as a process.
  test.each(sample(wrong, wrong.length))(
    '%s is reported on standard error, and nothing on standard output',
    async (_, env, sentence, tools) => {
      const options = tools === undefined ? [] : ['--tools', tools]
      const child = spawn(process.execPath, [program, 'mcp', ...options], {
        cwd,
        env: environment({ KONTOR_URL: mcpUrl().origin, ...env }),
      })
      child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
      const [out, err] = await Promise.all([textOf(child.stdout), textOf(child.stderr)])
      expect(out).toBe('')
      expect(err).toMatch(sentence)
      expect(err).not.toMatch(/\n\s+at /)
      expect(child.exitCode ?? (await new Promise((resolve) => child.once('exit', resolve)))).toBe(1)
    },
  )
})

test('an error of the HTTP server becomes the JSON-RPC error of the message', async () => {
  const key = keyOf(await withKey(await member('OWNER')))
  const input = new PassThrough()
  const output = new PassThrough()
  const reported: string[] = []
  const finished = bridge({ url: limitedServer.url, key, input, output, report: (line) => reported.push(line) })
  const ids = Array.from({ length: 10 }, (_, id) => id + 1)
  for (const id of ids) input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })}\n`)
  input.end()
  await finished
  output.end()
  const lines = (await textOf(output)).trim().split('\n')
  const answers = lines.map((line) => JSON.parse(line) as { jsonrpc: string; id: number; error?: { message: string } })
  expect(answers.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids)
  expect(answers.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true)
  expect(answers.some(({ error }) => !error)).toBe(true)
  const refused = answers.find(({ error }) => error)
  expect(refused?.error?.message).toMatch(/Too many requests \(reads of this credential\)/)
})

async function textOf(stream: AsyncIterable<Buffer>) {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}
