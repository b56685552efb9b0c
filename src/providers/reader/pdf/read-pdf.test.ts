import { deflateSync } from 'node:zlib'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { toPrintModel } from '../../../features/selling/documents/print/to-print-model.ts'
import { printData } from '../../../test/documents/print-samples.ts'
import { sample } from '../../../test/einvoices/samples.ts'
import { pdf as pagesPdf, zeros } from '../../../test/fakes/bombs.ts'
import { type FakePage, makePdf, nestedForms, text, withAttachment } from '../../../test/fakes/pdfs.ts'
import { openTypesetter } from '../../typeset/typeset.ts'
import { readXml } from '../einvoice/read-xml.ts'
import { type Page, Unreadable } from '../reading.ts'
import { associatedFiles } from './associated-files.ts'
import type { Pixels } from './page.ts'
import { readPdf } from './read-pdf.ts'

vi.setConfig({ testTimeout: 120_000 }) // the first document of the typesetter compiles Typst

const hints = { country: 'IL', dateOrder: 'DMY', currency: 'ILS', today: '2026-03-01' } as const

/** Reads a PDF with a recogniser that finds one word, and no extraction: the pages are what counts here. */
async function read(bytes: Buffer) {
  const drawn: Pixels[] = []
  let pages: readonly Page[] = []
  const box = { page: 1, x: 0, y: 0, width: 1, height: 1 }
  const word = { text: 'recognised', box, confidence: 0.8 }
  const reading = await readPdf(bytes, hints, {
    readPixels: async (pixels) => {
      drawn.push(pixels)
      const { width, height } = pixels
      return { number: 1, width, height, lines: [{ ...word, words: [word], direction: 'ltr' }] }
    },
    extract: (found) => {
      pages = found
      return { fields: {}, checks: [] }
    },
  })
  return { reading, drawn, pages, lines: pages.flatMap((page) => page.lines.map((line) => line.text)) }
}

const reasonOf = (error: unknown) => (error instanceof Unreadable ? error.reason : String(error))

const letters = 'An invoice with enough letters to be read'
const invoice = text([letters, 100, 700], ['Total 118.00', 100, 600])
const picture = { width: 4, height: 4, pixels: Buffer.alloc(16, 128) }

describe('a printed document is read by its text, in reading order', () => {
  const typesetter = openTypesetter()
  afterAll(() => typesetter.close())
  const printed = (language: 'en' | 'he') =>
    typesetter.typeset({
      template: 'sales-document',
      organizationId: 'acme',
      rows: 10,
      data: toPrintModel(printData({ row: {} }), { languages: [language], copy: 'original', logo: null }),
    })

  test('in Hebrew', async () => {
    const { reading, lines, pages, drawn } = await read(Buffer.from(await printed('he')))
    expect(reading).toMatchObject({ providerId: 'kontor-pdf', pages: 1 })
    expect(drawn).toEqual([])
    expect(lines).toEqual(
      expect.arrayContaining([
        'סטודיו אלון בע"מ',
        'ח.פ. 513456782',
        '+972 3-555-0142',
        'office@alon.example',
        'תאריך 12/02/2026',
        'תיאור כמות מחיר יחידה סכום (ILS)',
        'ייעוץ ארכיטקטורת ענן – Cloud architecture, ינואר 2026 12 420.00 5,040.00',
        'אחסון שרתים (Hosting) כולל גיבוי 1 1,850.50 1,850.50',
        'מע"מ 18% 1,402.24',
        'סה"כ ₪9,192.44',
        'נא לציין בתשלום את מספר המסמך INV-0042.',
      ]),
    )
    const total = pages[0]?.lines.find((line) => line.text.startsWith('סה"כ'))
    expect(total).toMatchObject({ direction: 'rtl', words: [{ text: 'סה"כ' }, { text: '₪9,192.44' }] })
    const [label, amount] = total?.words ?? []
    expect(label?.box.x).toBeGreaterThan(amount?.box.x ?? 1)
  })

  test('in English', async () => {
    const { lines } = await read(Buffer.from(await printed('en')))
    const expected = ['Tax Invoice', 'Company No. 513456782', 'VAT 18% 1,402.24', 'Total ₪9,192.44', 'Bank בנק לאומי']
    expect(lines).toEqual(expect.arrayContaining(expected))
  })

  test('an attached e-invoice is read instead, whatever the pages say', async () => {
    const bytes = withAttachment(await printed('he'), 'factur-x.xml', sample('cii-basic'))
    const { reading, drawn, pages } = await read(bytes)
    expect(reading).toEqual({ ...(await readXml(sample('cii-basic'))), pages: 1 })
    expect([drawn, pages]).toEqual([[], []])
  })
})

test('an e-invoice that is associated with the document and not in the name tree is read too', async () => {
  const named = withAttachment(makePdf({ pages: [{ content: invoice }] }), 'factur-x.xml', sample('cii-basic'))
  expect((await read(named)).reading.providerId).toBe('kontor-einvoice')
  const tree = /\/Names << \/EmbeddedFiles << \/Names \[[^\]]*\] >> >>/
  const associated = Buffer.from(
    named.toString('latin1').replace(tree, (text) => ' '.repeat(text.length)),
    'latin1',
  )
  expect((await read(associated)).reading).toEqual({ ...(await readXml(sample('cii-basic'))), pages: 1 })
  const orphan = Buffer.from(
    associated.toString('latin1').replace(/\/AF \[[^\]]*\]/, (text) => ' '.repeat(text.length)),
    'latin1',
  )
  expect((await read(orphan)).reading.providerId).toBe('kontor-pdf')
})

test('associated files are found in packed objects', () => {
  const objects = ['<< /Type /Catalog /AF 8 0 R >>', '[7 0 R]', '<< /Type /Filespec /F (a.xml) /EF << /F 9 0 R >> >>']
  const offsets = objects.map((_, at) => objects.slice(0, at).join(' ').length + (at > 0 ? 1 : 0))
  const head = `5 ${offsets[0]} 8 ${offsets[1]} 7 ${offsets[2]} `
  const packed = deflateSync(`${head}${objects.join(' ')}`)
  const file = deflateSync('<invoice/>')
  const stream = (number: number, entries: string, data: Buffer) =>
    Buffer.concat([
      Buffer.from(`${number} 0 obj\n<< ${entries} /Filter /FlateDecode /Length ${data.length} >>\nstream\n`),
      data,
      Buffer.from('\nendstream\nendobj\n'),
    ])
  const bytes = Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    stream(9, '/Type /EmbeddedFile', file),
    stream(4, `/Type /ObjStm /N 3 /First ${head.length}`, packed),
  ])
  expect(associatedFiles(bytes)).toEqual([{ name: 'a.xml', bytes: Buffer.from('<invoice/>') }])
})

describe('the attached e-invoice', () => {
  const one = { pages: [{ content: invoice }] }
  test('is found by its content, among other files', async () => {
    const attachments = {
      'notes.txt': Buffer.from('x'),
      'data.xml': Buffer.from('<a/>'),
      'x.dat': sample('ubl-invoice'),
    }
    const { reading } = await read(makePdf({ ...one, attachments }))
    expect(reading).toMatchObject({
      providerId: 'kontor-einvoice',
      fields: { vendorTaxNumber: { value: '514000017' } },
    })
  })

  test('with the name of the standard is preferred', async () => {
    const attachments = { 'a.xml': sample('ubl-invoice'), 'factur-x.xml': sample('cii-minimum') }
    const { reading } = await read(makePdf({ ...one, attachments }))
    expect(reading.fields.documentNumber?.value).toBe('F-2026-017')
  })

  test('that cannot be read, or is an order, leaves the text', async () => {
    const attachments = {
      'factur-x.xml': sample('cii-minimum').subarray(0, 1_000),
      'order-x.xml': Buffer.from(
        '<rsm:SCRDMCCBDACIOMessageStructure xmlns:rsm="urn:un:unece:uncefact:data:SCRDMCCBDACIOMessageStructure:100"/>',
      ),
    }
    const { reading, lines } = await read(makePdf({ ...one, attachments }))
    expect(reading.providerId).toBe('kontor-pdf')
    expect(lines).toContain('Total 118.00')
  })
})

test.each([0, 90, 180, 270] as const)(
  'a page turned by %d degrees has its words where they are shown',
  async (rotate) => {
    // Written so that it is upright after the turn, with the total near the bottom left.
    const turn = { 0: '1 0 0 1 0 0', 90: '0 1 -1 0 600 0', 180: '-1 0 0 -1 600 800', 270: '0 -1 1 0 0 800' }[rotate]
    const size: [number, number] = [600, 800]
    const content = `q ${turn} cm ${text([letters, 60, 500], ['Total 118.00', 60, 80])} Q`
    const { pages } = await read(makePdf({ pages: [{ content, rotate, size }] }))
    const [wide, high] = rotate % 180 === 0 ? [600, 800] : [800, 600]
    expect(pages[0]?.lines.map((line) => line.text)).toEqual([letters, 'Total 118.00'])
    const box = pages[0]?.lines[1]?.box
    expect(box?.x).toBeCloseTo(60 / wide, 2)
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(1 - 77 / high, 2)
    expect((pages[0]?.width ?? 0) / (pages[0]?.height ?? 1)).toBeCloseTo(wide / high, 2)
  },
)

describe('pages without usable text are drawn and recognised', () => {
  test('a scan', async () => {
    const { reading, drawn, pages } = await read(makePdf({ pages: [{ picture }] }))
    expect(reading).toMatchObject({ providerId: 'kontor-ocr', pages: 1 })
    expect(drawn).toMatchObject([{ width: 1652, height: 2338 }])
    const middle = (1_000 * 1_652 + 800) * 3
    expect([...(drawn[0]?.data.subarray(middle, middle + 3) ?? [])]).toEqual([128, 128, 128])
    expect(pages).toMatchObject([{ number: 1, lines: [{ text: 'recognised' }] }])
  })

  test('the page that needs it, beside one that does not', async () => {
    const { reading, lines, pages, drawn } = await read(makePdf({ pages: [{ content: invoice }, { picture }, {}] }))
    expect(reading).toMatchObject({ providerId: 'kontor-ocr', pages: 3 })
    expect(drawn).toHaveLength(1)
    expect(lines).toEqual([letters, 'Total 118.00', 'recognised'])
    expect(pages[1]?.lines[0]).toMatchObject({ box: { page: 2 }, words: [{ box: { page: 2 } }] })
  })

  const stamp = text(['Scanned with a scanner of a telephone', 10, 10])
  const garbage = text(
    ...Array.from({ length: 30 }, (_, n): [string, number, number] => ['tlm;xq rwz| jJI1 pqzt', 10, 20 * n + 20]),
  )
  const words = text(
    ...Array.from({ length: 30 }, (_, n): [string, number, number] => [`Total amount ${n}.50 due`, 10, 20 * n + 20]),
  )
  test.each<[string, FakePage, number]>([
    ['a scan with a line of the scanner', { picture, content: stamp }, 1],
    ['a scan in a form, with a line of the scanner', { picture: { ...picture, isWrapped: true }, content: stamp }, 1],
    ['a scan with invisible rubbish', { picture, content: `3 Tr ${garbage}` }, 1],
    ['a scan with good invisible text', { picture, content: `3 Tr ${words}` }, 0],
    ['a page with few letters', { content: text(['Page 1', 10, 10]) }, 1],
    ['a page with enough letters', { content: text(['A short receipt over 12.50 euro', 10, 10]) }, 0],
  ])('%s', async (_, page, count) => expect((await read(makePdf({ pages: [page] }))).drawn).toHaveLength(count))

  test('of many, the first five and the last', async () => {
    const pages = Array.from({ length: 9 }, (_, at) => ({ picture: { ...picture, pixels: Buffer.alloc(16, at * 20) } }))
    const { drawn, pages: found } = await read(makePdf({ pages }))
    expect(drawn.map(({ data }) => data[0])).toEqual([0, 20, 40, 60, 80, 160])
    expect(found.map(({ lines }) => lines.length)).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 1])
  })

  test('a very large page with fewer dots per inch', async () => {
    const { drawn } = await read(makePdf({ pages: [{ picture, size: [14_400, 14_400] }] }))
    expect((drawn[0]?.width ?? 0) * (drawn[0]?.height ?? 0)).toBeLessThanOrEqual(12_000_000)
  })
})

test('a document that needs too much memory is refused, and the next one is read', async () => {
  // Each form draws the next one twice, so the last would be drawn 2^25 times.
  const bytes = nestedForms(25)
  await expect(read(bytes)).rejects.toMatchObject({ reason: 'DAMAGED' })
  expect((await read(makePdf({ pages: [{ content: invoice }] }))).lines).toEqual([letters, 'Total 118.00'])
})

test('text that nobody sees is left out where there is text to be seen', async () => {
  const hidden = `${text(['Beside the page', -300, 400])}\n3 Tr ${text(['Total 999.00', 100, 500])}`
  const { lines } = await read(makePdf({ pages: [{ content: `${invoice}\n${hidden}` }] }))
  expect(lines).toEqual([letters, 'Total 118.00'])
})

test('accented letters and fractions stay as they are', async () => {
  const { lines } = await read(
    makePdf({ pages: [{ content: text(['Soci\xe9t\xe9 with 2\xbd of it and enough letters', 50, 700]) }] }),
  )
  expect(lines).toEqual(['Société with 2½ of it and enough letters'])
})

test('the text of form fields is read too', async () => {
  const { lines } = await read(makePdf({ pages: [{ content: invoice, field: text(['Paid in cash', 100, 650]) }] }))
  expect(lines).toEqual([letters, 'Paid in cash', 'Total 118.00'])
})

test('Hebrew of old programs, stored as Latin letters, is read', async () => {
  // Windows-1255 in a font that claims Windows-1252, printed from left to right.
  const visual = (hebrew: string) =>
    [...hebrew]
      .toReversed()
      .map((c) => (c >= 'א' && c <= 'ת' ? String.fromCharCode(c.charCodeAt(0) - 0x5d0 + 0xe0) : c))
      .join('')
  const content = text(
    [visual('חשבונית מס קבלה'), 300, 700],
    [`118.00  ${visual('סהכ לתשלום')}`, 300, 600],
    [visual('תודה ולהתראות בקרוב'), 300, 500],
  )
  const { lines } = await read(makePdf({ pages: [{ content }] }))
  expect(lines).toEqual(['חשבונית מס קבלה', 'סהכ לתשלום 118.00', 'תודה ולהתראות בקרוב'])
})

describe('what cannot be read is refused with a reason', () => {
  const pages = [{ content: invoice }]
  const good = makePdf({ pages })
  test('the password of the owner does not hinder reading', async () => {
    const { lines } = await read(makePdf({ pages, passwords: { user: '', owner: 'secret' } }))
    expect(lines).toEqual([letters, 'Total 118.00'])
  })

  test.each<[string, () => Buffer, string]>([
    ['a password to open', () => makePdf({ pages, passwords: { user: 'hush', owner: 'secret' } }), 'ENCRYPTED'],
    ['51 pages', () => makePdf({ pages: Array.from({ length: 51 }, () => ({ content: invoice })) }), 'TOO_MANY_PAGES'],
    ['10,000 pages', () => pagesPdf({ pages: 10_000 }), 'TOO_MANY_PAGES'],
    ['10,000 packed pages', () => pagesPdf({ pages: 10_000, packed: true }), 'TOO_MANY_PAGES'],
    ['one page 10,000 times', () => pagesPdf({ pages: 10_000, shared: true }), 'TOO_MANY_PAGES'],
    ['a packed bomb', () => pagesPdf({ stream: zeros(150) }), 'TOO_LARGE'],
    ['packed twice over', () => pagesPdf({ stream: Buffer.from('x'), filter: '[/FlateDecode /FlateDecode]' }), 'TOO_LARGE'],
    ['a picture of 50,000 x 50,000', () => makePdf({ pages: [{ picture: { width: 50_000, height: 50_000, pixels: Buffer.alloc(10) } }] }), 'TOO_LARGE'],
    ['half a file', () => good.subarray(0, 200), 'DAMAGED'],
    ['no PDF', () => Buffer.from('hello'), 'DAMAGED'],
    ['nothing', () => Buffer.alloc(0), 'DAMAGED'],
    ['rubbish behind the signature', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(10_000, 7)]), 'DAMAGED'],
    ['an empty page', () => makePdf({ pages: [{}] }), 'NO_TEXT'],
  ])('%s', async (_, bytes, reason) => {
    expect((await read(good)).lines).toEqual([letters, 'Total 118.00'])
    const file = bytes()
    const started = Date.now()
    await expect(read(file)).rejects.toMatchObject({ reason, message: expect.stringMatching(/^The .*\.$/) })
    expect(Date.now() - started).toBeLessThan(15_000)
  }) // biome-ignore format: a table

  test('a file with random damage is read or refused, and nothing else happens', async () => {
    const attachments = { 'factur-x.xml': sample('cii-basic') }
    const whole = makePdf({ pages: [{ content: invoice, picture, field: text(['Paid', 10, 10]) }], attachments })
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((seed / 2 ** 31) * below)
    }
    const outcomes = new Set<string>()
    for (let round = 0; round < 30; round++) {
      const bytes = Buffer.from(whole)
      for (let change = 0; change < 15; change++) bytes[random(bytes.length)] = random(256)
      outcomes.add(await read(bytes).then(({ reading }) => reading.providerId, reasonOf))
    }
    const expected = [
      'kontor-einvoice',
      'kontor-pdf',
      'kontor-ocr',
      'DAMAGED',
      'ENCRYPTED',
      'NO_TEXT',
      'TOO_LARGE',
      'TOO_MANY_PAGES',
    ]
    expect(outcomes.size).toBeGreaterThan(1)
    expect([...outcomes].filter((outcome) => !expected.includes(outcome))).toEqual([])
  })

  test('50 pages are read, and the next document after a refusal', async () => {
    const { reading } = await read(makePdf({ pages: Array.from({ length: 50 }, () => ({ content: invoice })) }))
    expect(reading.pages).toBe(50)
  })
})
