import { describe, expect, test } from 'vitest'
import { readSlots } from './slots.ts'

const read = (text: string, country: 'IL' | 'SG' | 'US' = 'IL') =>
  readSlots(text, { today: '2026-11-17', country, currency: 'ILS' })

/** >5000 USD, ≥300, <2000, ≤500, 350 ILS: how a case is written. */
const signs = { exactly: '', over: '>', under: '<', from: '≥', to: '≤' }
const told = (text: string, country?: 'IL' | 'SG' | 'US') =>
  read(text, country)
    .amounts.map(({ value, currency, comparison }) => `${signs[comparison]}${value}${currency ? ` ${currency}` : ''}`)
    .join(' ')

describe('amounts in digits', () => {
  test.each([
    ['5k', '5000'],
    ['5K', '5000'],
    ['5.5k', '5500'],
    ['1,5k', '1500'],
    ['1.2m', '1200000'],
    ['2bn', '2000000000'],
    ['12,500.00', '12500'],
    ['12.500,75', '12500.75'],
    ['1.5', '1.5'],
    ['1,5', '1.5'],
    ['1,500', '1500'],
    ['1.500', '1.5'],
    ['100,000,000', '100000000'],
    ['₪350', '350 ILS'],
    ['350₪', '350 ILS'],
    ['₪ 1,350.50', '1350.5 ILS'],
    ['350 ש״ח', '350 ILS'],
    ['350 ש"ח', '350 ILS'],
    ["350 ש''ח", '350 ILS'],
    ['350 שח', '350 ILS'],
    ['350 שקל', '350 ILS'],
    ['350 שקלים', '350 ILS'],
    ['350 NIS', '350 ILS'],
    ['350 nis', '350 ILS'],
    ['ILS 350', '350 ILS'],
    ['$1,200', '1200 USD'],
    ['1200$', '1200 USD'],
    ['US$1,200', '1200 USD'],
    ['S$500', '500 SGD'],
    ['SGD 500', '500 SGD'],
    ['1 200 USD', '1200 USD'],
    ['1 200 300.50 USD', '1200300.5 USD'],
    ['€99', '99 EUR'],
    ['200 euros', '200 EUR'],
    ['200 יורו', '200 EUR'],
    ['£20', '20 GBP'],
    ['500 THB', '500 THB'],
    ['5 thousand', '5000'],
    ['5 אלף', '5000'],
    ['8 אלף שקל', '8000 ILS'],
    ['3 מיליון דולר', '3000000 USD'],
    ['-500', '-500'],
    ['-₪500', '-500 ILS'],
    ['₪-500', '-500 ILS'],
    ['minus 500', '-500'],
    ['٥٠٠ ש"ח', '500 ILS'],
    ['۵۰۰', '500'],
    ['５００ USD', '500 USD'],
    ['ב-500', '500'],
    ['ב500 שקל', '500 ILS'],
    ['על סך 3,500 ש״ח', '3500 ILS'],
    ['invoice Acme for 2000', '2000'],
    ['expense 45 taxi', '45'],
    ['paid 45.90 for taxi', '45.9'],
    ['Acme 1000+VAT', '1000'],
    ['0', '0'],
  ])('%s is %s', (text, expected) => expect(told(text)).toBe(expected))

  test.each([
    ['500 dollars', 'SG', '500 SGD'],
    ['$500', 'SG', '500 SGD'],
    ['US$500', 'SG', '500 USD'],
    ['500 us dollars', 'SG', '500 USD'],
    ['500 dollars', 'US', '500 USD'],
    ['500 singapore dollars', 'US', '500 SGD'],
    ['500 דולר', 'IL', '500 USD'],
    ['$500', 'IL', '500 USD'],
  ] as const)('%s in %s is %s', (text, country, expected) => expect(told(text, country)).toBe(expected))
})

describe('amounts in words', () => {
  test.each([
    ['five thousand', '5000'],
    ['a thousand', '1000'],
    ['one hundred', '100'],
    ['two hundred and fifty dollars', '250 USD'],
    ['twenty-five thousand', '25000'],
    ['one million two hundred thousand', '1200000'],
    ['half a million', '500000'],
    ['two and a half million', '2500000'],
    ['fifty shekels', '50 ILS'],
    ['אלף', '1000'],
    ['אלפיים', '2000'],
    ['חמשת אלפים', '5000'],
    ['חמשת אלפים שקל', '5000 ILS'],
    ['מאה חמישים', '150'],
    ['מאה וחמישים ש״ח', '150 ILS'],
    ['מאתיים', '200'],
    ['שלוש מאות', '300'],
    ['אלף חמש מאות', '1500'],
    ['אלף מאתיים וחמישים', '1250'],
    ['שלושים וחמישה אלף', '35000'],
    ['חמש מאות אלף', '500000'],
    ['אלף וחצי', '1500'],
    ['מיליון וחצי', '1500000'],
    ['חצי מיליון', '500000'],
    ['עשרים שקל', '20 ILS'],
    ['חמישה עשר אלף', '15000'],
    ['באלפיים שקל', '2000 ILS'],
    ['אֶלֶף', '1000'],
  ])('%s is %s', (text, expected) => expect(told(text)).toBe(expected))
})

describe('comparisons', () => {
  test.each([
    ['who owes me more than 5k', '>5000'],
    ['over 1000', '>1000'],
    ['above $1000', '>1000 USD'],
    ['> 500', '>500'],
    ['>500', '>500'],
    ['greater than 500', '>500'],
    ['more than fifty', '>50'],
    ['at least 300', '≥300'],
    ['minimum 300', '≥300'],
    ['≥ 500', '≥500'],
    ['>= 500', '≥500'],
    ['not less than 500', '≥500'],
    ['5000 or more', '≥5000'],
    ['5000+', '≥5000'],
    ['5000 and up', '≥5000'],
    ['less than 500', '<500'],
    ['under 500', '<500'],
    ['< 500', '<500'],
    ['below 2k', '<2000'],
    ['smaller than 500', '<500'],
    ['up to 1000', '≤1000'],
    ['at most 1000', '≤1000'],
    ['max 1000', '≤1000'],
    ['<= 1000', '≤1000'],
    ['no more than 1000', '≤1000'],
    ['500 or less', '≤500'],
    ['between 100 and 200', '≥100 ≤200'],
    ['between $100 and $200', '≥100 USD ≤200 USD'],
    ['between 200 and 100', '≥100 ≤200'],
    ['from 100 to 200', '≥100 ≤200'],
    ['100-200 dollars', '≥100 USD ≤200 USD'],
    ['between 1k and 2k', '≥1000 ≤2000'],
    ['יותר מ-5000', '>5000'],
    ['יותר מ5000 ש״ח', '>5000 ILS'],
    ['יותר מאלף ש״ח', '>1000 ILS'],
    ['מעל 5 אלף', '>5000'],
    ['מעל אלפיים', '>2000'],
    ['גבוה מ-500', '>500'],
    ['גדולות מ-500 שקל', '>500 ILS'],
    ['לפחות אלף שקל', '≥1000 ILS'],
    ['5000 ומעלה', '≥5000'],
    ['5000 או יותר', '≥5000'],
    ['פחות מ-500', '<500'],
    ['פחות מאלפיים שקלים', '<2000 ILS'],
    ['מתחת ל-500', '<500'],
    ['לא יותר מ-500', '≤500'],
    ['עד 500 שקל', '≤500 ILS'],
    ['לכל היותר 500', '≤500'],
    ['מקסימום 500', '≤500'],
    ['בין 100 ל-200', '≥100 ≤200'],
    ['בין 100 ל200 שקל', '≥100 ILS ≤200 ILS'],
    ['בין אלף לאלפיים שקל', '≥1000 ILS ≤2000 ILS'],
    ['מ-100 עד 200 ש״ח', '≥100 ILS ≤200 ILS'],
    ['over 2026', '>2026'],
  ])('%s is %s', (text, expected) => expect(told(text)).toBe(expected))
})

describe('numbers that are no amounts', () => {
  test.each([
    '2026',
    'sales in 2025',
    'ב-2025',
    '5 invoices',
    'show me 5 invoices',
    '5 חשבוניות',
    'three customers',
    'invoice 1042',
    'חשבונית 1042',
    '#1042',
    'INV-2026-0007',
    '17%',
    '17 אחוז',
    '3/4/2026',
    '3.4.26',
    '2026-04-03',
    '3 April',
    'last 30 days',
    'in 30 days',
    'older than 60 days',
    'top 5',
    'Q3',
    '054-1234567',
    '+972 54 123 4567',
    'room42@acme.com',
    '99999999999999999999',
    '1e400',
    'b2b',
    '',
    '🙂🎉',
    'one',
    'the "500 Club"',
    'net 30',
  ])('%s', (text) => expect(told(text)).toBe(''))

  test('a number of things is told apart', () => {
    expect(read('12 hours at 350').quantities).toMatchObject([{ value: 12, of: 'hours' }])
    expect(told('12 hours at 350')).toBe('350')
    expect(read('3 כיסאות ב-200 שקל').quantities).toMatchObject([{ value: 3, of: 'כיסאות' }])
  })

  test('the place of an amount is in the text as it was written', () => {
    const text = 'שִׁלַּמְתִּי ‏1,200 ש״ח אתמול'
    const [amount] = read(text).amounts
    expect(text.slice(amount?.start, amount?.end)).toBe('1,200 ש״ח')
  })
})
