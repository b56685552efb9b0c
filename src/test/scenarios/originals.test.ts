import '../own-world.ts'
import { expect, test, vi } from 'vitest'
import { languages } from '../../core/values/language.ts'
import { type Country, countryCodes } from '../../countries/country.ts'
import { verify } from '../../verify/verify.ts'
import { originalOf, printed } from '../documents/printed.ts'
import { png } from '../fakes/bombs.ts'
import { inProof } from '../prove.ts'
import { textOf } from '../readers/text-of-pdf.ts'
import { salesDocument } from '../sales-documents.ts'
import { member, operationNamed, type Someone, theApp } from '../world.ts'
import { type Random, randomOf, seedOf } from './bank/random.ts'

const steps = inProof(5, 200)

vi.setConfig({ testTimeout: inProof(240_000, 3_600_000) })

type Walk = {
  someone: Someone
  organizationId: string
  random: Random
  customerIds: string[]
  accountIds: string[]
  /** The issued documents, with the original if it was printed. */
  issued: { id: string; documentType: string; original?: Buffer }[]
}

/** An organization with a customer and an account, whose documents are issued, printed and paid while everything changes. */
async function beginWalk(country: Country['code'], random: Random): Promise<Walk> {
  const someone = await member('OWNER', { country })
  const walk: Walk = {
    ...{ someone, random, organizationId: String(someone.organizationId) },
    ...{ customerIds: [], accountIds: [], issued: [] },
  }
  for (const home of [country, 'FR']) {
    const customer = { name: `Customer in ${home}`, country: home, address: 'There', email: 'office@globex.test' }
    walk.customerIds.push((await someone.call('customers_create', customer)).id)
  }
  const account = { accountName: 'Main', bankName: 'First', accountNumber: '1' }
  for (let n = 0; n < 2; n++) walk.accountIds.push((await someone.call('bank_accounts_create', account)).id)
  return walk
}

const pick = <T>({ random }: Walk, list: readonly T[]): T => list[random.below(list.length)] as T
const word = ({ random }: Walk) => `Name ${random.below(1_000_000)}`

/** One change each; an edit concerns what documents are printed with, the others concern documents. */
const moves: ((walk: Walk) => Promise<unknown>)[] = [
  issue, issue, issue, issueMemo, issueReceipt, print, print,
  (walk) => walk.someone.call('organizations_update', { id: walk.organizationId, name: word(walk), address: word(walk) }),
  (walk) => walk.someone.call('organizations_update', { id: walk.organizationId, registrationNumber: pick(walk, ['513456782', '123456782', null]) }),
  (walk) => walk.someone.call('organizations_update', { id: walk.organizationId, taxNumber: pick(walk, ['123456782', null]) }),
  (walk) => walk.someone.call('customers_update_patch', { id: pick(walk, walk.customerIds), name: word(walk), country: pick(walk, ['IL', 'SG', 'US']) }),
  (walk) => walk.someone.call('bank_accounts_update', { id: pick(walk, walk.accountIds), bankName: word(walk), accountNumber: word(walk) }),
  (walk) => walk.someone.call('settings_update', { id: walk.organizationId, language: pick(walk, languages), senderName: word(walk) }),
  changeNumbering, changeLogo, pay, editIssued,
] // biome-ignore format: a move a line

async function issue(walk: Walk) {
  const documentType = pick(walk, ['INVOICE', 'RECEIPT', 'INVOICE_RECEIPT', 'PAYMENT_REQUEST'])
  const status = pick(walk, ['UNSENT', 'SENT', 'PAID'])
  const parties = { customerId: pick(walk, walk.customerIds), bankAccountId: pick(walk, walk.accountIds) }
  const document = await salesDocument(walk.someone, { ...parties, documentType, status, paymentMethod: 'CASH' })
  noteIssued(walk, await attempt(walk, 'invoices_create', document))
}

async function issueMemo(walk: Walk) {
  const source = walk.issued.find(({ documentType }) => documentType === 'INVOICE')
  if (!source) return issue(walk)
  const items = [{ id: '1', description: 'More', quantity: 1, unitPrice: 1, amount: 1 }]
  const memo = { id: source.id, kind: pick(walk, ['CREDIT', 'DEBIT']), items, reason: 'Agreed' }
  noteIssued(walk, await attempt(walk, 'invoices_memos', memo))
}

async function issueReceipt(walk: Walk) {
  const unpaid = { customerId: pick(walk, walk.customerIds), status: 'SENT' }
  const sold = noteIssued(walk, await attempt(walk, 'invoices_create', await salesDocument(walk.someone, unpaid)))
  if (!sold) return
  const paid = { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false, generateReceipt: true }
  const body = await attempt(walk, 'invoices_mark_paid', { id: sold.id, ...paid })
  noteIssued(walk, body?.receipt as Body | undefined)
}

type Body = Record<string, unknown>

/** A call that may be refused because of the state of the books, such as a prefix that would repeat a number. */
async function attempt({ someone }: Walk, name: string, input: Body): Promise<Body | undefined> {
  const { status, body } = await someone.request(operationNamed(name), input)
  expect([name, [200, 201, 400, 409].includes(status)]).toEqual([name, true])
  return status < 300 ? (body as Body) : undefined
}

function noteIssued(walk: Walk, body: Body | undefined) {
  if (!body) return undefined
  const document = { id: String(body.id), documentType: String(body.documentType) }
  walk.issued.push(document)
  return document
}

/** Prints the original of a document; it is the one that was printed before. */
async function print(walk: Walk) {
  if (walk.issued.length === 0) return
  await expectSameOriginal(walk, pick(walk, walk.issued))
}

async function expectSameOriginal({ someone }: Walk, document: Walk['issued'][number]) {
  const original = await originalOf(someone, document.id)
  expect(original.subarray(0, 5).toString()).toBe('%PDF-')
  document.original ??= original
  expect(original.equals(document.original)).toBe(true)
}

async function changeNumbering(walk: Walk) {
  const documentType = pick(walk, ['INVOICE', 'RECEIPT', 'DEBIT_MEMO', 'PAYMENT_REQUEST'])
  const numbering = [{ documentType, prefix: pick(walk, ['', '1', 'A', 'A1']), padding: walk.random.below(4) }]
  await attempt(walk, 'settings_update', { id: walk.organizationId, numbering })
}

async function changeLogo(walk: Walk) {
  const size = 10 + walk.random.below(20)
  const file = { fileName: 'logo.png', base64: png(size, size, { isComplete: true }).toString('base64') }
  const { someone, organizationId } = walk
  const { id: logoFileId } = await someone.call('organizations_file_upload', { organizationId, file })
  await someone.call('settings_update', { id: organizationId, logoFileId })
}

async function pay(walk: Walk) {
  const unpaid = walk.issued.find(({ documentType }) => documentType === 'INVOICE')
  if (!unpaid) return
  await attempt(walk, 'invoices_payments', { id: unpaid.id, amount: 1.23, paidAt: '2026-01-31' })
}

async function editIssued(walk: Walk) {
  if (walk.issued.length === 0) return
  const { id } = pick(walk, walk.issued)
  const terms = { dueDate: '2026-12-31', bankAccountId: pick(walk, walk.accountIds), notes: word(walk) }
  await attempt(walk, 'invoices_update', { id, ...terms })
}

test.each(countryCodes)(
  'INV-06 INV-07: in %s originals stay the same, byte for byte, and numbers are unique while everything changes',
  async (country) => {
    const seed = seedOf('The walk over originals')
    const walk = await beginWalk(country, randomOf(seed))
    await issue(walk)
    for (let step = 0; step < steps; step++) await pick(walk, moves)(walk)
    for (const document of walk.issued) await expectSameOriginal(walk, document)
    await moves.slice(7).reduce((before, move) => before.then(() => move(walk)).then(() => {}), Promise.resolve())
    for (const document of walk.issued) await expectSameOriginal(walk, document)
    await expectUniqueTitles(walk)
    const { system, providers } = theApp()
    const violations = await verify({ system, storage: providers.storage })
    expect(violations.filter(({ id }) => id !== 'INV-22')).toEqual([])
  },
)

/** Title and number as they are printed, at the top of the original. */
async function expectUniqueTitles({ someone, issued }: Walk) {
  const headings: string[] = []
  for (const { id } of issued) {
    // one after the other, because an organization has a limit of prints at once
    const { status, headers } = await printed(someone, id, '?copy=false')
    expect(status).toBe(200)
    headings.push(decodeURIComponent(String(headers['content-disposition'])))
  }
  expect(new Set(headings).size).toBe(headings.length)
  expect(headings.length).toBeGreaterThan(0)
  const [first] = issued
  if (first?.original) expect((await textOf(first.original)).length).toBeGreaterThan(0)
}
