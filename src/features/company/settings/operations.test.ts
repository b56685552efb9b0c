import { describe, expect, test } from 'vitest'
import { newId } from '../../../core/values/id.ts'
import { png } from '../../../test/fakes/bombs.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

const at = ({ organizationId = '' }: Someone) => ({ id: organizationId })
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const logoOf = async (someone: Someone, base64 = pixel) =>
  (await someone.call('organizations_file_upload', { file: { fileName: 'logo.png', base64 } })).id
const types = ['INVOICE', 'RECEIPT', 'INVOICE_RECEIPT', 'PAYMENT_REQUEST', 'CREDIT_MEMO', 'DEBIT_MEMO']

test('a new organization has default settings', async () => {
  const amy = await member('VIEWER')
  expect(await amy.call('settings_get', at(amy))).toEqual({
    ...at(amy),
    senderName: null,
    clearOnIssue: false,
    defaultTaxRate: null,
    requireApproval: false,
    expenseApprovalAbove: null,
    logoFileId: null,
    language: 'en',
    digest: true,
    automationRunsKeptDays: 180,
    salesTaxRates: [],
    lockedUntil: null,
    numbering: types.map((documentType) => ({ documentType, prefix: '', padding: 0, nextNumber: 1 })),
    plan: 'FREE',
    caps: { automationsMax: 5, scansPerMonth: 100, emailsPerHour: 100 },
    updatedAt: null,
  })
})

test('a change keeps the other settings, and the audit trail keeps the old values', async () => {
  const amy = await member('MANAGER')
  const logoFileId = await logoOf(amy)
  const chosen = {
    senderName: 'Acme Books',
    defaultTaxRate: 8.875,
    requireApproval: true,
    expenseApprovalAbove: 250.5,
    logoFileId,
    language: 'he',
    digest: false,
    automationRunsKeptDays: 365,
  } as const
  expect(await amy.call('settings_update', { ...at(amy), ...chosen })).toMatchObject(chosen)
  const after = await amy.call('settings_update', { ...at(amy), expenseApprovalAbove: null, senderName: ' ' })
  expect(after).toMatchObject({ ...chosen, expenseApprovalAbove: null, senderName: null })
  expect(await amy.call('settings_get', at(amy))).toEqual(after)
  const { entries } = await amy.call('organizations_audit', { operation: 'settings_update' })
  expect(entries[0]?.detail).toEqual({
    changed: { senderName: { from: 'Acme Books', to: null }, expenseApprovalAbove: { from: 250.5, to: null } },
  })
})

test('the prefix, the digits and, before the first number, the next number of the numbering can be changed', async () => {
  const amy = await member('MANAGER')
  const numbering = [
    { documentType: 'INVOICE', prefix: 'INV-', padding: 4, nextNumber: 900 },
    { documentType: 'RECEIPT', prefix: 'R' },
  ] as const
  await amy.call('settings_update', { ...at(amy), numbering: [...numbering] })
  const changed = await amy.call('settings_update', {
    ...at(amy),
    numbering: [{ documentType: 'INVOICE', padding: 6 }],
  })
  expect(changed.numbering.slice(0, 2)).toEqual([
    { documentType: 'INVOICE', prefix: 'INV-', padding: 6, nextNumber: 900 },
    { documentType: 'RECEIPT', prefix: 'R', padding: 0, nextNumber: 1 },
  ])
})

test('settings can be written back as read, and plan and caps cannot be changed', async () => {
  const amy = await member('OWNER')
  const read = await amy.call('settings_get', at(amy))
  const forged = { ...read, plan: 'GOLD', caps: { ...read.caps, automationsMax: 5000 } }
  const written = await amy.call('settings_update', forged)
  expect(written).toEqual({ ...read, updatedAt: written.updatedAt })
  const upgrade = theApp().confined.use((_, connection) =>
    connection.query("update organization_settings set plan = 'GOLD'"),
  )
  await expect(upgrade).rejects.toThrow(/permission denied/)
  const rename = theApp().confined.use((_, connection) =>
    connection.query('update organization_settings set sender_name = sender_name'),
  )
  await expect(rename).resolves.toMatchObject({ affected: 0 })
})

test.each([
  { defaultTaxRate: 101 },
  { defaultTaxRate: -1 },
  { expenseApprovalAbove: 1.005 },
  { expenseApprovalAbove: 1e16 },
  { expenseApprovalAbove: -1 },
  { language: 'fr' },
  { logoFileId: 'nope' },
  { numbering: [{ documentType: 'POEM' }] },
  { numbering: [{ documentType: 'INVOICE', padding: 13 }] },
  { numbering: [{ documentType: 'INVOICE', prefix: 'a\nb' }] },
  { numbering: [{ documentType: 'INVOICE', prefix: '\u200b' }] },
  { numbering: [{ documentType: 'INVOICE', nextNumber: 1_000_000_000_000 }] },
  {
    numbering: [
      { documentType: 'INVOICE', prefix: 'A' },
      { documentType: 'INVOICE', prefix: 'B' },
    ],
  },
])('%j is refused with the name of the field', async (wrong) => {
  const amy = await member('MANAGER')
  await amy.call('settings_update', {
    ...{ ...at(amy), defaultTaxRate: 100, expenseApprovalAbove: 1.5, language: 'he', logoFileId: await logoOf(amy) },
    numbering: [{ documentType: 'INVOICE', padding: 12, prefix: 'ab' }],
  })
  const refused = { status: 400, details: [{ path: expect.stringContaining(String(Object.keys(wrong)[0])) }] }
  await expect(amy.call('settings_update', { ...at(amy), ...wrong } as never)).rejects.toMatchObject(refused)
})

test('INV-18: a logo must be a file of the organization, and any other file is refused like a missing one', async () => {
  const [amy, eve] = [await member('MANAGER'), await member('OWNER')]
  const asked = (logoFileId: string) =>
    amy.call('settings_update', { ...at(amy), logoFileId }).catch((refused: { status: number; details: unknown }) => ({
      status: refused.status,
      details: refused.details,
    }))
  const missing = await asked(newId())
  expect(missing).toMatchObject({ status: 400, details: [{ path: 'logoFileId' }] })
  expect(await asked(await logoOf(eve))).toEqual(missing)
  expect(await asked('nope')).toEqual(missing)
  expect(await asked(await logoOf(amy))).toMatchObject({ logoFileId: expect.any(String) })
})

test('text, SVG and files above 2 MiB are refused as a logo, with the accepted types', async () => {
  const amy = await member('MANAGER')
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>')
  const large = Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.alloc(2 * 1024 * 1024)])
  const accepted = await logoOf(amy)
  await amy.call('settings_update', { ...at(amy), logoFileId: accepted })
  for (const bytes of [Buffer.from('Hello'), drawing, large]) {
    const logoFileId = await logoOf(amy, bytes.toString('base64'))
    await expect(amy.call('settings_update', { ...at(amy), logoFileId })).rejects.toMatchObject({
      status: 400,
      details: [{ path: 'logoFileId', message: expect.stringContaining('PNG'), code: 'NO_LOGO' }],
    })
  }
  expect(await amy.call('settings_get', at(amy))).toMatchObject({ logoFileId: accepted })
})

const upload = (bytes: Buffer) => bytes.toString('base64')

describe('FLT-13: a logo is inspected before it is accepted, and storing the same file is not refused', () => {
  test('an image of 16 million pixels is accepted', async () => {
    const amy = await member('MANAGER')
    const logoFileId = await logoOf(amy, upload(png(4000, 4000)))
    expect(await amy.call('settings_update', { ...at(amy), logoFileId })).toMatchObject({ logoFileId })
  })

  test.each<[string, Buffer, string, string]>([
    [
      'too many pixels for a logo',
      png(4001, 4000),
      'TOO_MANY_PIXELS',
      '4001 x 4000 pixels; a logo has at most 16 million',
    ],
    ['too many pixels for any image', png(50_000, 50_000), 'TOO_MANY_PIXELS', '50000 x 50000 pixels'],
    ['a header that is cut off', png(10, 10).subarray(0, 18), 'FILE_UNREADABLE', 'damaged'],
  ])('an image with %s is refused', async (_, bytes, code, message) => {
    const amy = await member('MANAGER')
    const usual = await logoOf(amy)
    await amy.call('settings_update', { ...at(amy), logoFileId: usual })
    const logoFileId = await logoOf(amy, upload(bytes))
    await expect(amy.call('settings_update', { ...at(amy), logoFileId })).rejects.toMatchObject({
      status: 400,
      details: [{ path: 'logoFileId', message: expect.stringContaining(message), code }],
    })
    expect(await amy.call('settings_get', at(amy))).toMatchObject({ logoFileId: usual })
  })
})

test('deleting the file removes the logo', async () => {
  const amy = await member('OWNER')
  const logoFileId = await logoOf(amy)
  await amy.call('settings_update', { ...at(amy), logoFileId, senderName: 'Acme' })
  await theApp().system.use((db) => db.deleteFrom('files').where('id', '=', logoFileId).execute())
  expect(await amy.call('settings_get', at(amy))).toMatchObject({ logoFileId: null, senderName: 'Acme' })
})

test('the settings of an organization are not visible to others', async () => {
  const [amy, eve] = [await member('OWNER'), await member('OWNER')]
  await amy.call('settings_update', { ...at(amy), senderName: 'Amy' })
  expect((await eve.call('settings_get', at(eve))).senderName).toBeNull()
  await expect(eve.call('settings_get', at(amy))).rejects.toMatchObject({ status: 404 })
})
