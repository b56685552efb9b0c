import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { salesDocument, sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

vi.setConfig({ testTimeout: 120_000 }) // the first document of a thread compiles Typst

/** What a document leaves in the books: rows of these tables. */
const tracesOf = ({ organizationId }: Someone) =>
  theApp().system.use(async (db) => {
    const count = (table: string) =>
      sql<{ count: number }>`select count(*)::integer as count from ${sql.table(table)}
        where organization_id = ${organizationId}`.execute(db)
    const counts = []
    for (const table of ['documents', 'document_lines', 'document_events', 'events', 'document_counts', 'audit_log'])
      counts.push((await count(table)).rows[0]?.count)
    return counts
  })

test('a document that is not saved is shown with its page, totals and warnings, and leaves no trace', async () => {
  const amy = await member('CONTRIBUTOR')
  const given = await salesDocument(amy, { taxRate: 8, taxAmount: 8, total: 108, status: 'SENT' })
  const before = await tracesOf(amy)
  const shown = await amy.call('invoices_preview', { ...given, dpi: 96 })
  expect(shown).toMatchObject({ documentType: 'INVOICE', currency: 'SGD', subtotal: 100, taxAmount: 8, total: 108 })
  expect(shown).toMatchObject({ pageCount: 1, problems: [], pages: [{ page: 1, width: 793, height: 1122 }] })
  expect(shown.warnings.map(({ path }) => path)).toContain('taxRate')
  const picture = sharp(Buffer.from(shown.pages[0]?.base64 ?? '', 'base64'))
  expect(await picture.metadata()).toMatchObject({ format: 'png', width: 793, height: 1122 })
  expect((await picture.stats()).channels[0]?.min).toBeLessThan(80) // ink
  expect(await tracesOf(amy)).toEqual(before)
  expect(await sell(amy, { status: 'UNSENT' })).toMatchObject({ invoiceNumber: '1' }) // no number was taken
})

test('the page changes with what is typed, and the totals alone are answered without one', async () => {
  const amy = await member('CONTRIBUTOR')
  const given = await salesDocument(amy)
  const [one, other] = [
    await amy.call('invoices_preview', given),
    await amy.call('invoices_preview', { ...given, notes: 'Thank you' }),
  ]
  expect(one.pages[0]?.base64).not.toBe(other.pages[0]?.base64)
  const totals = await amy.call('invoices_preview', { ...given, total: 500, pagesMax: 0 })
  expect(totals).toMatchObject({ pageCount: null, pages: [], problems: [{ code: 'AMOUNT_MISMATCH', path: 'total' }] })
})

test('what cannot be saved cannot be previewed, with the same refusal', async () => {
  const amy = await member('CONTRIBUTOR')
  const given = await salesDocument(amy, { customerId: crypto.randomUUID() })
  const refusal = { status: 400, details: [{ path: 'customerId', code: 'UNKNOWN_REFERENCE' }] }
  await expect(amy.call('invoices_create', given)).rejects.toMatchObject(refusal)
  await expect(amy.call('invoices_preview', given)).rejects.toMatchObject(refusal)
  const viewer = await member('VIEWER', { of: amy })
  await expect(viewer.call('invoices_preview', given)).rejects.toMatchObject({ status: 403 })
})
