import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NameKind } from './names.ts'
import { readSlots } from './slots.ts'

const around = { today: '2026-11-17', country: 'IL', currency: 'ILS' } as const
const read = (text: string) => readSlots(text, around)

describe('names', () => {
  test.each([
    ['customer', 'invoice Acme Ltd for 1,200 USD', 'Acme Ltd'],
    ['customer', 'invoice acme for 1200', 'acme'],
    ['customer', 'overdue invoices of Blue Water Supplies Ltd.', 'Blue Water Supplies Ltd'],
    ['customer', "show Acme's invoices", 'Acme'],
    ['customer', 'show Acme’s invoices', 'Acme'],
    ['customer', "what's the balance of Acme Pte Ltd?", 'Acme Pte Ltd'],
    ['customer', 'how much did "Blue Sky" pay', 'Blue Sky'],
    ['customer', 'bill Johnson & Sons 12 hours at 350', 'Johnson & Sons'],
    ['customer', 'create an invoice for Tel Aviv Municipality, 15000 ILS', 'Tel Aviv Municipality'],
    ['customer', 'send a reminder to Bank of Asia', 'Bank of Asia'],
    ['customer', 'quote for Dana Levi: website design 8k', 'Dana Levi'],
    ['customer', 'draft an invoice for Dana: 3 hours of consulting at 400', 'Dana'],
    ['customer', 'create customer Acme with email info@acme.com', 'Acme'],
    ['customer', 'invoice Marc 300', 'Marc'],
    ['customer', "how much does O'Brien owe", "O'Brien"],
    ['customer', 'invoice Coca-Cola 500', 'Coca-Cola'],
    ['customer', 'כמה חייב לי דוד כהן', 'דוד כהן'],
    ['customer', 'תוציא חשבונית לאקמה בע״מ על סך 3,500 ש״ח', 'אקמה בע״מ'],
    ['customer', 'שלח תזכורת לשלמה', 'שלמה'],
    ['customer', 'הוסף לקוח לוי ובניו בע"מ', 'לוי ובניו בע"מ'],
    ['customer', 'כמה שילם ״אור ירוק״', 'אור ירוק'],
    ['customer', 'מה היתרה של אקמה בע"מ?', 'אקמה בע"מ'],
    ['customer', 'תפיק חשבונית לעיריית תל אביב על סך 15,000 שקל', 'עיריית תל אביב'],
    ['customer', 'תרשום תשלום של 2,500 ש"ח מגלובקס עבור חשבונית 1007', 'גלובקס'],
    ['customer', 'תוסיף לקוח חדש בשם גל טכנולוגיות', 'גל טכנולוגיות'],
    ['customer', 'תוציא חשבונית ל-Acme על 500 שקל', 'Acme'],
    ['supplier', 'what did we buy from Office Depot in March', 'Office Depot'],
    ['supplier', 'כמה קנינו מספק אור חשמל השנה', 'אור חשמל'],
    ['supplier', 'כמה אני חייב לספק בזק', 'בזק'],
    ['employee', 'net salary of Yael Cohen in July', 'Yael Cohen'],
    ['employee', 'שכר של יעל כהן ביולי', 'יעל כהן'],
    ['category', 'what did we spend on fuel in Q3 2025', 'fuel'],
    ['category', 'מה ההוצאות על דלק ברבעון האחרון', 'דלק'],
    ['category', 'add expense 120 office supplies', 'office supplies'],
    ['category', 'שילמתי 45.90 על מונית אתמול', 'מונית'],
    ['item', 'draft an invoice for Dana: 3 hours of consulting at 400', 'consulting'],
  ] satisfies [NameKind, string, string][])('%s of "%s" is %s', (kind, text, name) =>
    expect(read(text).names(kind)[0]).toBe(name),
  )

  test.each([
    'who owes me more than 5k since summer',
    'top 5 customers this year',
    'show me overdue invoices',
    'how much did we make in october',
    'invoices due next week',
    'מי חייב לי הכי הרבה',
    'כמה הרווחנו באוקטובר',
    'חמשת הלקוחות הגדולים השנה',
    'מי לא שילם מאז אוגוסט',
    'mark invoice #88 as paid',
    '',
    '🙂',
  ])('"%s" names nobody', (text) => expect(read(text).names('customer')).toEqual([]))
})

describe('references', () => {
  test.each([
    ['#1042', '1042'],
    ['invoice 1042', '1042'],
    ['invoice no. 17', '17'],
    ['invoice number 2025', '2025'],
    ['send INV-2026-0007 again', 'INV-2026-0007'],
    ['order #55', '55'],
    ['חשבונית 1042', '1042'],
    ["חשבונית מס' 1042", '1042'],
    ['חשבונית מספר 1042', '1042'],
    ['לחשבונית 1042', '1042'],
    ['קבלה 77', '77'],
    ['record 500 for invoice 1042', '1042'],
  ])('%s is document %s', (text, number) => expect(read(text).numbers.map((each) => each.text)).toEqual([number]))

  test.each([
    'invoice 2025',
    'invoices 2025',
    'invoice 500 ILS',
    'invoice 3/4/2026',
    'invoice 5 thousand',
    '5 invoices',
    'USD500',
  ])('%s is no document', (text) => expect(read(text).numbers).toEqual([]))

  test('addresses and telephones', () => {
    const { emails, phones, amounts } = read('add Dana, Dana.Levi+x@acme.co.il, 054-123 4567.')
    expect(emails.map(({ text }) => text)).toEqual(['dana.levi+x@acme.co.il'])
    expect(phones.map(({ text }) => text)).toEqual(['054-123 4567'])
    expect(amounts).toEqual([])
    expect(read('@ a@ @b a@b').emails).toEqual([])
    expect(read('call +65 6123 4567').phones.map(({ text }) => text)).toEqual(['+65 6123 4567'])
  })

  test('quotes of all kinds', () => {
    expect(read('"a b" and “c” ו״אור ירוק״ בע״מ').quoted.map(({ text }) => text)).toEqual(['a b', 'c', 'אור ירוק'])
    expect(read('a " alone').quoted).toEqual([])
  })
})

test.each([
  ['top 5 customers', 5, 'largest'],
  ['the last three invoices', 3, 'newest'],
  ['latest 10 expenses', 10, 'newest'],
  ['5 biggest customers', 5, 'largest'],
  ['חמשת הגדולים', 5, 'largest'],
  ['חמשת הלקוחות הגדולים', 5, 'largest'],
  ['3 החשבוניות האחרונות', 3, 'newest'],
  ['first 10 invoices', 10, undefined],
  ['the oldest invoice', undefined, 'oldest'],
  ['who owes me the most', undefined, 'largest'],
  ['מי חייב לי הכי הרבה', undefined, 'largest'],
  ['ההוצאה הגדולה ביותר', undefined, 'largest'],
  ['cheapest item', undefined, 'smallest'],
  ['last month', undefined, undefined],
  ['at least 500', undefined, undefined],
  ['last 30 days', undefined, undefined],
  ['הרבעון האחרון', undefined, undefined],
] as const)('%s: the first %s, %s', (text, first, order) => {
  const slots = read(text)
  expect([slots.counts.first, slots.order]).toEqual([first, order])
})

test.each([
  ['17%', [17], undefined],
  ['plus 18% VAT', [18], 'added'],
  ['18 אחוז מע״מ', [18], undefined],
  ['עשרים אחוז הנחה', [20], undefined],
  ['7.5 percent', [7.5], undefined],
  ['with VAT', [], 'included'],
  ['including gst', [], 'included'],
  ['VAT included', [], 'included'],
  ['כולל מע״מ', [], 'included'],
  ['plus vat', [], 'added'],
  ['1000 + VAT', [], 'added'],
  ['בתוספת מע"מ', [], 'added'],
  ['לפני מע"מ', [], 'added'],
  ['without VAT', [], 'none'],
  ['ללא מע״מ', [], 'none'],
  ['VAT report', [], undefined],
] as const)('%s: %j and tax %s', (text, percents, tax) => {
  const { rates } = read(text)
  expect([rates.percents.map(({ value }) => value), rates.tax]).toEqual([percents, tax])
})

test.each([
  ['who owes me', 'en', true, false],
  ['and last year?', 'en', true, false],
  ['send it', 'en', false, false],
  ["who hasn't paid", 'en', true, true],
  ['do not send it', 'en', true, true],
  ['invoice no. 17 without VAT', 'en', false, false],
  ['מי לא שילם', 'he', true, true],
  ['וכמה במרץ', 'he', true, false],
  ['תשלח ל-Acme חשבונית', 'he', false, false],
  ['invoice אור', 'en', false, false],
  ['', 'en', false, false],
  ['1042', 'en', false, false],
] as const)('%s: %s, question %s, negated %s', (text, language, isQuestion, isNegated) => {
  expect(read(text)).toMatchObject({ language, isQuestion, isNegated })
})

describe('words', () => {
  test('Hebrew words are given without the letters before them', () => {
    const [word] = read('וּלְהַחֲשַׁבּוֹנִיּוֹת').words
    expect(word?.text).toBe('ולהחשבוניות')
    expect(word?.forms).toContain('חשבוניות')
    expect(word?.stems).toContain('חשבונ')
  })

  test('English words are given without their endings', () => {
    const [, word] = read('Reminding customers').words
    expect(word).toMatchObject({ text: 'customers', start: 10, end: 19 })
    expect(word?.stems).toContain('custom')
  })
})

describe('any text', () => {
  const pieces = fc.constantFrom(
    'between ', 'בין ', 'from ', 'to ', 'since ', 'last ', 'next ', '3', '1.3', '/', '-', '.', ',', '"', "'", '״', '@', '#', '+', '%', '₪', '$', 'k', 'march ', 'מרץ ', 'end of ', 'סוף ', 'the ',
    'אלף ', 'מאה ', 'וחצי ', 'half ', 'a ', 'million ', '2026', ' ', 'days ', 'ימים ', 'ago ', 'לפני ', 'Acme ', 'ל', 'ב-', 'invoice ', 'Q', 'year ', '0'.repeat(40), '🙂', '\u202e', 'ﷺ', 'ב״',
  ) // biome-ignore format: a list of words
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 60 }).map((all) => all.join('')),
  )

  test('never throws, and every place is inside the text', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom('IL', 'SG', 'US'), (text, country) => {
        const slots = readSlots(text, { ...around, country })
        const found = [...slots.words, ...slots.amounts, ...slots.periods, ...slots.durations, ...slots.numbers, ...slots.emails, ...slots.phones, ...slots.quoted, ...slots.quantities] // biome-ignore format: a list
        for (const { start, end } of found) {
          expect(start).toBeGreaterThanOrEqual(0)
          expect(end).toBeGreaterThanOrEqual(start)
          expect(end).toBeLessThanOrEqual(text.length)
        }
        for (const { from = '', to = '9' } of slots.periods) expect(from <= to).toBe(true)
        for (const { value } of slots.amounts) expect(Number.isFinite(value)).toBe(true)
        slots.names('customer')
      }),
      { numRuns: 500 },
    )
  })

  test('the same text is always read the same', () => {
    const written = (text: string) => JSON.stringify(read(text))
    fc.assert(
      fc.property(hostile, (text) => {
        const first = written(text)
        expect(written(text)).toBe(first)
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    'end of ', 'the ', 'between ', 'בין ', '"', "'", '@', 'a@', 'a.', '-', '1-', '1/', '1.', '1,', '1 ', '123 ', 'hundred and ', 'אלף ו', 'last ', 'מאה ', 'half a ', 'בב', 'march ', '0', 'a', 'א', '+1 ', '(', '#', 'invoice no. ', 'A & ', '\u05b0', '🙂', 'since ',
  ])('10,000 characters of "%s" take no longer than they should', (piece) => {
    const text = piece.repeat(Math.ceil(10_000 / piece.length))
    const before = performance.now()
    read(text).names('customer')
    expect(performance.now() - before).toBeLessThan(1_000)
  }) // biome-ignore format: a list of words
})
