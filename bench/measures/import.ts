import pg from 'pg'
import { newId } from '../../src/core/values/id.ts'
import type { Server, Setting } from '../measure.ts'
import { median } from '../statistics.ts'
import type { Figure } from './automations.ts'

// An import of ten thousand customers takes at most ten times as long as a bare insert of the same rows in one statement.

export const importMeasure = 'import'

type Import = {
  ours: Server
  database: pg.ClientConfig
  setting: Setting
  organizationId: string
  key: Record<string, string>
}

const [rowCount, slowest] = [10_000, 10]

export async function benchImport({ ours, database, setting, organizationId, key }: Import): Promise<Figure[]> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    await importOnce(ours.url, organizationId, key) // warms up both
    await insertOnce(client, organizationId)
    const repeats = []
    for (let n = 0; n < setting.repeats; n++) {
      const bareMs = await insertOnce(client, organizationId)
      repeats.push({ bareMs, importMs: await importOnce(ours.url, organizationId, key) })
    }
    const ratio = median(repeats.map(({ bareMs, importMs }) => importMs / bareMs))
    const bareMs = median(repeats.map((each) => each.bareMs)).toFixed(0)
    const does = `Import of 10,000 customers, against a bare insert of the same rows (${bareMs} ms)`
    return [{ name: importMeasure, does, value: ratio, bar: `<= ${slowest}`, fits: ratio <= slowest, better: 'lower' }]
  } finally {
    await client.end()
  }
}

/** New customers every time, with the fields that a list usually has. */
function customers() {
  const mark = newId().slice(-12)
  return Array.from({ length: rowCount }, (_, n) => ({
    id: newId(),
    name: `Customer ${mark} ${n}`,
    email: `c${n}-${mark}@example.test`,
    phone: `+65 6555 ${n}`,
    address: `${n} Orchard Road, Singapore`,
    registration: `${mark}${n}`,
  }))
}

async function insertOnce(client: pg.Client, organizationId: string): Promise<number> {
  const rows = customers()
  const started = performance.now()
  await client.query(
    `insert into customers (organization_id, id, name, email, phone, address, registration_number, kind, country, default_currencies)
      select $1, r.id, r.name, r.email, r.phone, r.address, r.registration, 'ORGANIZATION', 'SG', '{SGD}'
      from json_to_recordset($2) r (id uuid, name text, email text, phone text, address text, registration text)`,
    [organizationId, JSON.stringify(rows)],
  )
  return performance.now() - started
}

/** Refusals and imports that add less would measure nothing. */
async function importOnce(url: string, organizationId: string, key: Record<string, string>): Promise<number> {
  const lines = customers().map(
    ({ name, email, phone, address, registration }) => `${name},${email},${phone},"${address}",${registration}`,
  )
  const csv = ['name,email,phone,address,registration number', ...lines].join('\n')
  const form = new FormData()
  form.set('organizationId', organizationId)
  form.set('kind', 'CUSTOMERS')
  form.set('file', new Blob([csv]), 'customers.csv')
  const started = performance.now()
  const answer = await fetch(`${url}/api/imports`, { method: 'POST', headers: key, body: form })
  const made = (await answer.json()) as { counts?: { created: number } }
  if (made.counts?.created !== rowCount) throw new Error(`The import failed: ${JSON.stringify(made)}`)
  return performance.now() - started
}
