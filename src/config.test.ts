import { expect, test } from 'vitest'
import { readConfig, WrongSetting } from './config.ts'

test('SSRF-10 nothing is open beyond the rules unless the environment says so', () => {
  expect(readConfig({})).toMatchObject({ egressAllow: [], egressAllowHttp: false })
  expect(readConfig({ EGRESS_ALLOW: '', EGRESS_ALLOW_HTTP: '' })).toMatchObject({
    egressAllow: [],
    egressAllowHttp: false,
  })
  expect(readConfig({ EGRESS_ALLOW_HTTP: '0' }).egressAllowHttp).toBe(false)
})

test('SSRF-10 EGRESS_ALLOW is a comma list of host:port and CIDR', () => {
  const config = readConfig({ EGRESS_ALLOW: 'mail.lan:993, 10.1.0.0/16,[fd00::5]:8080,', EGRESS_ALLOW_HTTP: '1' })
  expect(config).toMatchObject({
    egressAllow: ['mail.lan:993', '10.1.0.0/16', '[fd00::5]:8080'],
    egressAllowHttp: true,
  })
})

test.each([
  { EGRESS_ALLOW: 'mail.lan' },
  { EGRESS_ALLOW: 'mail.lan:993,10.0.0.0/0' },
  { EGRESS_ALLOW: '::/0' },
  { EGRESS_ALLOW: '*' },
  { EGRESS_ALLOW_HTTP: 'yes' },
])('SSRF-10 %j stops the start with a sentence that names the variable', (wrong) => {
  expect(() => readConfig(wrong)).toThrow(WrongSetting)
  expect(() => readConfig(wrong)).toThrow(new RegExp(`^${Object.keys(wrong)[0]} must be .*\\.$`))
})
