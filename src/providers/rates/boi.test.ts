import { expect, test } from 'vitest'
import { readBoiHistory, readBoiRates } from './boi.ts'

const until = '2026-08-22'
const current = (text: string) => read(readBoiRates(text, { until }))
const history = (text: string) => read(readBoiHistory(text, { until }))
const read = (days: ReturnType<typeof readBoiRates>) =>
  days.map(({ date, rates }) => [date, Object.fromEntries(rates)] as const)

const currency = (key: string, currentExchangeRate: unknown, more = {}) => ({
  key,
  currentExchangeRate,
  currentChange: -0.0334224598930481,
  unit: 1,
  lastUpdate: '2026-08-21T09:23:04.0603079Z',
  ...more,
})

/** As the bank answers GetExchangeRates. */
const response = (...exchangeRates: unknown[]) => JSON.stringify({ exchangeRates })
const now = response(
  currency('USD', 2.991),
  currency('JPY', 1.8873, { unit: 100 }),
  currency('LBP', 0.0003, { unit: 10 }),
)

const head =
  'SERIES_CODE,FREQ,BASE_CURRENCY,COUNTER_CURRENCY,UNIT_MEASURE,DATA_TYPE,DATA_SOURCE,TIME_COLLECT,CONF_STATUS,PUB_WEBSITE,UNIT_MULT,COMMENTS,TIME_PERIOD,OBS_VALUE,RELEASE_STATUS'
const row = (code: string, day: string, value: string, power = '0') =>
  `RER_${code}_ILS,D,${code},ILS,ILS,OF00,BOI_MRKT,V,F,Y,${power},,${day},${value},YP`
/** As the bank writes its series: with a byte order mark and CRLF. */
const file = (...rows: string[]) => `\uFEFF${[head, ...rows].join('\r\n')}\r\n`
const series = file(
  row('USD', '2026-08-20', '2.999'),
  row('USD', '2026-08-21', '2.991'),
  row('JPY', '2026-08-21', '1.8873', '2'),
)

test('the current rates are prices of one unit in shekels, with the day in Israel', () => {
  expect(current(now)).toEqual([['2026-08-21', { USD: '2.991', JPY: '0.018873', LBP: '0.00003' }]])
  const night = response(currency('USD', 3, { lastUpdate: '2026-08-20T22:30:00Z' }))
  expect(current(night)).toEqual([['2026-08-21', { USD: '3' }]])
})

test('the history is prices of one unit by day, without days that have no value', () => {
  expect(history(series)).toEqual([
    ['2026-08-20', { USD: '2.999' }],
    ['2026-08-21', { USD: '2.991', JPY: '0.018873' }],
  ])
  expect(history(file(row('USD', '2026-08-20', '')))).toEqual([])
  expect(history(file())).toEqual([])
})

test.each([
  ['nothing', ''],
  ['a page', '<html>Maintenance</html>'],
  ['no list', '{"error":"busy"}'],
  ['an empty list', response()],
  ['a rate without a currency', response(currency('', 3))],
  ['a rate of zero', response(currency('USD', 0))],
  ['a negative rate', response(currency('USD', -3))],
  ['a rate that is no number', response(currency('USD', null))],
  ['a unit of zero', response(currency('USD', 3, { unit: 0 }))],
  ['no unit', response(currency('USD', 3, { unit: undefined }))],
  ['no day', response(currency('USD', 3, { lastUpdate: undefined }))],
  ['a day that has not come yet', response(currency('USD', 3, { lastUpdate: '2026-08-23T09:00:00Z' }))],
  ['a currency twice', response(currency('USD', 3), currency('USD', 3))],
  ['the shekel', response(currency('ILS', 1))],
  ['half a response', now.slice(0, -20)],
])('FLT-18: %s is refused as a whole', (_, text) => {
  expect(current(now)).toHaveLength(1)
  expect(() => current(text)).toThrow(expect.objectContaining({ status: 400 }))
})

test.each([
  ['a page', '<html>Maintenance</html>'],
  ['other columns', series.replace('OBS_VALUE', 'VALUE')],
  ['a row with fewer columns', `${series}RER_USD_ILS,D,USD`],
  ['the index of a basket', file(row('USD', '2026-08-20', '3').replace('RER_USD_ILS', 'NER_ILS_BSK_IDX'))],
  ['months', file(row('USD', '2026-08-20', '3').replace(',D,', ',M,'))],
  ['an unknown unit', file(row('USD', '2026-08-20', '3', 'x'))],
  ['a rate in letters', file(row('USD', '2026-08-20', 'NaN'))],
  ['a rate of zero', file(row('USD', '2026-08-20', '0'))],
  ['a day that does not exist', file(row('USD', '2026-02-30', '3'))],
  ['a day that has not come yet', file(row('USD', '2026-08-23', '3'))],
  ['a day twice', file(row('USD', '2026-08-20', '3'), row('USD', '2026-08-20', '3'))],
])('FLT-18: a history with %s is refused as a whole', (_, text) => {
  expect(history(series)).toHaveLength(2)
  expect(() => history(text)).toThrow(expect.objectContaining({ status: 400 }))
})
