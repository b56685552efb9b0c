import { expect, test } from 'vitest'
import { readEcbRates } from './ecb.ts'

const until = '2024-10-11'
const read = (text: string) =>
  readEcbRates(text, { until }).map(({ date, rates }) => [date, Object.fromEntries(rates)] as const)

/** As the bank writes the daily file. */
const daily = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube time='2024-10-10'>
			<Cube currency='USD' rate='1.0932'/>
			<Cube currency='JPY' rate='162.85'/>
			<Cube currency='ILS' rate='4.1238'/>
		</Cube>
	</Cube>
</gesmes:Envelope>`

/** As it writes the others: on one line, in double quotes, the newest day first. */
const history = `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender><Cube><Cube time="2024-10-10"><Cube currency="USD" rate="1.0932"/></Cube><Cube time="2009-01-02"><Cube currency="USD" rate="1.3866"/><Cube currency="EEK" rate="15.6466"/></Cube></Cube></gesmes:Envelope>`

test('the file of one day is read', () => {
  expect(read(daily)).toEqual([['2024-10-10', { USD: '1.0932', JPY: '162.85', ILS: '4.1238' }]])
})

test('the file of many days is read, without former currencies', () => {
  expect(read(history)).toEqual([
    ['2024-10-10', { USD: '1.0932' }],
    ['2009-01-02', { USD: '1.3866' }],
  ])
})

const changed = (from: string | RegExp, to: string) => {
  const text = daily.replace(from, to)
  expect(text).not.toBe(daily)
  return text
}

test.each([
  ['nothing', ''],
  ['a page', '<!doctype html><html><body>Maintenance</body></html>'],
  ['JSON', '{"rates":{"USD":1.0932}}'],
  ['a file with something behind it', `${daily}<script/>`],
  ['no day', changed(/<Cube time[\s\S]*?<\/Cube>/, '')],
  ['a day without rates', changed(/<Cube currency.*\n/g, '')],
  ['a day that does not exist', changed('2024-10-10', '2024-02-30')],
  ['a day that has not come yet', changed('2024-10-10', '2024-10-12')],
  ['a day twice', history.replace('2009-01-02', '2024-10-10')],
  ['a currency twice', changed("'JPY'", "'USD'")],
  ['the euro', changed("'JPY'", "'EUR'")],
  ['a rate of zero', changed('1.0932', '0.0000')],
  ['a negative rate', changed('1.0932', '-1.0932')],
  ['a rate in letters', changed('1.0932', 'N/A')],
  ['a rate with an exponent', changed('1.0932', '1e3')],
  ['a rate with a comma', changed('1.0932', '1,0932')],
  ['more digits than a rate has', changed('1.0932', '1.0932000000000')],
  ['an entity', changed('1.0932', '&rate;')],
  ['a declaration', changed('<gesmes:Envelope', '<!DOCTYPE x [<!ENTITY rate "1">]><gesmes:Envelope')],
  ['a comment', changed('<Cube time', '<!-- --><Cube time')],
  ['an unknown element', changed('<Cube time', '<Extra/><Cube time')],
  ['an unknown attribute', changed("rate='1.0932'", "rate='1.0932' multiplier='100'")],
])('FLT-18: %s is refused as a whole', (_, text) => {
  expect([read(daily).length, read(history).length > 1]).toEqual([1, true])
  expect(() => read(text)).toThrow(expect.objectContaining({ status: 400 }))
})

test('FLT-18: a truncated file is refused as a whole, wherever it was cut', () => {
  expect(read(daily)).toHaveLength(1)
  for (let end = 0; end < daily.length; end++) expect(() => read(daily.slice(0, end))).toThrow(/cannot be read/)
})

test('FLT-18: a long file of garbage is refused quickly', () => {
  const opened = daily.slice(0, daily.indexOf('<Cube time'))
  for (const filler of [
    ' '.repeat(2_000_000),
    '<Cube>'.repeat(300_000),
    "<Cube currency='USD' rate='1.0932'".repeat(60_000),
  ]) {
    expect(() => read(opened + filler)).toThrow(/cannot be read/)
  }
})
