import { describe, expect, test } from 'vitest'
import { apiOperations } from '../../../catalog/operations.ts'
import { automate, graphOf, trigger } from '../../../test/automations/automations.ts'
import { hire, payrollOf } from '../../../test/payroll/company.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone, withKey } from '../../../test/world.ts'
import { searched } from './candidates.ts'
import { type Candidate, hitKinds } from './hit.ts'
import { hitOf, similarHitOf } from './match.ts'

const here = ({ organizationId = '' }: Someone) => ({ organizationId })
const find = async (who: Someone, query: string, more = {}) =>
  (await who.call('search_everything', { ...here(who), query, ...more })).hits
const shown = async (who: Someone, query: string) =>
  (await find(who, query)).map(({ kind, title }) => `${kind} ${title}`)
const customer = (amy: Someone, name: string, more = {}) =>
  amy.call('customers_create', { ...here(amy), name, country: 'SG', ...more })

describe('what is found', () => {
  test('a document by its number, its customer and its notes, with all that a list shows of it', async () => {
    const amy = await member('OWNER')
    const { id: customerId } = await customer(amy, 'Globex')
    const made = await sell(amy, { customerId, status: 'SENT', notes: 'Delivered to the harbour' })
    const { id, invoiceNumber: number, total, currency, issueDate } = await amy.call('invoices_get', { id: made.id })
    const [byNumber] = await find(amy, String(number))
    expect(byNumber).toEqual({
      ...{ kind: 'documents', id, title: number, subtitle: 'Globex', type: 'INVOICE', status: 'SENT' },
      ...{ amount: total, currency, date: String(issueDate).slice(0, 10), score: expect.any(Number) },
      matched: { field: 'number', text: number, how: 'EXACT' },
    })
    expect(await shown(amy, 'globex')).toEqual(['customers Globex', `documents ${number}`])
    expect(await find(amy, 'HARBOUR')).toMatchObject([
      { kind: 'documents', id, matched: { field: 'notes', text: 'Delivered to the harbour', how: 'WORD' } },
    ])
    expect(await find(amy, 'globex harbour')).toMatchObject([{ kind: 'documents', id }])
    expect(await find(amy, 'globex mountain')).toEqual([])
  })

  test('customers, suppliers, items, payments, expenses, orders, automations and accounts', async () => {
    const amy = await member('OWNER')
    const { id: customerId } = await customer(amy, 'Zephyr Trading', { email: 'ops@zephyr.test' })
    await amy.call('suppliers_create', { ...here(amy), name: 'Zephyr Metals', country: 'SG' })
    await amy.call('logistics_items_create', { ...here(amy), name: 'Zephyr fan', sku: 'ZEP-1' })
    const document = await sell(amy, { customerId, status: 'SENT' })
    await amy.call('invoices_payments', { id: document.id, amount: 1, paidAt: '2026-01-10', reference: 'ZEPHYR-77' })
    await amy.call('expenses_create', {
      ...here(amy),
      ...{ vendor: 'Zephyr Cleaning', amount: 12, currency: 'SGD', date: '2026-01-02' },
    })
    await amy.call('orders_create', {
      ...here(amy),
      ...{ kind: 'SALES', customerId, lines: [{ description: 'Fans', quantity: 1, unitPrice: 5 }] },
    })
    await automate(amy, graphOf([trigger('customer.created')]), { armed: false, name: 'Greet Zephyr' })
    await amy.call('reports_account_create', { ...here(amy), code: '7777', name: 'Zephyr deposits', type: 'ASSET' })
    const hits = await find(amy, 'zephyr')
    expect(new Set(hits.map(({ kind }) => kind))).toEqual(new Set(hitKinds.filter((kind) => kind !== 'employees')))
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a))
    expect(hits.find(({ kind }) => kind === 'payments')).toMatchObject({
      title: 'ZEPHYR-77',
      subtitle: 'Zephyr Trading',
      amount: 1,
    })
    expect(await shown(amy, 'ZEP-1')).toContain('items Zephyr fan')
    expect(await shown(amy, 'ops@zephyr')).toEqual(['customers Zephyr Trading'])
    expect(await shown(amy, '7777')).toEqual(['accounts 7777 Zephyr deposits'])
    expect(await shown(amy, 'ze')).toEqual(
      expect.arrayContaining(['customers Zephyr Trading', 'suppliers Zephyr Metals']),
    )
  })

  test('Hebrew names, names with a typing error, and names in the letters of the other language', async () => {
    const amy = await member('OWNER', { country: 'IL' })
    await customer(amy, 'כרמל שיווק בע״מ', { country: 'IL' })
    await customer(amy, 'Globex Corporation')
    expect(await shown(amy, 'כרמל')).toEqual(['customers כרמל שיווק בע״מ'])
    expect(await shown(amy, 'שיו')).toContain('customers כרמל שיווק בע״מ')
    expect(await find(amy, 'Golbex')).toEqual([])
    expect(await find(amy, 'globez')).toMatchObject([
      { title: 'Globex Corporation', matched: { field: 'name', how: 'SIMILAR' } },
    ])
    expect(await shown(amy, 'גלובקס')).toEqual(['customers Globex Corporation'])
  })

  test('the newest documents of a customer with many, and a few of each kind', async () => {
    const amy = await member('OWNER')
    const { id: customerId } = await customer(amy, 'Initech')
    for (let day = 1; day <= 8; day++) await sell(amy, { customerId, issueDate: `2026-01-0${day}`, status: 'DRAFT' })
    const dates = async (limit?: number) =>
      (await find(amy, 'initech', { limit })).flatMap(({ kind, date }) => (kind === 'documents' ? [date] : []))
    expect(await dates()).toEqual(['2026-01-08', '2026-01-07', '2026-01-06', '2026-01-05', '2026-01-04'])
    expect(await dates(2)).toEqual(['2026-01-08', '2026-01-07'])
  })

  test.for(['   ', '%', '_', "'", '\\'])('the text %j finds nothing that does not contain it', async (query) => {
    const amy = await member('OWNER')
    await customer(amy, 'Globex')
    expect(await find(amy, query)).toEqual([])
  })
})

describe('who finds what', () => {
  test('nobody finds anything of another organization', async () => {
    const [amy, eve] = [await member('OWNER'), await member('OWNER')]
    await customer(amy, 'Globex')
    expect(await find(eve, 'Globex')).toEqual([])
    await expect(eve.call('search_everything', { ...here(amy), query: 'Globex' })).rejects.toMatchObject({
      status: 403,
    })
  })

  test('employees are found by who may read payroll', async () => {
    const { amy } = await payrollOf()
    await hire(amy, { name: 'Quentin Vale' })
    const viewer = await member('VIEWER', { of: amy })
    const contributor = await member('CONTRIBUTOR', { of: amy })
    expect(await shown(contributor, 'Quentin')).toEqual(['employees Quentin Vale'])
    expect(await find(viewer, 'Quentin')).toEqual([])
    expect(await find(viewer, 'Quintin')).toEqual([])
  })

  test('a key finds what its scopes read', async () => {
    const amy = await member('OWNER')
    const { id: customerId } = await customer(amy, 'Globex')
    await sell(amy, { customerId })
    const kinds = async (scopes: string[]) =>
      new Set((await find(await withKey(amy, ['organizations:read', ...scopes]), 'globex')).map(({ kind }) => kind))
    expect(await kinds(['customers:read'])).toEqual(new Set(['customers']))
    expect(await kinds(['invoices:read'])).toEqual(new Set(['documents']))
    expect(await kinds([])).toEqual(new Set())
  })

  test('each kind needs what its list needs', () => {
    const lists = {
      ...{
        documents: 'invoices_list',
        customers: 'customers_list',
        suppliers: 'suppliers_list',
        items: 'logistics_items_list',
      },
      ...{
        payments: 'invoices_payments_list',
        expenses: 'expenses_list',
        orders: 'orders_list',
        accounts: 'reports_accounts',
      },
      ...{ automations: 'automations_list', employees: 'payroll_employees_list' },
    }
    for (const kind of hitKinds) {
      const list = apiOperations.find(({ name }) => name === lists[kind])
      expect([kind, list?.scope, list?.role]).toEqual([kind, searched[kind].scope, searched[kind].role])
    }
  })
})

describe('how well a text fits', () => {
  const of = (texts: Candidate['texts']): Candidate => ({
    ...{ kind: 'customers', id: '1', title: '', subtitle: null, type: null, status: null },
    ...{ amount: null, currency: null, date: null, texts },
  })
  const fitting = (text: string, texts: Candidate['texts']) => {
    const hit = hitOf(text, of(texts))
    return hit && `${hit.matched.field} ${hit.matched.how}`
  }

  test.for([
    ['acme', { name: 'Acme' }, 'name EXACT'],
    ['acme', { name: 'Acme Ltd' }, 'name PREFIX'],
    ['ltd', { name: 'Acme Ltd' }, 'name WORD'],
    ['cme', { name: 'Acme Ltd' }, 'name PART'],
    ['acme', { notes: 'Acme', number: 'ACME-1' }, 'notes EXACT'],
    ['acme', { notes: 'Acme 1', number: 'ACME-1' }, 'number PREFIX'],
    ['acme 7', { name: 'Acme', number: '7' }, 'number EXACT'],
    ['acme 8', { name: 'Acme', number: '7' }, undefined],
  ] as const)('%s in %j: %s', ([text, texts, expected]) => {
    expect(fitting(text, texts)).toBe(expected)
  })

  test('of a long text the part around the match is shown', () => {
    const notes = `${'before '.repeat(50)}needle${' after'.repeat(50)}`
    const { matched } = hitOf('needle', of({ notes })) ?? {}
    expect(matched?.text).toMatch(/^….*needle.*…$/)
    expect(matched?.text.length).toBeLessThan(130)
  })

  test('a similar name is compared by its first text alone', () => {
    expect(similarHitOf('globez', of({ name: 'Globex', email: 'x@x.test' }))?.matched.how).toBe('SIMILAR')
    expect(similarHitOf('globez', of({ name: null, email: 'globex' }))).toBeUndefined()
  })
})
