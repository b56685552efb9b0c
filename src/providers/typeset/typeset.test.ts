import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import sharp from 'sharp'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { TypesetRequest } from '../../core/outside/typesetter.ts'
import { toPrintModel } from '../../features/selling/documents/print/to-print-model.ts'
import { manyLines, printData } from '../../test/documents/print-samples.ts'
import { engines } from '../../test/documents/typeset-engines.ts'
import { contentOf, namesIn, readPdf, Stream } from '../../test/readers/pdf-objects.ts'
import { newFolder } from '../../test/temporary-folder.ts'
import { type Limits, openTypesetter } from './typeset.ts'

vi.setConfig({ testTimeout: 120_000 }) // the first document of a thread compiles Typst

const sheet = (row = {}) => ({
  template: 'sales-document' as const,
  organizationId: 'acme',
  rows: 10,
  data: toPrintModel(printData({ row }), { languages: ['he'], copy: 'original', logo: null }),
})

describe.each(engines)('with the %s engine', (engine) => {
  const typesetter = openTypesetter({ engine })
  afterAll(() => typesetter.close())

  test('a document is PDF/A-3a: tagged, in its language, with an output intent, and nothing attached', async () => {
    const pdf = await typesetter.typeset(sheet())
    const document = await getDocument({ data: pdf.slice(), verbosity: 0 }).promise
    const { metadata, info } = await document.getMetadata()
    expect(metadata.get('pdfaid:part')).toBe('3')
    expect(metadata.get('pdfaid:conformance')).toBe('A')
    expect(metadata.get('dc:title')).toBe('חשבונית מס INV-0042')
    expect(info).toMatchObject({ Language: 'he', Title: 'חשבונית מס INV-0042', PDFFormatVersion: '1.7' })
    expect(await document.getMarkInfo()).toMatchObject({ Marked: true })
    expect(await document.getAttachments()).toBeNull()
    const tree = JSON.stringify(await (await document.getPage(1)).getStructTree())
    for (const role of ['H1', 'Table', 'TH', 'TD']) expect(tree).toContain(`"role":"${role}"`)
    await document.destroy()
    const { at, objects } = readPdf(pdf)
    expect(at('Root', 'OutputIntents')).toHaveLength(1)
    expect(at('Root', 'OutputIntents', 0)).toMatchObject({ Type: '/OutputIntent', S: '/GTS_PDFA1' })
    const profile = at('Root', 'OutputIntents', 0, 'DestOutputProfile')
    expect(profile).toBeInstanceOf(Stream)
    expect(at('Root', 'OutputIntents', 0, 'DestOutputProfile', 'N')).toBe(3)
    expect(contentOf(profile as Stream).toString('latin1', 36, 40)).toBe('acsp') // the mark of an ICC profile
    for (const part of [0, 1]) expect(at('ID', part)?.toString()).toMatch(/./)
    expect(at('ID')).toHaveLength(2)
    const names = objects.flatMap(namesIn)
    expect(names).toEqual(expect.arrayContaining(['/GTS_PDFA1', '/StructTreeRoot']))
    const forbidden = ['/JavaScript', '/JS', '/Launch', '/Encrypt', '/EmbeddedFile']
    expect(names.filter((name) => forbidden.includes(name))).toEqual([])
  })

  test('the pages of a document are drawn as pictures, those that are asked for', async () => {
    const pdf = await typesetter.typeset({ ...sheet(manyLines(60, (at) => `Line ${at}`, 18)), rows: 80, isLong: true })
    const asked = { pdf, organizationId: 'acme', dotsPerInch: 96 }
    const { pageCount, pages } = await typesetter.draw({ ...asked, first: 2, pagesMax: 1 })
    expect(pageCount).toBeGreaterThan(2)
    expect(pages).toMatchObject([{ page: 2, width: 793, height: 1122 }]) // A4
    const { channels } = await sharp(pages[0]?.png).stats()
    expect(channels[0]?.max).toBe(255) // paper
    expect(channels[0]?.min).toBeLessThan(80) // ink
    expect(await typesetter.draw({ ...asked, first: pageCount + 1, pagesMax: 3 })).toEqual({ pageCount, pages: [] })
  })

  test('an e-invoice is attached as Factur-X, and the document stays PDF/A-3a', async () => {
    const xml = '<a>ü &amp; more</a>'
    const pdf = await typesetter.typeset({ ...sheet(), einvoice: xml })
    const document = await getDocument({ data: pdf.slice(), verbosity: 0 }).promise
    const { metadata } = await document.getMetadata()
    expect(metadata.get('pdfaid:part')).toBe('3')
    expect(metadata.get('fx:conformancelevel')).toBe('EN 16931')
    const attached = await document.getAttachments()
    expect(Buffer.from(attached['factur-x.xml'].content).toString()).toBe(xml)
    await document.destroy()
    const { at } = readPdf(pdf)
    expect(at('Root', 'OutputIntents', 0)).toMatchObject({ S: '/GTS_PDFA1' })
    expect(at('Root', 'AF', 0, 'EF', 'F', 'Params', 'Size')).toBe(Buffer.byteLength(xml))
    const xmp = contentOf(at('Root', 'Metadata') as Stream).toString()
    expect(xmp.match(/<pdfaExtension:schemas>/g)).toHaveLength(1)
    for (const property of ['DocumentType', 'DocumentFileName', 'Version', 'ConformanceLevel']) {
      expect(xmp).toContain(`<pdfaProperty:name>${property}<`)
      expect(xmp).toContain(`<fx:${property}>`)
    }
    const again = await typesetter.typeset({ ...sheet(), einvoice: xml })
    expect(Buffer.from(again).equals(pdf)).toBe(true)
  })

  test('totals are carried forward to the next page, and pages are numbered', async () => {
    const pdf = await typesetter.typeset(sheet(manyLines(74, (at) => `Work ${at}`, 18)))
    const document = await getDocument({ data: pdf.slice(), verbosity: 0 }).promise
    expect(document.numPages).toBe(3)
    const textOf = async (page: number) =>
      (await (await document.getPage(page)).getTextContent()).items
        .map((item) => ('str' in item ? item.str : ''))
        .join(' ')
    const [first, second, third] = [await textOf(1), await textOf(2), await textOf(3)]
    const sums = (text: string): string[] => text.match(/\d{1,3}(,\d{3})+\.\d\d/g) ?? []
    const carried = sums(first).find((sum) => sums(second).includes(sum))
    expect(carried).toBeDefined()
    expect(sums(second).some((sum) => sum !== carried && sums(third).includes(sum))).toBe(true)
    await document.destroy()
  })

  test('each script is printed with its own font, and documents in Latin and Hebrew letters embed no other', async () => {
    const fontsIn = (pdf: Uint8Array) => {
      const names = readPdf(pdf)
        .objects.flatMap(namesIn)
        .filter((name) => /^\/[A-Z]{6}\+/.test(name))
      return [...new Set(names.map((name) => name.replace(/^\/[A-Z]{6}\+|-.*|Bold$/g, '')))].toSorted()
    }
    const named = (counterpartyName: string) => typesetter.typeset(sheet({ counterpartyName }))
    const plain = await named('Globex')
    expect(fontsIn(plain)).toEqual(['Heebo'])
    for (const [name, font] of scripts) expect(fontsIn(await named(name))).toEqual(['Heebo', font].toSorted())
    expect(Buffer.from(await named('Globex')).equals(plain)).toBe(true)
  })

  test('data that the template cannot print is refused, and the thread continues', async () => {
    await expect(typesetter.typeset({ ...sheet(), data: {} })).rejects.toMatchObject({ status: 500 })
    expect((await typesetter.typeset(sheet())).length).toBeGreaterThan(10_000)
  })

  test('a document marked as long is typeset in one pass with the same result', async () => {
    const long = sheet(manyLines(74, (at) => `Work ${at}`, 18))
    const [tried, known] = [await typesetter.typeset(long), await typesetter.typeset({ ...long, isLong: true })]
    expect(Buffer.from(known).equals(tried)).toBe(true)
  })
})

const scripts: [name: string, font: string][] = [
  ['ООО «Ромашка»', 'NotoSans'],
  ['Ελληνική Εταιρεία', 'NotoSans'],
  ['Điện tử Việt Nam', 'NotoSans'],
  ['شركة النور', 'NotoSansArabic'],
  ['उदाहरण लिमिटेड', 'NotoSans'],
  ['தமிழ் நிறுவனம்', 'NotoSansTamil'],
  ['บริษัท ตัวอย่าง', 'NotoSansThai'],
  ['陈氏贸易', 'NotoSansHans'],
  ['株式会社サンプル', 'BIZUDPGothic'],
  ['주식회사', 'NanumGothic'],
]

test.runIf(process.platform === 'linux')(
  'LOAD-14: printing threads have a lower priority than the rest of the process',
  async () => {
    const typesetter = openTypesetter()
    const lowered = () => {
      const threads = readdirSync('/proc/self/task').map((id) => readFileSync(`/proc/self/task/${id}/stat`, 'latin1'))
      const priorities = threads.map((stat) => Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17]))
      return priorities.filter((priority) => priority > 0).length
    }
    const before = lowered()
    const ofProcess = getPriority()
    await typesetter.typeset(sheet())
    expect(lowered()).toBeGreaterThan(before)
    expect(getPriority()).toBe(ofProcess)
    await typesetter.close()
  },
)

/** A typesetter whose threads run this instead. */
function withWorker(code: string, limits: Partial<Limits> = {}) {
  const file = join(newFolder('worker'), 'worker.mjs')
  writeFileSync(file, `import { parentPort } from 'node:worker_threads'\n${code}`)
  return openTypesetter({ threadsMax: 1, startMs: 60_000, documentMs: 60_000, ...limits }, pathToFileURL(file))
}
const answer = `parentPort.postMessage({ id, result: { pdf: new Uint8Array([1]) }, engine: 'wasm', heldBytes: 0 })`

test('FLT-11: a hanging thread is ended, its document refused, and the next document typeset by a new thread', async () => {
  const hanging = withWorker(
    `parentPort.on('message', ({ id, request }) => { if (request.data.hang) for (;;); ${answer} })`,
    {
      startMs: 60_000,
      documentMs: 100,
    },
  )
  const set = (data: object) => hanging.typeset({ ...sheet(), data })
  await set({}) // the thread has started, so the next one gets no more than its own time
  const [bad, good] = [set({ hang: true }), set({})]
  await expect(bad).rejects.toMatchObject({ details: [{ code: 'PRINTING' }] })
  await expect(good).resolves.toEqual(new Uint8Array([1]))
  await hanging.close()
})

test('FLT-11: a thread that crashes or runs out of memory loses one document only', async () => {
  const dying = withWorker(
    `parentPort.on('message', ({ id, request }) => {
      if (request.data.die) process.exit(1)
      if (request.data.eat) for (const eaten = []; ; ) eaten.push(new Array(1e5).fill('x'))
      ${answer}
    })`,
  )
  const set = (data: object) => dying.typeset({ ...sheet(), data })
  await expect(set({ die: true })).rejects.toMatchObject({ status: 500 })
  await expect(set({ eat: true })).rejects.toMatchObject({ status: 500 })
  await expect(set({})).resolves.toEqual(new Uint8Array([1]))
  await dying.close()
})

test('documents beyond the queue limit are refused at once, and waiting ones are refused when the typesetter closes', async () => {
  const stuck = withWorker(`parentPort.on('message', () => {})`, { waitingMax: 1 })
  const set = (organizationId: string) => stuck.typeset({ ...sheet(), organizationId })
  const [underWay, waiting, tooMany] = [set('acme'), set('globex'), set('initech')]
  const refused = expect(Promise.allSettled([underWay, waiting])).resolves.toMatchObject([
    { status: 'rejected' },
    { status: 'rejected' },
  ])
  await expect(tooMany).rejects.toMatchObject({ details: [{ code: 'UNAVAILABLE' }] })
  await stuck.close()
  await refused
})

/** Threads that print when they are told to, and the names of what they have begun to print. */
function withStepwiseWorker(limits: Partial<Limits> = {}) {
  const file = join(newFolder('steps'), 'begun')
  writeFileSync(file, '')
  const typesetter = withWorker(
    `import { appendFileSync, existsSync } from 'node:fs'
    parentPort.on('message', async ({ id, request: { data: { name } } }) => {
      appendFileSync(${JSON.stringify(file)}, name + '\\n')
      while (!existsSync(${JSON.stringify(file)} + '.' + name)) await new Promise((resolve) => setTimeout(resolve, 5))
      ${answer}
    })`,
    limits,
  )
  const begun = () => readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return {
    close: () => typesetter.close(),
    print: (name: string, more: Partial<TypesetRequest> = {}) =>
      typesetter.typeset({ ...sheet(), organizationId: name.slice(0, 1), data: { name }, ...more }),
    begun: (names: string[]) => vi.waitFor(() => expect(begun()).toEqual(names), 30_000),
    finish: (name: string) => writeFileSync(`${file}.${name}`, ''),
  }
}

test('LOAD-14: organizations take turns with their documents', async () => {
  const { print, begun, finish, close } = withStepwiseWorker()
  const names = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']
  const printed = names.map((name) => print(name))
  const order = ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']
  for (const [n, name] of order.entries()) {
    await begun(order.slice(0, n + 1))
    finish(name)
  }
  expect(await Promise.all(printed)).toHaveLength(6)
  await close()
})

test('LOAD-14: a large document does not delay a small one, of the same organization or of others', async () => {
  const { print, begun, finish, close } = withStepwiseWorker()
  const large = [print('a1', { rows: 1_000 }), print('b1', { rows: 1_000 })]
  await begun(['a1'])
  for (const name of ['a2', 'c1']) finish(name)
  expect(await Promise.all([print('a2'), print('c1')])).toHaveLength(2)
  await begun(['a1', 'a2', 'c1'])
  for (const name of ['a1', 'b1']) finish(name)
  expect(await Promise.all(large)).toHaveLength(2)
  await close()
})

test('LOAD-14: documents of an organization beyond its part of the queue, or that waited too long, are refused with 429', async () => {
  const { print, begun, finish, close } = withStepwiseWorker({ waitingPerOrganizationMax: 1, waitMs: 200 })
  const refused = { status: 429, retryAfterS: 1, details: [{ code: 'TOO_MANY_AT_ONCE' }] }
  const first = print('a1')
  await begun(['a1'])
  const late = expect(print('a2')).rejects.toMatchObject(refused)
  await expect(print('a3')).rejects.toMatchObject(refused)
  await late
  finish('a1')
  await expect(first).resolves.toHaveLength(1)
  finish('a4')
  await expect(print('a4')).resolves.toHaveLength(1)
  await close()
})
