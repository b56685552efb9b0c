import { beforeAll, expect, test } from 'vitest'
import { type Books, companionBooks } from '../../../../../test/companion/books.ts'
import { conversation, plainText } from '../../../../../test/companion/talk.ts'
import { operationNamed } from '../../../../../test/world.ts'
import { assistantWith } from '../answer.ts'
import { intents } from '../intents/intents.ts'

/** Every list, record and report that a sentence can ask for has a readable answer, in both languages. */

let books: Books
beforeAll(async () => {
  books = await companionBooks()
})

const year = { from: '2026-01-01', to: '2026-12-31' }

/** The input of tools that need one. */
const inputs: Record<string, (books: Books) => Record<string, unknown>> = {
  invoices_get: ({ late }) => ({ id: late.id }),
  invoices_events: ({ late }) => ({ id: late.id }),
  invoices_clearance: ({ late }) => ({ id: late.id }),
  invoices_link: ({ late }) => ({ id: late.id }),
  invoices_pdf: ({ late }) => ({ id: late.id }),
  invoices_einvoice: ({ late }) => ({ id: late.id }),
  customers_recipients: ({ globex }) => ({ id: globex.id }),
  reports_customer_statement: ({ globex }) => ({ id: globex.id }),
  payroll_payslips_get: ({ payslipId }) => ({ id: payslipId }),
  automations_runs: ({ failing }) => ({ id: failing.id }),
  orders_get: ({ order }) => ({ id: order.id }),
  orders_chain: ({ order }) => ({ id: order.id }),
  orders_match: ({ order }) => ({ id: order.id }),
  reports_general_ledger: () => ({ account: '610', ...year }),
  reports_statutory_file: () => ({ file: 'uniform', ...year }),
  payroll_form_106: ({ dana }) => ({ year: 2026, employeeId: dana.id }),
  payroll_form_941: () => ({ year: 2026, quarter: 1 }),
  payroll_summary: () => ({ month: '2026-03' }),
}

const needs = (tool: string, field: string) => field in operationNamed(tool).input.properties

/** The period or year of tools that need one. */
const times = (tool: string) => ({
  ...(needs(tool, 'from') && needs(tool, 'to') && year),
  ...(needs(tool, 'year') && { year: 2026 }),
})

const reads = [...new Set(intents.map(({ tool }) => tool))].filter((tool) => operationNamed(tool).reads)

test('there are tools to try', () => {
  expect(reads.length).toBeGreaterThan(40)
})

test.each(reads)('%s', async (tool) => {
  const { name = '', input: own } = intents.find((intent) => intent.tool === tool) ?? {}
  const fixed = typeof own === 'object' ? own : {}
  const input = inputs[tool]?.(books) ?? { ...times(tool), ...fixed }
  for (const language of ['en', 'he'] as const) {
    const assistant = assistantWith(() => ({ intent: name, language, tool, input }))
    const { text, calls } = await conversation(assistant, books.amy, { today: '2026-11-17' }).say('?')
    expect(plainText(text), JSON.stringify(calls.at(-1))).not.toMatch(unreadable)
    expect(text.trim()).not.toBe('')
    if (language === 'he') expect(text).toMatch(/[א-ת]/)
    const failed = calls.filter(
      ({ result }) => !result.ok && (result.code === 'INTERNAL' || result.code === 'VALIDATION'),
    )
    if (!elsewhere.test(tool)) expect(failed).toEqual([])
  }
})

/** Values that were not told, and ids outside of addresses. */
const unreadable = /undefined|null|NaN|\[object|Invalid Date|(?<![=/\w-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}(?!@)/

/** Returns of other countries are refused in Singapore. */
const elsewhere = /payroll_form_|reports_(statutory_file|1099|sales_tax|iras)|payroll_bank_file|invoices_einvoice/
