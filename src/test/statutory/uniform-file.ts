import { unzipSync } from 'fflate'
import { expect } from 'vitest'

/** A reader of the uniform file, written from the instructions and not from the writer: lengths, columns and references. */

const columns: Record<string, string> = {
  A000: '1000:4 1001:5 1002:15 1003:9 1004:15 1005:8 1006:8 1007:20 1008:20 1009:9 1010:20 1011:1 1012:50 1013:1 1014:1 1015:9 1016:9 1017:10 1018:50 1019:50 1020:10 1021:30 1022:8 1023:4 1024:8 1025:8 1026:8 1027:4 1028:1 1029:1 1030:20 1032:3 1034:1 1035:46',
  A100: '1100:4 1101:9 1102:9 1103:15 1104:8 1105:50',
  Z900: '1150:4 1151:9 1152:9 1153:15 1154:8 1155:15 1156:50',
  C100: '1200:4 1201:9 1202:9 1203:3 1204:20 1205:8 1206:4 1207:50 1208:50 1209:10 1210:30 1211:8 1212:30 1213:2 1214:15 1215:9 1216:8 1217:15 1218:3 1219:15 1220:15 1221:15 1222:15 1223:15 1224:12 1225:15 1226:10 1228:1 1230:8 1231:7 1233:9 1234:7 1235:13',
  D110: '1250:4 1251:9 1252:9 1253:3 1254:20 1255:4 1256:3 1257:20 1258:1 1259:20 1260:30 1261:50 1262:30 1263:20 1264:17 1265:15 1266:15 1267:15 1268:4 1270:7 1272:8 1273:7 1274:7 1275:21',
  D120: '1300:4 1301:9 1302:9 1303:3 1304:20 1305:4 1306:1 1307:10 1308:10 1309:15 1310:10 1311:8 1312:15 1313:1 1314:20 1315:1 1320:7 1322:8 1323:7 1324:60',
  B100: '1350:4 1351:9 1352:9 1353:10 1354:5 1355:8 1356:15 1357:20 1358:3 1359:20 1360:3 1361:50 1362:8 1363:8 1364:15 1365:15 1366:1 1367:3 1368:15 1369:15 1370:12 1371:10 1372:10 1374:7 1375:8 1376:9 1377:25',
  B110: '1400:4 1401:9 1402:9 1403:15 1404:50 1405:15 1406:30 1407:50 1408:10 1409:30 1410:8 1411:30 1412:2 1413:15 1414:15 1415:15 1416:15 1417:4 1419:9 1421:7 1422:15 1423:3 1424:16',
  M100: '1450:4 1451:9 1452:9 1453:20 1454:20 1455:20 1456:50 1457:10 1458:30 1459:20 1460:12 1461:12 1462:12 1463:10 1464:10 1465:50',
}

const lengths: Record<string, number> = {
  A000: 466,
  A100: 95,
  B100: 317,
  B110: 376,
  C100: 444,
  D110: 339,
  D120: 222,
  M100: 298,
  Z900: 110,
}

/** Signed fields: a sign and digits. */
const signed = [
  1217, 1219, 1220, 1221, 1222, 1223, 1224, 1264, 1265, 1266, 1267, 1312, 1368, 1369, 1370, 1414, 1415, 1416, 1422,
  1460, 1461, 1462, 1463, 1464,
]

/** The fields of a record by their numbers. Text has no trailing spaces. */
export type Fields = Record<number, string> & { code: string }

export type UniformContents = {
  folder: string
  ini: Fields
  summaries: Record<string, number>
  records: Fields[]
  summary: string
}

const decode = (bytes: Uint8Array) => {
  for (const byte of bytes)
    if (!(byte === 0x0d || byte === 0x0a || (byte >= 0x20 && byte <= 0x7e) || (byte >= 0xe0 && byte <= 0xfa)))
      throw new Error(`The byte ${byte} is no character of ISO-8859-8.`)
  return new TextDecoder('iso-8859-8').decode(bytes)
}

const linesOf = (bytes: Uint8Array) => {
  const text = decode(bytes)
  expect(text.endsWith('\r\n')).toBe(true)
  const lines = text.slice(0, -2).split('\r\n')
  for (const line of lines) expect(line).not.toMatch(/[\r\n]/)
  return lines
}

function fieldsOf(line: string): Fields {
  const code = line.slice(0, 4)
  expect([code, line.length]).toEqual([code, lengths[code]])
  const fields: Fields = Object.assign({}, { code })
  let at = 0
  for (const column of (columns[code] ?? '').split(' ')) {
    const [number = 0, width = 0] = column.split(':').map(Number)
    const text = line.slice(at, at + width)
    if (signed.includes(number)) expect(text, String(number)).toMatch(/^[+-]\d+$/)
    fields[number] = text.trimEnd()
    at += width
  }
  expect(at).toBe(lengths[code])
  return fields
}

/** Reads the archive and checks what holds for every uniform file. */
export function readUniformFile(archive: Uint8Array): UniformContents {
  const files = unzipSync(archive)
  const path = Object.keys(files).find((name) => name.endsWith('/INI.TXT')) ?? ''
  expect(path).toMatch(/^OPENFRMT\/\d{8}\.\d\d\/\d{8}\/INI\.TXT$/)
  const folder = path.replace('/INI.TXT', '')
  const [opening = '', ...counts] = linesOf(files[path] ?? new Uint8Array())
  const ini = fieldsOf(opening)
  const summaries = Object.fromEntries(
    counts.map((line) => {
      expect(line).toMatch(/^[A-Z]\d{18}$/)
      return [line.slice(0, 4), Number(line.slice(4))]
    }),
  )
  const data = unzipSync(files[`${folder}/BKMVDATA.zip`] ?? new Uint8Array())['BKMVDATA.TXT'] ?? new Uint8Array()
  const records = linesOf(data).map(fieldsOf)
  const contents = { folder, ini, summaries, records, summary: new TextDecoder().decode(files['summary.csv']) }
  checkNumbers(contents)
  checkDocuments(contents)
  checkBooks(contents)
  return contents
}

export const ofType = ({ records }: Pick<UniformContents, 'records'>, code: string) =>
  records.filter((each) => each.code === code)
export const amount = (text: string | undefined) => Number(text) / 100
const sum = (records: Fields[], field: number) => records.reduce((all, each) => all + Number(each[field]), 0)

/** Record numbers, identifiers and counts. */
function checkNumbers({ folder, ini, summaries, records }: UniformContents) {
  expect(ini[1012]).toBe(folder.replaceAll('/', '\\'))
  expect(ini).toMatchObject({ 1005: '&OF1.31&', 1029: '1', 1032: 'ILS' })
  expect(Number(ini[1002])).toBe(records.length)
  const [first, last] = [records[0], records.at(-1)]
  expect([first?.code, last?.code]).toEqual(['A100', 'Z900'])
  expect([first?.[1103], last?.[1153]]).toEqual([ini[1004], ini[1004]])
  expect(ini[1004]).toMatch(/^\d{15}$/)
  expect([first?.[1104], last?.[1154]]).toEqual(['&OF1.31&', '&OF1.31&'])
  expect(Number(last?.[1155])).toBe(records.length)
  for (const [index, record] of records.entries()) {
    const [, number = 0, dealer = 0] = (columns[record.code] ?? '')
      .split(' ')
      .map((column) => Number(column.split(':')[0]))
    expect(Number(record[number])).toBe(index + 1)
    expect(record[dealer]).toBe(ini[1003])
  }
  const counted: Record<string, number> = {}
  for (const { code } of records) counted[code] = (counted[code] ?? 0) + 1
  expect(Object.fromEntries(Object.entries(summaries).filter(([, count]) => count > 0))).toEqual(counted)
}

/** Headers, lines and payments of documents. */
function checkDocuments(contents: UniformContents) {
  const headers = ofType(contents, 'C100')
  const links = new Set(headers.map((header) => header[1234]))
  expect(links.size).toBe(headers.length)
  expect(new Set(headers.map((header) => `${header[1203]} ${header[1204]}`)).size).toBe(headers.length)
  const lines = ofType(contents, 'D110')
  const money = ofType(contents, 'D120')
  for (const line of lines) expect(links).toContain(line[1273])
  for (const line of money) expect(links).toContain(line[1323])
  const items = new Set(ofType(contents, 'M100').map((item) => item[1455]))
  expect(items.size).toBe(ofType(contents, 'M100').length)
  for (const line of lines) if (line[1259]) expect(items).toContain(line[1259])
  for (const header of headers) {
    const own = lines.filter((line) => line[1273] === header[1234])
    const paid = money.filter((line) => line[1323] === header[1234])
    for (const line of own)
      expect([line[1253], line[1254], line[1272]]).toEqual([header[1203], header[1204], header[1230]])
    for (const line of paid)
      expect([line[1303], line[1304], line[1322]]).toEqual([header[1203], header[1204], header[1230]])
    expect(own.map((line) => Number(line[1255]))).toEqual(own.map((_, index) => index + 1))
    expect(paid.map((line) => Number(line[1305]))).toEqual(paid.map((_, index) => index + 1))
    const [gross, reduction, net, vat, total, withheld] = [1219, 1220, 1221, 1222, 1223, 1224].map((field) =>
      Number(header[field]),
    )
    const named = `${header[1203]} ${header[1204]}`
    expect([named, Number(gross) + Number(reduction)]).toEqual([named, net])
    expect([named, Number(net) + Number(vat)]).toEqual([named, total])
    const isReceipt = header[1203] === '400' || header[1203] === '320'
    if (header[1203] === '400') expect(own).toEqual([])
    else expect([named, sum(own, 1267)]).toEqual([named, gross])
    if (isReceipt) expect([named, sum(paid, 1312) + Number(withheld)]).toEqual([named, total])
    else expect(paid).toEqual([])
  }
}

/** Entries that are balanced, and accounts whose sums are those of their lines. */
function checkBooks(contents: UniformContents) {
  const lines = ofType(contents, 'B100')
  const accounts = ofType(contents, 'B110')
  const keys = new Set(accounts.map((account) => account[1403]))
  expect(keys.size).toBe(accounts.length)
  const entries = new Map<string, number>()
  for (const line of lines) {
    expect(keys).toContain(line[1364])
    if (line[1365]) expect(keys).toContain(line[1365])
    expect(['1', '2']).toContain(line[1366])
    const signedAmount = (line[1366] === '1' ? 1 : -1) * Number(line[1368])
    entries.set(String(line[1353]), (entries.get(String(line[1353])) ?? 0) + signedAmount)
  }
  expect([...entries.values()].filter((rest) => rest !== 0)).toEqual([])
  for (const account of accounts) {
    const own = lines.filter((line) => line[1364] === account[1403])
    const side = (code: string) =>
      sum(
        own.filter((line) => line[1366] === code),
        1368,
      )
    expect([account[1403], Number(account[1415]), Number(account[1416])]).toEqual([account[1403], side('1'), side('2')])
  }
  expect(sum(accounts, 1414)).toBe(0)
  const receivables = new Set(ofType(contents, 'C100').map((header) => header[1225]))
  for (const key of receivables) expect(keys).toContain(key)
}
