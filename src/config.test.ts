import { expect, test } from 'vitest'
import { readConfig, withPort } from './config.ts'

test.each(['abc', '3000.5', '-1', '65536', ' ', '1e-3'])('PORT %j is refused in a sentence', (PORT) => {
  expect(() => readConfig({ PORT })).toThrow(`PORT must be a whole number from 0 to 65535; it is "${PORT}".`)
})

test('without settings it listens on this machine, on port 3000', () => {
  expect(readConfig({})).toMatchObject({ port: 3000, url: 'http://127.0.0.1:3000', mode: 'local', trustedProxies: [] })
})

test('trusted proxies are addresses or networks, with or without spaces around them', () => {
  const { trustedProxies } = readConfig({ TRUSTED_PROXIES: ' 10.0.0.5 , 10.1.0.0/16,::1, fd00::/8,' })
  expect(trustedProxies).toEqual(['10.0.0.5', '10.1.0.0/16', '::1', 'fd00::/8'])
})

test.each([
  'proxy.example.com',
  '10.0.0',
  '10.0.0.0/33',
  '::1/129',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  'true',
  'fe80::1%eth0',
])('TRUSTED_PROXIES %s is refused in a sentence that shows it', (wrong) => {
  expect(() => readConfig({ TRUSTED_PROXIES: `10.0.0.5, ${wrong}` })).toThrow(
    `TRUSTED_PROXIES must be addresses or networks separated by commas, such as 10.0.0.5, 10.1.0.0/16; "${wrong}" is neither.`,
  )
})

test('the address follows the port that was found, unless it was given', () => {
  expect(withPort(readConfig({ PORT: '0' }), 4711)).toMatchObject({ port: 4711, url: 'http://127.0.0.1:4711' })
  expect(withPort(readConfig({ PORT: '0', HOST: '::1' }), 4711).url).toBe('http://[::1]:4711')
  const given = { PORT: '0', KONTOR_URL: 'https://books.example.com' }
  expect(withPort(readConfig(given), 4711)).toMatchObject({ port: 4711, url: 'https://books.example.com' })
})
