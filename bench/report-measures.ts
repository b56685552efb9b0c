import type { Request } from 'autocannon'
import type { Measure } from './measures.ts'

type Requests = { key: Record<string, string>; get: Request[] }

/** Reports over a journal of 100,000 documents, one at a time, against GET one: at most 400 times as long. */
export function reportMeasures(organizationId: string, { key, get }: Requests): Measure[] {
  const report = (path: string) => ({ path: `/api/reports/${path}organizationId=${organizationId}`, headers: key })
  const usual = { raw: get, besideOurs: true, connections: 1, slowestP50: 400 } as const
  return [
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
  ]
}
