import { beforeAll, describe, expect, test } from 'vitest'
import { type Books, companionBooks } from '../../../../test/companion/books.ts'
import { conversation, plainText } from '../../../../test/companion/talk.ts'
import type { AnswerSchema } from './answer-schema.ts'
import { builtInAnswer } from './built-in-answer.ts'

let books: Books
beforeAll(async () => {
  books = await companionBooks()
})

const text = { type: 'string' } as const
const number = { type: 'number' } as const
const integer = { type: 'integer' } as const
const boolean = { type: 'boolean' } as const
const day = { type: 'string', format: 'date' } as const
const list = (items: AnswerSchema): AnswerSchema => ({ type: 'array', items })
const object = (properties: object, required = Object.keys(properties)): AnswerSchema => ({
  type: 'object',
  properties: properties as Record<string, AnswerSchema>,
  required,
})

/** What the built-in assistant answers on 1 November 2026, and what it says. */
async function ask(question: string, schema: AnswerSchema) {
  let answer: unknown
  const { say } = conversation(async function* (turn) {
    answer = yield* builtInAnswer(turn, schema)
  }, books.amy)
  const { text: said } = await say(question)
  return { answer, said: plainText(said) }
}

const overdue = 'Which invoices are overdue?'
const owing = 'Who owes me money?'

describe('filled in', () => {
  const cases: [question: string, AnswerSchema, answer: unknown][] = [
    ['How many customers do we have?', integer, 4],
    ['How many customers do we have?', object({ count: integer }), { count: 4 }],
    ['How many customers do we have?', object({ customerCount: integer }), { customerCount: 4 }],
    ['How many customers do we have?', object({ number_of_customers: integer }), { number_of_customers: 4 }],
    ['כמה לקוחות יש לנו?', object({ כמות: integer }), { כמות: 4 }],
    ['List the customers', list(object({ name: text, email: { type: ['string', 'null'] } })), [
      { name: 'Umbrella', email: null }, { name: 'כהן ובניו בע״מ', email: null }, { name: 'Initech', email: null }, { name: 'Globex Pte Ltd', email: 'ap@globex.test' },
    ]],
    ['List the customers', object({ names: list(text) }), { names: ['Umbrella', 'כהן ובניו בע״מ', 'Initech', 'Globex Pte Ltd'] }],
    [overdue, object({ count: integer, any: boolean }), { count: 3, any: true }],
    [overdue, object({ hasOverdueInvoices: boolean }), { hasOverdueInvoices: true }],
    [overdue, object({ customers: list(text) }), { customers: ['Globex Pte Ltd', 'Initech'] }],
    [overdue, boolean, true],
    ['אילו חשבוניות באיחור?', object({ מספרחשבוניות: integer, לקוחות: list(text) }), { מספרחשבוניות: 3, לקוחות: ['Globex Pte Ltd', 'Initech'] }],
    [owing, object({ total: number, currency: text }), { total: 1_773.4, currency: 'SGD' }],
    [owing, object({ balance: number }), { balance: 1_773.4 }],
    [owing, number, 1_773.4],
    [owing, object({ customers: list(object({ name: text, amount: number, currency: text })) }), {
      customers: [{ name: 'Globex Pte Ltd', amount: 1_373.4, currency: 'SGD' }, { name: 'Initech', amount: 400, currency: 'SGD' }],
    }],
    ['מי חייב לי כסף?', object({ סכום: number, מטבע: text }), { סכום: 1_773.4, מטבע: 'SGD' }],
    ['How much does Initech owe?', object({ owed: number, currency: text }), { owed: 400, currency: 'SGD' }],
    ['How much does Initech owe?', boolean, true],
    ['Show the expenses waiting for review', object({ items: list(object({ vendor: text, amount: number, date: day })) }), {
      items: [{ vendor: 'Paper Shop', amount: 40, date: '2026-03-05' }],
    }],
    ['Show the expenses waiting for review', object({ total: number, vendor: text }), { total: 40, vendor: 'Paper Shop' }],
    ['Which invoices of Initech are overdue?', object({ total: number, currency: text, number: text }), { total: 400, currency: 'SGD', number: '2' }],
    ['Which invoices are overdue by more than 200 days?', object({ invoices: list(object({ invoice_number: text, customerName: text, dueDate: day, balance: number, total: number, days_overdue: integer })) }), {
      invoices: [{ invoice_number: '1', customerName: 'Globex Pte Ltd', dueDate: '2026-04-09', balance: 1_090, total: 1_090, days_overdue: 206 }],
    }],
    ['Show all invoices', object({ invoices: list(object({ customer: text, total: number, openBalance: number, status: text })) }), {
      invoices: [
        { customer: 'כהן ובניו בע״מ', total: 327, openBalance: 0, status: 'DRAFT' },
        { customer: 'Globex Pte Ltd', total: 218, openBalance: 218, status: 'SENT' },
        { customer: 'Initech', total: 545, openBalance: 400, status: 'SENT' },
        { customer: 'Globex Pte Ltd', total: 1_090, openBalance: 1_090, status: 'SENT' },
      ],
    }],
    ['Who are my three biggest debtors?', list(object({ customer: text, owed: number })), [{ customer: 'Globex Pte Ltd', owed: 1_373.4 }, { customer: 'Initech', owed: 400 }]],
    ['Who owes us the most?', object({ customer: text, amount: number }), { customer: 'Globex Pte Ltd', amount: 1_373.4 }],
    ['Who owes us the most?', number, 1_373.4],
    ['Which customer owes the most?', text, 'Globex Pte Ltd'],
    ['Show my largest expense', object({ vendor: text, amount: number }), { vendor: 'Shell', amount: 218 }],
    ['Who are our best customers?', list(object({ customer: text, net: number })), [{ customer: 'Globex Pte Ltd', net: 1_260 }, { customer: 'Initech', net: 500 }]],
    ['How many invoices are overdue?', number, 3],
    ['What did we spend on fuel in 2026?', object({ total: number, currency: text }), { total: 272.5, currency: 'SGD' }],
    ['What was our income in March 2026?', object({ total: number, tax: number, gross: number }), { total: 1_000, tax: 90, gross: 1_090 }],
    ['Show invoices over 100000', object({ any: boolean, count: integer, items: list(text) }), { any: false, count: 0, items: [] }],
    ['How much do we owe suppliers?', object({ total: number, suppliers: list(object({ name: text, amount: number })) }), {
      total: 272.5, suppliers: [{ name: 'Shell', amount: 218 }, { name: 'Esso', amount: 54.5 }],
    }],
    ['What is our stock worth?', number, 50],
    ['Which items are low on stock?', object({ items: list(object({ name: text, quantity: number })) }), { items: [{ name: 'Lamp', quantity: 5 }] }],
    ['What was our net profit in 2026?', object({ netProfit: number, income: number, currency: text }), { netProfit: 1_537.5, income: 1_760, currency: 'SGD' }],
    ['Show the payroll of March 2026', object({ net: number, gross: number }), { net: 4_000, gross: 5_000 }],
  ] // biome-ignore format: a case a line
  test.for(cases)('%s %j', async ([question, schema, expected]) => {
    const { answer, said } = await ask(question, schema)
    expect(said).not.toBe('')
    expect(answer).toEqual(expected)
  })
})

describe('refused rather than guessed', () => {
  const cases: [string, question: string, AnswerSchema][] = [
    ['amounts of two currencies', overdue, object({ total: number })],
    ['a name that means nothing here', overdue, object({ temperature: number })],
    ['customers counted in a list of invoices', overdue, object({ customerCount: integer })],
    ['suppliers in a list of customers', owing, object({ suppliers: list(text) })],
    ['the largest of amounts in two currencies', 'Show my largest invoice', object({ customer: text, total: number })],
    ['the sum, where the best are asked for', 'Who are our best customers?', object({ tax: { type: 'number', minimum: 120 } })],
    ['one name for several rows', overdue, object({ customer: text })],
    ['a value that is not in the enum', 'How many customers do we have?', object({ count: { type: 'integer', enum: [1, 2] } })],
    ['a fraction as a whole number', owing, integer],
    ['what was not understood', 'Tell me about the weather on Mars', object({ count: integer })],
    ['a customer who does not exist', 'How much does Zyxwv Unlimited owe?', number],
  ] // biome-ignore format: a case a line
  test.for(cases)('%s', async ([, question, schema]) => {
    const outcome = await ask(question, schema).then(
      ({ answer }) => answer,
      (error) => error.details?.[0]?.code,
    )
    expect(outcome).toBe('NO_ANSWER')
  })
})

test('a row without a required value is not left out: the list is refused', async () => {
  const schema = object({ customers: list(object({ name: text, taxOffice: text })) })
  await expect(ask('List the customers', schema)).rejects.toMatchObject({ details: [{ code: 'NO_ANSWER' }] })
})
