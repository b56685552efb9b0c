import type { Request } from 'autocannon'
import type { Measure } from './measures.ts'

type Requests = { key: Record<string, string>; get: Request[] }
type Organizations = { books: string; expenses: string }

/** Reports that need a hundred thousand expenses. */
export const needsExpenseReports = ['payables-aging']

/**
 * Agings of 100,000 documents may take 60 times as long as GET one, reports over the whole journal 400 times. Of an organization at most two
 * heavy reads run at once: with more connections than these, requests wait, and are refused after five seconds.
 */
export function reportMeasures({ books, expenses }: Organizations, { key, get }: Requests): Measure[] {
  const year = new Date().getUTCFullYear()
  const report = (path: string, organizationId = books) => ({
    path: `/api/reports/${path}organizationId=${organizationId}`,
    headers: key,
  })
  const usual = { raw: get, besideOurs: true, connections: 1, slowestP50: 400 } as const
  const slow = { ...usual, secondsMin: 12 }
  const aging = { raw: get, besideOurs: true, connections: 2, slowestP50: 60 } as const
  return [
    {
      name: 'receivables-aging',
      does: 'Aging of 100,000 documents, against GET one',
      ours: [report('receivables-aging?')],
      ...aging,
    },
    {
      name: 'payables-aging',
      does: 'Aging of 100,000 expenses, against GET one',
      ours: [report('payables-aging?', expenses)],
      ...aging,
    },
    {
      name: 'trial-balance',
      does: 'Trial balance of 100,000 documents, against GET one',
      ours: [report('trial-balance?')],
      ...usual,
    },
    {
      name: 'profit-and-loss',
      does: 'Profit and loss of 100,000 documents, against GET one',
      ours: [report('profit-and-loss?'), report('profit-and-loss?basis=cash&')],
      ...usual,
    },
    {
      name: 'income-report',
      does: 'Income of a year of 100,000 documents, against GET one',
      ours: [report(`income?from=${year}-01-01&to=${year}-12-31&`)],
      ...usual,
    },
    {
      name: 'income-by-customer',
      does: 'Income of a year of 100,000 documents by customer, against GET one',
      ours: [report(`income?groupBy=customer&from=${year}-01-01&to=${year}-12-31&`)],
      ...slow,
    },
    {
      name: 'tax-report',
      does: 'Tax report of a year of 100,000 documents, against GET one',
      ours: [report(`tax-compliance?from=${year}-01-01&to=${year}-12-31&`)],
      ...slow,
    },
  ]
}
