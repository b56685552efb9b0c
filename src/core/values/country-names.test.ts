import { expect, test } from 'vitest'
import { countryName, isCountry, toCountryCode } from './country-names.ts'

test.each([
  ['US', 'US'],
  ['us', 'US'],
  [' il ', 'IL'],
  ['USA', 'US'],
  ['U.S.A.', 'US'],
  ['u. s.', 'US'],
  ['United States', 'US'],
  ['The United States of America', 'US'],
  ['ארצות הברית', 'US'],
  ['ארה"ב', 'US'],
  ['ארה״ב', 'US'],
  ['UK', 'GB'],
  ['Great Britain', 'GB'],
  ['united kingdom', 'GB'],
  ['בריטניה', 'GB'],
  ['Israel', 'IL'],
  ['ISRAEL', 'IL'],
  ['ישראל', 'IL'],
  ['יִשְׂרָאֵל', 'IL'],
  ['מדינת ישראל', 'IL'],
  ['Singapore', 'SG'],
  ['סינגפור', 'SG'],
  ['The Netherlands', 'NL'],
  ['Hong Kong', 'HK'],
  ['Türkiye', 'TR'],
  ['Turkey', 'TR'],
  ["Cote d'Ivoire", 'CI'],
  ['Trinidad and Tobago', 'TT'],
  ['Saint Lucia', 'LC'],
  ['St Lucia', 'LC'],
  ['South Korea', 'KR'],
  ['Guinea Bissau', 'GW'],
])('%j is %s', (text, code) => {
  expect(toCountryCode(text)).toBe(code)
})

test.each([
  ['  Narnia ', 'Narnia'],
  ['XX', 'XX'],
  ['zz', 'zz'],
  ['SU', 'SU'],
  ['', ''],
  ['123', '123'],
  ['United', 'United'],
])('%j is unknown and becomes %j', (text, expected) => {
  expect(toCountryCode(text)).toBe(expected)
})

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountry)

test('there are 249 countries and Kosovo, each with a name in English and Hebrew that leads back to its code', () => {
  expect(codes).toHaveLength(250)
  for (const code of codes) {
    for (const language of ['en', 'he']) {
      const name = countryName(code, language)
      expect(name).not.toBe(code)
      expect(toCountryCode(name)).toBe(code)
    }
    expect(toCountryCode(code.toLowerCase())).toBe(code)
  }
})

test('a country is named in the language asked for, and text that is not a code is returned as the name', () => {
  expect(countryName('SG')).toBe('Singapore')
  expect(countryName('IL', 'he')).toBe('ישראל')
  expect(countryName('Narnia')).toBe('Narnia')
  expect(countryName('')).toBe('')
})
