// biome-ignore-all lint/suspicious/noThenProperty: a field of what was understood
import { beforeAll, describe, expect, test } from 'vitest'
import { type Books, companionBooks } from '../../../../test/companion/books.ts'
import { conversation, plainText } from '../../../../test/companion/talk.ts'
import { assistantWith, type Understand } from './answer.ts'
import type { NotUnderstood, Understood } from './understood.ts'

let books: Books
beforeAll(async () => {
  books = await companionBooks()
})

type Read = Omit<Understood, 'language'> | Omit<NotUnderstood, 'language'>

/** Reads the sentences of a test as it says, in the language of their letters. */
const reading =
  (reads: Record<string, Read>): Understand =>
  (text) => {
    const language = /[א-ת]/.test(text) ? 'he' : 'en'
    return { ...(reads[text] ?? { intent: 'unknown' as const }), language } as Understood | NotUnderstood
  }

const ask = async (read: Read, language: 'en' | 'he' = 'en', more = {}) => {
  const text = language === 'en' ? 'question' : 'שאלה'
  const { say } = conversation(assistantWith(reading({ [text]: read })), books.amy, more)
  return say(text)
}

const overdue = {
  intent: 'overdue-documents',
  tool: 'invoices_list',
  input: { status: 'SENT', sortBy: 'dueDate', sortOrder: 'asc' },
  also: [{ status: 'UNSENT' }],
  then: { overdue: true as const },
}

describe('figures', () => {
  const cases: [string, Read, en: string[], he: string[]][] = [
    [
      'overdue invoices',
      overdue,
      [
        '3 invoices overdue:',
        'Globex Pte Ltd: SGD 1,090.00, overdue since 9 April 2026',
        'Initech: SGD 400.00, open of SGD 545.00',
        'In total SGD 1,490.00 and US$218.00; different currencies are not added up.',
      ],
      ['3 חשבוניות באיחור:', '1,090.00 SGD'],
    ],
    [
      'overdue for a long time',
      { ...overdue, then: { overdue: true, overdueDays: 200 } },
      ['1 invoice overdue:', 'Globex'],
      ['חשבונית אחת באיחור:'],
    ],
    [
      'open over 1000',
      { ...overdue, intent: 'open-documents', then: { open: true, over: 1_000 } },
      ['1 invoice open:', 'SGD 1,090.00'],
      ['חשבונית אחת לתשלום:'],
    ],
    [
      'none',
      { ...overdue, then: { overdue: true, over: 1_000_000 } },
      ['No invoice is overdue.'],
      ['אין חשבונית באיחור.'],
    ],
    [
      'who owes',
      { intent: 'receivables', tool: 'reports_receivables_aging', input: { asOf: '2026-10-31' } },
      ['Customers owe you SGD 1,773.40.', '2 customers:', '1. Globex Pte Ltd: SGD 1,373.40'],
      ['לקוחות חייבים לך', 'שני לקוחות:'],
    ],
    [
      'who owes over',
      {
        intent: 'receivables',
        tool: 'reports_receivables_aging',
        input: { asOf: '2026-10-31' },
        then: { over: 1_000 },
      },
      ['1 customer:', '1. Globex Pte Ltd: SGD 1,373.40'],
      ['לקוח אחד:'],
    ],
    [
      'revenue',
      { intent: 'revenue', tool: 'reports_income', input: { from: '2026-01-01', to: '2026-12-31' } },
      ['Income in 2026: SGD 1,760.00 before tax, from 3 documents; tax SGD 158.40.'],
      ['הכנסות בשנת 2026'],
    ],
    [
      'expenses',
      {
        intent: 'expenses',
        tool: 'expenses_list',
        input: { dateFrom: '2026-01-01', dateTo: '2026-03-31' },
        then: { add: true },
      },
      [
        '3 expenses:',
        'In total SGD 272.50. Not counted: waiting for review SGD 40.00.',
        'Shell: SGD 218.00, 3 February 2026, Fuel, approved',
      ],
      ['3 הוצאות:', 'סך הכול', 'לא נכלל: ממתינה לבדיקה'],
    ],
    [
      'count',
      { intent: 'customers', tool: 'customers_list', input: {}, then: { count: true } },
      ['There are 4 customers.'],
      ['יש 4 לקוחות.'],
    ],
    [
      'low stock',
      { intent: 'low-stock', tool: 'logistics_stock_levels', input: { low: 'true' } },
      ['1 item:', 'Lamp: 5', 'low, the limit is 10', 'worth SGD 50.00'],
      ['פריט אחד:'],
    ],
    [
      'payroll',
      { intent: 'payroll-summary', tool: 'payroll_summary', input: { month: '2026-03' } },
      ['Payroll March 2026, 1 payslip: gross SGD 5,000.00', '1. Dana'],
      ['שכר מרץ 2026, תלוש אחד: ברוטו'],
    ],
    [
      'no payroll',
      { intent: 'payroll-summary', tool: 'payroll_summary', input: { month: '2025-03' } },
      ['There are no payslips for March 2025.'],
      ['אין תלושים למרץ 2025.'],
    ],
    [
      'profit',
      { intent: 'profit', tool: 'reports_profit_and_loss', input: { from: '2026-01-01', to: '2026-12-31' } },
      ['The net profit in 2026 is', 'Income: SGD 1,760.00'],
      ['הרווח הנקי בשנת 2026 הוא'],
    ],
    [
      'dashboard',
      { intent: 'dashboard', tool: 'dashboard_get', input: { year: 2026 } },
      ['Revenue (paid invoices): SGD 0.00', 'Waiting for review: 1 expense, SGD 40.00'],
      ['הוצאה אחת'],
    ],
    [
      'balance',
      {
        intent: 'customer-balance',
        tool: 'reports_customer_statement',
        input: { id: { $named: 'customer', words: 'globex' } },
      },
      ['Globex Pte Ltd owes SGD 1,090.00.', 'Globex Pte Ltd owes US$218.00.', 'Different currencies are not added up.'],
      ['Globex Pte Ltd חייב'],
    ],
    [
      'vat',
      { intent: 'vat', tool: 'reports_tax_compliance', input: { from: '2026-01-01', to: '2026-12-31' } },
      ['The tax to pay in 2026 is SGD 158.40.'],
      ['המס לתשלום בשנת 2026'],
    ],
  ]

  test.each(cases)('%s', async (_, read, en, he) => {
    const [english, hebrew] = [await ask(read), await ask(read, 'he')]
    for (const words of en) expect(plainText(english.text)).toContain(words)
    for (const words of he) expect(plainText(hebrew.text)).toContain(words)
    expect(plainText(hebrew.text)).toMatch(/[א-ת]/)
  })
})

describe('names in lists', () => {
  test.each([
    ['logistics_stock_levels', 'lamps', '1. Lamp: '],
    ['expenses_list', 'Shelll', '(There is nothing for Shelll; I took Shell.) 1 expense:'],
    ['expenses_list', 'Nobody at all', 'I found no expenses for “Nobody at all”.'],
  ])('%s for %s', async (tool, search, words) => {
    const { text } = await ask({ intent: 'list', tool, input: { search } })
    expect(plainText(text)).toContain(words)
  })
})
