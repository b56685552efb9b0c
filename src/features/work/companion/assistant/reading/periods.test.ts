import { describe, expect, test } from 'vitest'
import { readSlots } from './slots.ts'

/** 17 November 2026 is a Tuesday. */
const read = (text: string, country: 'IL' | 'SG' | 'US' = 'IL', today = '2026-11-17') =>
  readSlots(text, { today, country, currency: 'ILS' })

const told = (text: string, country?: 'IL' | 'SG' | 'US', today?: string) =>
  read(text, country, today)
    .periods.map(({ kind, from, to }) => `${kind} ${from ?? ''}..${to === from ? '' : (to ?? '')}`)
    .join(', ')

const year = 'year 2026-01-01..2026-12-31'
const lastYear = 'year 2025-01-01..2025-12-31'
const thirdQuarter = 'quarter 2026-07-01..2026-09-30'
const march = 'month 2026-03-01..2026-03-31'
const lastMonth = 'month 2026-10-01..2026-10-31'
const thisMonth = 'month 2026-11-01..2026-11-30'

describe('periods', () => {
  test.each([
    ['today', 'day 2026-11-17..'],
    ["today's sales", 'day 2026-11-17..'],
    ['yesterday', 'day 2026-11-16..'],
    ['yesteday', 'day 2026-11-16..'],
    ['tommorow', 'day 2026-11-18..'],
    ['day before yesterday', 'day 2026-11-15..'],
    ['היום', 'day 2026-11-17..'],
    ['אתמול', 'day 2026-11-16..'],
    ['מאתמול', 'day 2026-11-16..'],
    ['שלשום', 'day 2026-11-15..'],
    ['מחר', 'day 2026-11-18..'],
    ['this week', 'week 2026-11-15..2026-11-21'],
    ['last week', 'week 2026-11-08..2026-11-14'],
    ['next week', 'week 2026-11-22..2026-11-28'],
    ['השבוע', 'week 2026-11-15..2026-11-21'],
    ['בשבוע שעבר', 'week 2026-11-08..2026-11-14'],
    ['שבוע הבא', 'week 2026-11-22..2026-11-28'],
    ['this month', thisMonth],
    ['last month', lastMonth],
    ["last month's expenses", lastMonth],
    ['next month', 'month 2026-12-01..2026-12-31'],
    ['החודש', thisMonth],
    ['בחודש הזה', thisMonth],
    ['חודש שעבר', lastMonth],
    ['בחודש שעבר', lastMonth],
    ['החודש הבא', 'month 2026-12-01..2026-12-31'],
    ['last quarter', thirdQuarter],
    ['last qurter', thirdQuarter],
    ['הרבעון האחרון', thirdQuarter],
    ['ברבעון האחרון', thirdQuarter],
    ['this quarter', 'quarter 2026-10-01..2026-12-31'],
    ['הרבעון', 'quarter 2026-10-01..2026-12-31'],
    ['Q3', thirdQuarter],
    ['q3', thirdQuarter],
    ['third quarter', thirdQuarter],
    ['3rd quarter', thirdQuarter],
    ['רבעון שלישי', thirdQuarter],
    ['ברבעון השלישי', thirdQuarter],
    ['רבעון 3', thirdQuarter],
    ["רבעון ג'", thirdQuarter],
    ['Q3 2025', 'quarter 2025-07-01..2025-09-30'],
    ['third quarter of last year', 'quarter 2025-07-01..2025-09-30'],
    ['הרבעון השלישי של 2025', 'quarter 2025-07-01..2025-09-30'],
    ['Q4', 'quarter 2026-10-01..2026-12-31'],
    ['H1', 'half 2026-01-01..2026-06-30'],
    ['first half of 2025', 'half 2025-01-01..2025-06-30'],
    ['המחצית הראשונה', 'half 2026-01-01..2026-06-30'],
    ['מחצית שנייה 2025', 'half 2025-07-01..2025-12-31'],
    ['this year', year],
    ['השנה', year],
    ['last year', lastYear],
    ['שנה שעברה', lastYear],
    ['אשתקד', lastYear],
    ['2025', lastYear],
    ['in 2025', lastYear],
    ['ב-2025', lastYear],
    ['לשנת 2025', lastYear],
    ['FY2025', lastYear],
    ['ytd', 'range 2026-01-01..2026-11-17'],
    ['year to date', 'range 2026-01-01..2026-11-17'],
    ['מתחילת השנה', 'range 2026-01-01..2026-11-17'],
    ['מתחילת החודש', 'range 2026-11-01..2026-11-17'],
    ['and last year?', lastYear],
  ])('%s is %s', (text, expected) => expect(told(text)).toBe(expected))
})

describe('months and days', () => {
  test.each([
    ['in March', march],
    ['march', march],
    ['במרץ', march],
    ['ובמרץ?', march],
    ['של חודש מרץ', march],
    ['in march הוצאות', march],
    ['March 2025', 'month 2025-03-01..2025-03-31'],
    ["March '25", 'month 2025-03-01..2025-03-31'],
    ['march last year', 'month 2025-03-01..2025-03-31'],
    ['מרץ 2025', 'month 2025-03-01..2025-03-31'],
    ['מרץ שנה שעברה', 'month 2025-03-01..2025-03-31'],
    ['last March', march],
    ['last November', 'month 2025-11-01..2025-11-30'],
    ['in December', 'month 2025-12-01..2025-12-31'],
    ['next December', 'month 2026-12-01..2026-12-31'],
    ['due in December', 'month 2026-12-01..2026-12-31'],
    ['בדצמבר', 'month 2025-12-01..2025-12-31'],
    ['febuary', 'month 2026-02-01..2026-02-28'],
    ['Feburary', 'month 2026-02-01..2026-02-28'],
    ['ספטבר', 'month 2026-09-01..2026-09-30'],
    ['in may', 'month 2026-05-01..2026-05-31'],
    ['במאי', 'month 2026-05-01..2026-05-31'],
    ['03/2026', march],
    ['2026-03', march],
    ['3/4/2026', 'day 2026-04-03..'],
    ['3.4.26', 'day 2026-04-03..'],
    ['3-4-2026', 'day 2026-04-03..'],
    ['2026-04-03', 'day 2026-04-03..'],
    ['13/12', 'day 2025-12-13..'],
    ['3 April', 'day 2026-04-03..'],
    ['3 apr 2025', 'day 2025-04-03..'],
    ['April 3rd', 'day 2026-04-03..'],
    ['April 3, 2025', 'day 2025-04-03..'],
    ['3rd of April', 'day 2026-04-03..'],
    ['3 באפריל', 'day 2026-04-03..'],
    ['ב-3 באפריל 2025', 'day 2025-04-03..'],
    ['on 3.11', 'day 2026-11-03..'],
    ['ב-3.11', 'day 2026-11-03..'],
    ['due December 15', 'day 2026-12-15..'],
    ['29 February', 'day 2024-02-29..'],
    ['on Sunday', 'day 2026-11-15..'],
    ['ביום ראשון', 'day 2026-11-15..'],
    ['last Friday', 'day 2026-11-13..'],
    ['last Tuesday', 'day 2026-11-10..'],
    ['next Monday', 'day 2026-11-23..'],
    ['יום שני הבא', 'day 2026-11-23..'],
    ['3 days ago', 'day 2026-11-14..'],
    ['לפני שלושה ימים', 'day 2026-11-14..'],
    ['לפני שבועיים', 'week 2026-11-01..2026-11-07'],
    ['end of March', 'day 2026-03-31..'],
    ['end of next month', 'day 2026-12-31..'],
  ])('%s is %s', (text, expected) => expect(told(text)).toBe(expected))
})

describe('ranges and open periods', () => {
  test.each([
    ['last 30 days', 'range 2026-10-18..2026-11-17'],
    ['in the past two weeks', 'range 2026-11-03..2026-11-17'],
    ['last six months', 'range 2026-05-17..2026-11-17'],
    ['next 3 months', 'range 2026-11-17..2027-02-17'],
    ['past month', 'range 2026-10-17..2026-11-17'],
    ['בשבועיים האחרונים', 'range 2026-11-03..2026-11-17'],
    ['ב-30 הימים האחרונים', 'range 2026-10-18..2026-11-17'],
    ['בשלושת החודשים האחרונים', 'range 2026-08-17..2026-11-17'],
    ['בחודשיים הקרובים', 'range 2026-11-17..2027-01-17'],
    ['from Jan to March', 'range 2026-01-01..2026-03-31'],
    ['Jan-Mar 2025', 'range 2025-01-01..2025-03-31'],
    ['from November to January', 'range 2026-11-01..2027-01-31'],
    ['from October 2025 to January', 'range 2025-10-01..2026-01-31'],
    ['ינואר עד מרץ', 'range 2026-01-01..2026-03-31'],
    ['מינואר עד מרץ', 'range 2026-01-01..2026-03-31'],
    ['ינואר-מרץ', 'range 2026-01-01..2026-03-31'],
    ['between March and May', 'range 2026-03-01..2026-05-31'],
    ['between 1.3 and 15.3', 'range 2026-03-01..2026-03-15'],
    ['בין 1.3 ל-15.3', 'range 2026-03-01..2026-03-15'],
    ['מ-1.3 עד 15.3', 'range 2026-03-01..2026-03-15'],
    ['1.3-15.3', 'range 2026-03-01..2026-03-15'],
    ['בין מרץ למאי', 'range 2026-03-01..2026-05-31'],
    ['from 2026-03-01 to 2026-04-15', 'range 2026-03-01..2026-04-15'],
    ['2024-2025', 'range 2024-01-01..2025-12-31'],
    ['between 2024 and 2025', 'range 2024-01-01..2025-12-31'],
    ['since summer', 'since 2026-06-01..'],
    ['since the summer', 'since 2026-06-01..'],
    ['מאז הקיץ', 'since 2026-06-01..'],
    ['since winter', 'since 2025-12-01..'],
    ['last summer', 'season 2026-06-01..2026-08-31'],
    ['בקיץ שעבר', 'season 2026-06-01..2026-08-31'],
    ['since March', 'since 2026-03-01..'],
    ['מאז מרץ', 'since 2026-03-01..'],
    ['since yesterday', 'since 2026-11-16..'],
    ['since the beginning of 2025', 'since 2025-01-01..'],
    ['from March onwards', 'since 2026-03-01..'],
    ['after March', 'since 2026-04-01..'],
    ['before 2025', 'until ..2024-12-31'],
    ['לפני מרץ', 'until ..2026-02-28'],
    ['by Friday', 'until ..2026-11-20'],
    ['until Friday', 'until ..2026-11-20'],
    ['עד יום חמישי', 'until ..2026-11-19'],
    ['by December 15', 'until ..2026-12-15'],
    ['עד 15.12', 'until ..2026-12-15'],
    ['עד סוף החודש', 'until ..2026-11-30'],
    ['by the end of the month', 'until ..2026-11-30'],
    ['until the end of the year', 'until ..2026-12-31'],
    ['compare Q1 and Q2', 'quarter 2026-01-01..2026-03-31, quarter 2026-04-01..2026-06-30'],
    ['this month vs last month', `${thisMonth}, ${lastMonth}`],
  ])('%s is %s', (text, expected) => expect(told(text)).toBe(expected))
})

test.each([
  ['3/4/2026', 'US', 'day 2026-03-04..'],
  ['3/4/2026', 'SG', 'day 2026-04-03..'],
  ['12/25', 'US', 'day 2025-12-25..'],
  ['25/12/2025', 'US', 'day 2025-12-25..'],
  ['this week', 'SG', 'week 2026-11-16..2026-11-22'],
  ['this week', 'US', 'week 2026-11-15..2026-11-21'],
] as const)('%s in %s is %s', (text, country, expected) => expect(told(text, country)).toBe(expected))

test.each([
  ['last quarter', '2026-01-01', 'quarter 2025-10-01..2025-12-31'],
  ['last month', '2026-01-31', 'month 2025-12-01..2025-12-31'],
  ['in January', '2026-01-01', 'month 2026-01-01..2026-01-31'],
  ['since winter', '2026-01-15', 'since 2025-12-01..'],
  ['last 1 month', '2026-03-31', 'range 2026-02-28..2026-03-31'],
  ['Jan to March', '2026-02-10', 'range 2026-01-01..2026-03-31'],
])('%s on %s is %s', (text, today, expected) => expect(told(text, 'IL', today)).toBe(expected))

describe('what is no period', () => {
  test.each([
    '',
    'may I see them',
    'Jane owes 500',
    'invoice Marc 300',
    'Augusta',
    'INV-2026-0007',
    '31/2/2026',
    '99/99/2026',
    'over 2026',
    '2026 ש״ח',
    '$2025',
    '#2025',
    'עיריית תל אביב',
    'fall due',
    'by category',
    'sales by month',
    '1.5',
    '054-1234567',
    'version 3/4/5/6',
  ])(
    // biome-ignore format: a list of words
    '%s',
    (text) => expect(told(text)).toBe(''),
  )

  test.each([
    ['מה ההוצאות מאז רמדאן', 'רמדאן'],
    ['sales since Deepavali', 'Deepavali'],
  ])('%s: %s is told and not guessed', (text, unclear) => {
    expect(read(text).unclear.map((each) => each.text)).toEqual([unclear])
    expect(told(text)).toBe('')
  })
})

test('a month without a year is also given ahead of today, for dates of payment', () => {
  expect(read('in December').periods).toMatchObject([
    { month: '2025-12', tense: 'past', next: { from: '2026-12-01', to: '2026-12-31', month: '2026-12' } },
  ])
  expect(read('on Friday').periods).toMatchObject([{ from: '2026-11-13', next: { from: '2026-11-20' } }])
})

describe('durations', () => {
  test.each([
    ['in 30 days', 30, 'in'],
    ['within 2 weeks', 14, 'within'],
    ['תוך שבועיים', 14, 'within'],
    ['תוך 45 יום', 45, 'within'],
    ['בעוד חודש', 30, 'in'],
    ['בעוד שלושה ימים', 3, 'in'],
    ['older than 60 days', 60, 'over'],
    ['more than 30 days overdue', 30, 'over'],
    ['over 90 days', 90, 'over'],
    ['מעל 60 יום', 60, 'over'],
    ['יותר מ-30 יום', 30, 'over'],
    ['less than 10 days', 10, 'under'],
    ['every month', 30, 'every'],
    ['כל שבוע', 7, 'every'],
    ['net 30', 30, 'plain'],
    ['שוטף + 60', 60, 'plain'],
  ])('%s is %d days, %s', (text, days, meaning) => {
    expect(read(text).durations).toMatchObject([{ days, meaning }])
    expect(read(text).amounts).toEqual([])
  })
})

describe('feasts, by the calendar that they are of', () => {
  test.each([
    ['מאז פסח', '2026-04-02', undefined],
    ['since Passover', '2026-04-02', undefined],
    ['לפני ראש השנה', undefined, '2026-09-11'],
    ['אחרי החגים', '2026-10-04', undefined],
    ['בסוכות', '2026-09-26', '2026-10-02'],
    ['since last Christmas', '2025-12-25', undefined],
    ['before Thanksgiving', undefined, '2025-11-26'],
    ['since Easter 2025', '2025-04-20', undefined],
    ['since Chinese New Year', '2026-02-17', undefined],
    ['מאז פורים 2024', '2024-03-24', undefined],
  ])('%s', (text, from, to) => {
    const [period] = read(text).periods
    expect([period?.from, period?.to]).toEqual([from, to])
  })

  test('weeks are no feast', () => expect(read('לפני שבועות אחדים').periods).toMatchObject([{ kind: 'week' }]))
})
