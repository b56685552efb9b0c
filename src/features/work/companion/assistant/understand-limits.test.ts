import { expect, test } from 'vitest'
import { understand } from './understand.ts'
import type { Surroundings } from './understood.ts'

const around: Surroundings = { today: '2026-11-17', country: 'IL', currency: 'ILS', before: [], shown: [] }

const pieces = [
  'invoice', 'חשבונית', 'send', 'תשלח', 'the', 'Globex', 'דנה', '1,000', '₪', '$', '(', '[', '{{', '}}', '"', "'", '״', '\\', '\n', '\u202e', '\u0000', '😀', '%', '#1042', '1/2/3', 'a@b.c',
  'every', 'when', 'overdue', 'באיחור', '9'.repeat(40), 'א'.repeat(60), '-', '__proto__', 'constructor', '<script>', "'; drop table", '.*+?^', 'last', 'year',
] // biome-ignore format: a list of words

/** The same numbers in every run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state
  }
}

test('no text makes it throw, and 10,000 characters take no longer than a moment', () => {
  const random = numbers(7)
  const next = () => random.next().value as number
  for (let round = 0; round < 60; round++) {
    const length = round % 5 === 0 ? 10_000 : 300
    let text = ''
    while (text.length < length) text += `${pieces[next() % pieces.length]}${next() % 4 === 0 ? '' : ' '}`
    const understood = understand(text, around)
    expect(understood).toHaveProperty('intent')
    expect(understand(text, { ...around, before: 'tool' in understood ? [understood] : [] })).toHaveProperty('intent')
  }
})

test.each([
  '',
  ' ',
  '?',
  '\n',
  '\u200f',
  'א',
  '0',
  '.'.repeat(10_000),
  'חשבונית '.repeat(1_250),
  'send it '.repeat(1_250),
  '9'.repeat(10_000),
])('a text without sense is answered: %#', (text) => expect(understand(text, around)).toHaveProperty('intent'))

test('a sentence is understood in less than 5 ms', () => {
  const sentences = [
    'who owes me more than 5k since summer',
    'מה ההוצאות על דלק ברבעון האחרון',
    'invoice Globex 3 hours of consulting at 400 plus vat',
    'תשלח לדנה את החשבונית האחרונה',
    'when an invoice is overdue by 7 days send a reminder',
  ]
  for (const sentence of sentences) understand(sentence, around)
  const from = process.cpuUsage()
  for (let round = 0; round < 40; round++) for (const sentence of sentences) understand(sentence, around)
  const { user, system } = process.cpuUsage(from)
  expect((user + system) / 1_000 / 200).toBeLessThan(5)
})

test.each([
  "don't send it",
  'do not delete invoice 1042',
  'never pay that',
  'אל תשלח את החשבונית',
  'לא למחוק',
  'please do not approve the expense',
  'אל תאשר את ההוצאה',
])('%s has no effect', (text) =>
  expect(
    understand(text, {
      ...around,
      shown: [
        { kind: 'document', id: 'a', name: 'A' },
        { kind: 'expense', id: 'b', name: 'B' },
      ],
    }),
  ).not.toHaveProperty('tool'),
)

test('a question about an effect has none', () => {
  for (const text of [
    'did you send invoice 1042?',
    'was the expense of Wolt approved?',
    'when was invoice 1042 paid',
    'who deleted the invoice',
    'האם שלחת את חשבונית 1042',
  ])
    expect([text, understand(text, around)]).not.toEqual([
      text,
      expect.objectContaining({ tool: expect.stringMatching(/send|status|mark_paid|delete|update|create/) }),
    ])
})
