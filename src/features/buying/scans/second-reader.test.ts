import '../../../test/own-world.ts'
import sharp from 'sharp'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createApp } from '../../../program/app.ts'
import { billOf } from '../../../test/einvoices/bill.ts'
import { modelServer, sendJson } from '../../../test/fakes/model-server.ts'
import { makePdf, text } from '../../../test/fakes/pdfs.ts'
import { member, type Someone, testConfig, theDatabase } from '../../../test/world.ts'

vi.setConfig({ testTimeout: 120_000 }) // the first picture loads the models of the reader

const answer = {
  vendor: 'Acme Pte Ltd', vendorTaxNumber: null, documentNumber: 'A-77', date: '2026-01-20', dueDate: null, currency: 'SGD',
  subtotal: '20.00', taxAmount: '1.80', taxRate: '9', total: '21.80', paymentMethod: 'CASH', items: [],
} // biome-ignore format: a list of words

/** An API with this model, and how it scans a file that `amy` uploads. */
async function scannerWith(url: string) {
  const app = await createApp(testConfig({ KONTOR_MODEL: `compatible:${url}#vision` }), theDatabase())
  onTestFinished(() => app.close())
  return async (amy: Someone, file: { fileName: string; base64: string }) => {
    const { id } = await amy.call('expenses_upload', { organizationId: String(amy.organizationId), file })
    const reply = await app.server.inject({
      method: 'POST',
      url: '/api/expenses/scan',
      headers: amy.credentials,
      payload: { attachmentId: id },
    })
    return reply.json<Record<string, unknown> & { expenseId: string }>()
  }
}

const blank = async (width = 300) => {
  const picture = sharp({ create: { width, height: 400, channels: 3, background: '#fff' } })
  return { fileName: 'blank.png', base64: (await picture.png().toBuffer()).toString('base64') }
}
const pdf = (...lines: string[]) => {
  const content = text(...lines.map((line, at): [string, number, number] => [line, 60, 760 - at * 40]))
  return { fileName: 'a.pdf', base64: makePdf({ pages: [{ content }] }).toString('base64') }
}

test('a model reads what the built-in reader cannot, and each field names its reader', async () => {
  const amy = await member('MANAGER')
  const { url, asked, answers } = await modelServer(answer)
  const scan = await scannerWith(url)
  const result = await scan(amy, await blank())
  expect(result).toMatchObject({
    scanStatus: 'COMPLETED',
    providerId: 'compatible:vision',
    extractedData: {
      total: 21.8,
      documentNumber: 'A-77',
      readers: { total: 'compatible:vision' },
      confidence: { total: 0.9 },
      boxes: {},
    },
  })
  expect(await amy.call('expenses_get', { id: result.expenseId })).toMatchObject({
    status: 'PENDING_REVIEW',
    amount: 21.8,
    taxAmount: 1.8,
    vendor: 'Acme Pte Ltd',
  })
  expect(asked[0]?.text).toContain('data:image/jpeg;base64,/9j/')

  answers.next = (response) => sendJson(response, 503, { error: { message: 'down' } })
  expect(await scan(amy, await blank(310))).toMatchObject({
    scanStatus: 'FAILED',
    extractedData: {},
    warnings: [{ code: 'MODEL_UNAVAILABLE' }],
  })
})

test('the readers are compared field by field; text that adds up and e-invoices are not sent to a model', async () => {
  const amy = await member('MANAGER')
  const { url, asked, answers } = await modelServer(answer)
  const scan = await scannerWith(url)
  const lines = ['Acme Pte Ltd', 'Tax invoice no: A-77', 'Date: 20/01/2026', 'Thank you for your purchase at our shop']
  const result = await scan(amy, pdf(...lines, 'Total SGD 21.80'))
  expect(asked).toHaveLength(1)
  expect(result).toMatchObject({
    scanStatus: 'COMPLETED',
    providerId: 'compatible:vision',
    extractedData: {
      total: 21.8,
      subtotal: 20,
      readers: { total: 'kontor-pdf', subtotal: 'compatible:vision' },
      boxes: { total: { page: 1 } },
    },
  })

  answers.next = (response) => sendJson(response, 429, { error: { message: 'slow down' } })
  const other = ['Globex Pte Ltd', 'Tax invoice no: B-78', ...lines.slice(2)]
  expect(await scan(amy, pdf(...other, 'Total SGD 31.80'))).toMatchObject({
    scanStatus: 'COMPLETED',
    providerId: 'kontor-pdf',
    warnings: [{ code: 'MODEL_UNAVAILABLE' }],
    extractedData: { total: 31.8, readers: { total: 'kontor-pdf' } },
  })
  expect(asked).toHaveLength(2)

  const third = ['Initech Pte Ltd', 'Tax invoice no: C-79', ...lines.slice(2)]
  const sum = pdf(...third, 'Subtotal 20.00', 'GST 9% 1.80', 'Total SGD 21.80')
  expect(await scan(amy, sum)).toMatchObject({ scanStatus: 'COMPLETED', providerId: 'kontor-pdf' })
  expect(await scan(amy, billOf())).toMatchObject({ scanStatus: 'COMPLETED', providerId: 'kontor-einvoice' })
  expect(asked).toHaveLength(2)
})
