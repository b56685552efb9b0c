import { once } from 'node:events'
import { existsSync, mkdtempSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { onFreePort } from './port.ts'
import { start } from './start.ts'

async function takenPort(): Promise<string> {
  const other = createServer()
  await once(other.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void other.close())
  return String((other.address() as AddressInfo).port)
}

test('port 0 is replaced by a free port, also in the address', async () => {
  const { port, url } = await onFreePort(readConfig({ PORT: '0' }))
  expect(port).toBeGreaterThan(0)
  expect(url).toBe(`http://127.0.0.1:${port}`)
})

test('a used port is reported before a database is created', async () => {
  const PORT = await takenPort()
  const KONTOR_DATA = join(mkdtempSync(join(tmpdir(), 'kontor-port-')), 'data')
  await expect(start(readConfig({ PORT, KONTOR_DATA }), () => {}, { withWorker: false })).rejects.toThrow(
    `Port ${PORT} is used by another program.`,
  )
  expect(existsSync(KONTOR_DATA)).toBe(false)
})

test('a host that is not an address of this machine is reported', async () => {
  await expect(onFreePort(readConfig({ HOST: '192.0.2.1', PORT: '0', KONTOR_MODE: 'local' }))).rejects.toThrow(
    'HOST 192.0.2.1 is not an address of this machine.',
  )
})
