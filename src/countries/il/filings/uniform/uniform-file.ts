import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { byteOrderMark, csvRow } from '../../../../core/files/csv.ts'
import { writeZip } from '../../../../core/files/write-zip.ts'
import { productVersion } from '../../../../core/values/product-version.ts'
import type { FileTotal, StatutoryFile } from '../../../../features/books/statutory/statutory-file.ts'
import { il } from '../../il.ts'
import { hebrewBytes } from '../text.ts'
import { accountRecords } from './book-records.ts'
import { addressFields, amountsOf, typeOf } from './document-records.ts'
import { layouts } from './layouts.ts'
import { hasLines, statedPayments } from './means.ts'
import { uniformProblems } from './problems.ts'
import type { UniformDocument } from './read-documents.ts'
import { compactDay, writeRecord } from './record.ts'
import { constant, recordsOf, writeLine } from './records.ts'
import { readUniform, type Uniform } from './uniform.ts'

export const uniformFile: StatutoryFile = {
  id: 'il-uniform-file',
  name: { en: 'Uniform file (INI.TXT and BKMVDATA)', he: 'קבצים במבנה אחיד' },
  does: 'Documents, journal, accounts and stock of a period in the uniform structure of the Israel Tax Authority, version 1.31.',
  fileType: 'application/zip',
  period: 'any',
  async build(asked) {
    const uniform = await readUniform(asked)
    const { counts, names } = countsOf(uniform)
    const totals = totalsOf(uniform, { counts, names })
    return {
      file: {
        fileName: `uniform-file-${asked.from}-${asked.to}.zip`,
        fileType: 'application/zip',
        open: async () => Readable.from([await packed(uniform, { counts, totals })]),
      },
      problems: uniformProblems(uniform),
      totals,
    }
  },
}

const recordNames = {
  A100: 'Opening record',
  B100: 'Journal lines',
  B110: 'Accounts',
  C100: 'Documents',
  D110: 'Lines of documents',
  D120: 'Lines of receipts',
  M100: 'Stock items',
  Z900: 'Closing record',
} as const

type Counts = Map<keyof typeof recordNames, number>

/** How many records of each type `recordsOf` returns, without making them. */
function countsOf(uniform: Uniform) {
  const { documents, books, items } = uniform
  const sum = (of: (document: UniformDocument) => number) => documents.reduce((all, document) => all + of(document), 0)
  const counts: Counts = new Map([
    ['A100', 1],
    ['B100', books.lines.length],
    ['B110', [...accountRecords(uniform)].length],
    ['C100', documents.length],
    ['D110', sum((document) => (hasLines(document) ? document.lines.length : 0))],
    ['D120', sum((document) => statedPayments(document).length)],
    ['M100', items.length],
    ['Z900', 1],
  ])
  return { counts, names: recordNames }
}

const totalRecords = (counts: Counts) => [...counts.values()].reduce((sum, count) => sum + count, 0)
const major = (minor: bigint) => Number(minor) / 100

/** The summary report: how many records of each type, the documents of each type with their totals, and the sums of the journal. */
function totalsOf(
  { documents, books }: Uniform,
  { counts, names }: { counts: Counts; names: typeof recordNames },
): FileTotal[] {
  const types = [...new Set(documents.map(typeOf))].toSorted()
  const sideOf = (sign: 1 | -1) =>
    books.lines.reduce((sum, { homeMinor }) => (homeMinor * sign > 0 ? sum + BigInt(homeMinor * sign) : sum), 0n)
  return [
    ...[...counts].map(([code, count]) => ({ code, name: names[code], count, amount: null })),
    ...types.map((type) => {
      const all = documents.filter((document) => typeOf(document) === type)
      const total = all.reduce((sum, document) => sum + amountsOf(document).total, 0n)
      return { code: type, name: documentNames[type] ?? type, count: all.length, amount: major(total) }
    }),
    { code: 'DEBIT', name: 'Debits of the journal', count: null, amount: major(sideOf(1)) },
    { code: 'CREDIT', name: 'Credits of the journal', count: null, amount: major(sideOf(-1)) },
  ]
}

const documentNames: Record<string, string> = {
  300: 'חשבונית עסקה',
  305: 'חשבונית מס',
  320: 'חשבונית מס / קבלה',
  330: 'חשבונית מס זיכוי',
  400: 'קבלה',
}

/** `OPENFRMT/51487632.26/11161610`: the first digits of the number, the year, and when the files were made. */
const folderOf = ({ dealer, day, time }: Uniform) =>
  ['OPENFRMT', `${dealer.slice(0, 8)}.${day.slice(2, 4)}`, `${day.slice(5, 7)}${day.slice(8, 10)}${time}`].join('/')

async function packed(uniform: Uniform, { counts, totals }: { counts: Counts; totals: FileTotal[] }): Promise<Buffer> {
  const folder = folderOf(uniform)
  const data = await writeZip([{ name: 'BKMVDATA.TXT', bytes: await dataOf(uniform, totalRecords(counts)) }])
  const rows = totals.map(({ code, name, count, amount }) => csvRow([code, name, count, amount]))
  const summary = byteOrderMark + csvRow(['code', 'name', 'count', 'amount']) + rows.join('')
  return writeZip([
    { name: `${folder}/INI.TXT`, bytes: iniOf(uniform, counts) },
    { name: `${folder}/BKMVDATA.zip`, bytes: data },
    { name: 'summary.csv', bytes: Buffer.from(summary) },
  ])
}

/** Records per turn of the event loop. */
const recordsPerTurn = 500

async function dataOf(uniform: Uniform, total: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let [record, piece] = [0, '']
  for (const each of recordsOf(uniform)) {
    record++
    piece += `${writeLine(each, { record, dealer: uniform.dealer, total })}\r\n`
    if (record % recordsPerTurn > 0) continue
    pieces.push(hebrewBytes(piece))
    piece = ''
    await turn()
  }
  return Buffer.concat([...pieces, hebrewBytes(piece)])
}

function iniOf(uniform: Uniform, counts: Counts): Buffer {
  const { issuer, dealer, primaryId, from, to, day, time, home } = uniform
  const isOneYear = from.slice(0, 4) === to.slice(0, 4)
  const opening = writeRecord(layouts.A000, {
    ...{
      1002: totalRecords(counts),
      1003: dealer,
      1004: primaryId,
      1005: constant,
      1006: 0,
      1007: 'Kontor',
      1008: productVersion,
    },
    ...{
      1009: 0,
      1010: 'Kontor',
      1011: isOneYear ? 1 : 2,
      1012: folderOf(uniform).replaceAll('/', '\\'),
      1013: 2,
      1014: 1,
    },
    1015: isCompany(issuer) ? (issuer.registrationNumber ?? dealer) : 0,
    ...{ 1016: 0, 1018: issuer.name, ...addressFields(issuer.address, [1019, 1020, 1021, 1022]) },
    ...{
      1023: isOneYear ? from.slice(0, 4) : 0,
      1024: compactDay(from),
      1025: compactDay(to),
      1026: compactDay(day),
      1027: time,
    },
    ...{ 1028: 0, 1029: 1, 1030: 'ZIP', 1032: home, 1034: 0 },
  })
  const summaries = [...counts].map(([code, count]) => `${code}${String(count).padStart(15, '0')}`)
  return hebrewBytes([opening, ...summaries].map((line) => `${line}\r\n`).join(''))
}

const isCompany = ({ registrationNumber, name, address }: Uniform['issuer']) =>
  registrationNumber !== null && il.documents.isRegistered({ name, address, registrationNumber, taxNumber: null })
