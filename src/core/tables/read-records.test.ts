import { describe, expect, test } from 'vitest'
import { pdf, zeros, zip } from '../../test/fakes/bombs.ts'
import { xlsx } from '../../test/spreadsheet.ts'
import type { Field, Reading } from './field.ts'
import { readRecords } from './read-records.ts'

const fields: Field[] = [
  { name: 'name', type: 'TEXT', required: true, headers: ['customer', 'שם'] },
  { name: 'code', type: 'TEXT', headers: ['code'] },
  { name: 'price', type: 'DECIMAL', headers: ['price', 'מחיר'] },
  { name: 'on', type: 'DAY', headers: ['date', 'תאריך'] },
  { name: 'active', type: 'YES_NO', headers: ['active', 'פעיל'] },
  { name: 'amount', type: 'AMOUNT', headers: ['amount'] },
  { name: 'country', type: 'COUNTRY', headers: ['country'] },
  { name: 'currency', type: 'CURRENCY', headers: ['currency'] },
]
const reading: Reading = { fields, identity: [['code'], ['name']], usualOrder: 'DMY', country: 'IL', currency: 'ILS' }

const read = (file: string | Buffer, more: Partial<Reading> = {}) =>
  readRecords(Buffer.from(file as string), { ...reading, ...more })
const records = (file: string | Buffer, more: Partial<Reading> = {}) => {
  const result = read(file, more)
  expect(result.problems).toEqual([])
  return (JSON.parse(result.records) as Record<string, unknown>[]).map(({ id: _, ...record }) => record)
}
const problem = (file: string | Buffer, more: Partial<Reading> = {}) => read(file, more).problems[0]
const cellAs = (field: string, text: string, more: Partial<Reading> = {}) =>
  records(`name\t${field}\nAcme\t${text}\n`, more)[0]?.[field]

describe('a CSV file', () => {
  test.each([
    ['commas', 'name,code\nAcme,7\n'],
    ['semicolons', 'name;code\nAcme;7\n'],
    ['tabs', 'name\tcode\nAcme\t7\n'],
    ['a byte order mark and CRLF', '\ufeffname,code\r\nAcme,7\r\n'],
    ['quotation marks', '"name","code"\n"Acme","7"'],
    ['CR alone', 'name,code\rAcme,7\r'],
    ['UTF-16 with a mark', Buffer.from('\ufeffname;code\nAcme;7\n', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('name;code\nAcme;7\n', 'utf16le')],
    ['UTF-16 with the high byte first', Buffer.from('\ufeffname;code\nAcme;7\n', 'utf16le').swap16()],
  ])('is read with %s', (_, file) => {
    expect(records(file)).toEqual([{ row: 2, name: 'Acme', code: '7' }])
  })

  test('is read in windows-1255, with Hebrew headers', () => {
    const hebrew = (text: string) =>
      Buffer.from(
        [...text].map((letter) =>
          letter >= 'א' && letter <= 'ת' ? letter.charCodeAt(0) - 0x5d0 + 0xe0 : letter.charCodeAt(0),
        ),
      )
    const file = hebrew('שם;מחיר;פעיל\nשלום בעמ;12.5;כן\n')
    expect(read(file).encoding).toBe('windows-1255')
    expect(records(file)).toEqual([{ row: 2, name: 'שלום בעמ', price: '12.5', active: true }])
  })

  test('is read in windows-1252', () => {
    const file = Buffer.from('name;code\nMüller & Café;7\n', 'latin1')
    expect(read(file).encoding).toBe('windows-1252')
    expect(records(file)[0]?.name).toBe('Müller & Café')
  })

  test('keeps separators and line breaks inside quotation marks, and formulas as text', () => {
    expect(records('name,code\n"Acme, ""the"" one\nLtd",=1+1\n')).toEqual([
      { row: 2, name: 'Acme, "the" one\nLtd', code: '=1+1' },
    ])
  })

  test.each([
    ['שם;קוד "א;מחיר', ';'],
    ['מק"ט;שם;מחיר', ';'],
    ['ח"פ;שם;מחיר', ';'],
    ['מק"ט\tשם\tמחיר', '\t'],
    ['"מק"ט";"שם";"מחיר"', ';'],
    ['"a, b, ""c"", d";שם;מחיר', ';'],
  ])('has a quotation mark inside of a header: %s', (header, separator) => {
    const line = (cells: string[]) => `${cells.join(separator)}\n`
    const file = `${header}\n${line(['Acme', 'Acme', '5'])}`
    const result = read(file)
    expect(result.columns).toHaveLength(3)
    expect(result.columns.map(({ field }) => field)).toContain('price')
    expect(records(`name${separator}code\n${line(['Screen 5" wide', '7"'])}`)).toEqual([
      { row: 2, name: 'Screen 5" wide', code: '7"' },
    ])
    expect(read(file.replaceAll('\n', '\r')).columns).toHaveLength(3)
  })

  test('numbers rows as a spreadsheet does, and skips those without content', () => {
    expect(records('name\n\nAcme\n \nGlobex\n').map(({ row }) => row)).toEqual([3, 5])
  })

  test.each([
    ['', 'FILE_EMPTY'],
    ['\n\n', 'FILE_EMPTY'],
    [pdf(), 'FILE_UNREADABLE'],
    [Buffer.from([0, 1, 2, 3, 0, 0, 7]), 'FILE_UNREADABLE'],
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'FILE_UNREADABLE'],
    ['name,code\n"Acme,7\n', 'FILE_UNREADABLE'],
    [`name${','.repeat(300)}\n`.replace(/,/g, ',x'), 'TABLE_TOO_LARGE'],
  ])('that is none is refused (%#)', (file, code) => {
    expect(() => read(file)).toThrowError(expect.objectContaining({ code }))
  })

  test('has no sheets', () => {
    expect(() => read('name\nAcme\n', { sheet: 'One' })).toThrowError(expect.objectContaining({ path: 'sheet' }))
  })

  test('with only a header has no records', () => {
    expect(read('name,code\n')).toMatchObject({ rowCount: 0, records: '[]', problemCount: 0 })
  })

  test('with too many rows is refused', () => {
    expect(records('name\na\nb\n', { rowsMax: 2 })).toHaveLength(2)
    expect(() => read('name\na\nb\nc\n', { rowsMax: 2 })).toThrowError(
      expect.objectContaining({ code: 'TABLE_TOO_LARGE' }),
    )
  })
})

describe('a number', () => {
  test.each([
    ['1,234.56', '1234.56'],
    ['1.234,56', '1234.56'],
    ['1 234,56', '1234.56'],
    ['1 234,56', '1234.56'],
    ["1'234.50", '1234.5'],
    ['1,234', '1234'],
    ['1,234,567', '1234567'],
    ['1.234.567', '1234567'],
    ['12,5', '12.5'],
    ['.5', '0.5'],
    ['(1,234.56)', '-1234.56'],
    ['1,234.56-', '-1234.56'],
    ['-5', '-5'],
    ['₪ 1,200', '1200'],
    ['1,200 ₪', '1200'],
    ['$12.50', '12.5'],
    ['EUR 3,50', '3.5'],
    ['100 ש"ח', '100'],
    ['9%', '9'],
  ])('%s is %s', (text, value) => {
    expect(cellAs('price', text)).toBe(value)
  })

  test('with a point and three digits is a thousand where other cells have decimal commas', () => {
    expect(records('name;price\na;1.234\nb;12,50\n').map(({ price }) => price)).toEqual(['1234', '12.5'])
    expect(records('name;price\na;1.234\nb;12.50\n').map(({ price }) => price)).toEqual(['1.234', '12.5'])
  })

  test.each(['abc', '1,23,4', '--5', '1 2', '1.2.3,4.5'])('%s is none', (text) => {
    expect(problem(`name\tprice\nAcme\t${text}\n`)).toMatchObject({ row: 2, column: 'price', field: 'price' })
  })
})

describe('a date', () => {
  test.each([
    ['2026-01-31', '2026-01-31'],
    ['31/01/2026', '2026-01-31'],
    ['31.1.26', '2026-01-31'],
    ['01/02/2026', '2026-02-01'],
    ['01/31/2026', '2026-01-31'],
    ['31 Jan 2026', '2026-01-31'],
    ['January 31, 2026', '2026-01-31'],
    ['31 בינואר 2026', '2026-01-31'],
    ['31/01/2026 10:30', '2026-01-31'],
    ['20260131', '2026-01-31'],
  ])('%s is %s in Israel', (text, day) => {
    expect(cellAs('on', text)).toBe(day)
  })

  test('is month first where that is usual, or as the caller or another cell says', () => {
    expect(cellAs('on', '01/02/2026', { usualOrder: 'MDY' })).toBe('2026-01-02')
    expect(cellAs('on', '01/02/2026', { dateOrder: 'MDY' })).toBe('2026-01-02')
    expect(cellAs('on', '26/01/02', { dateOrder: 'YMD' })).toBe('2026-01-02')
    expect(records('name,date\na,01/02/2026\nb,13/02/2026\n', { usualOrder: 'MDY' }).map(({ on }) => on)).toEqual([
      '2026-02-01',
      '2026-02-13',
    ])
  })

  test('that may be read in two ways is refused if the file has both orders', () => {
    expect(records('name,date\na,13/02/2026\nb,02/13/2026\n')).toHaveLength(2)
    expect(problem('name,date\na,13/02/2026\nb,02/13/2026\nc,01/02/2026\n')).toMatchObject({ row: 4, column: 'date' })
  })

  test('that does not exist is refused', () => {
    expect(problem('name,date\na,31/02/2026\n')).toMatchObject({ row: 2, column: 'date' })
  })
})

test('words are read in English and Hebrew', () => {
  expect(['yes', 'No', 'כן', 'לא', 'TRUE', '0'].map((word) => cellAs('active', word))).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
  ])
  expect([cellAs('country', 'ישראל'), cellAs('country', 'Singapore')]).toEqual(['IL', 'SG'])
  expect([cellAs('currency', 'ש"ח'), cellAs('currency', 'usd')]).toEqual(['ILS', 'USD'])
  expect(cellAs('amount', '1,234.50')).toBe('123450')
  expect(problem('name;amount\nAcme;1.005\n')).toMatchObject({ column: 'amount' })
})

test('unknown columns are left out and get a suggestion, and a mapping decides', () => {
  const file = 'Our customer of choice,Colour\nAcme,red\n'
  expect(read(file)).toMatchObject({
    missing: ['name'],
    columns: [
      { column: 'A', field: null, suggestion: 'name' },
      { column: 'B', field: null, suggestion: null },
    ],
  })
  expect(records(file, { mapping: { 'Our customer of choice': 'name', B: 'code' } })).toEqual([
    { row: 2, name: 'Acme', code: 'red' },
  ])
  expect(records('name,code\nAcme,7\n', { mapping: { code: '' } })).toEqual([{ row: 2, name: 'Acme' }])
  for (const mapping of [{ Z: 'name' }, { A: 'nothing' }, { A: 'name', B: 'name' }])
    expect(() => read(file, { mapping })).toThrowError(expect.objectContaining({ code: 'UNKNOWN_COLUMN' }))
})

describe('a small file that would take long', () => {
  const book = (path: string, xml: string) => xlsx([{ rows: [['name'], ['Acme']] }], { more: { [path]: xml } })
  const sheet = (xml: string) =>
    book('xl/worksheets/sheet1.xml', `<worksheet><sheetData>${xml}</sheetData></worksheet>`)

  test.each([
    ['line breaks', () => '\n'.repeat(110_000), /without content/],
    ['rows between empty ones', () => 'x\n\n\n'.repeat(60_000), /without content/],
    ['rows that end with CR', () => 'x\r'.repeat(110_000), /more than 100,000 rows/],
    ['shared texts', () => book('xl/sharedStrings.xml', `<sst>${'<si/>'.repeat(2_100_000)}</sst>`), /texts/],
    ['empty rows', () => sheet('<row/>'.repeat(1_100_000)), /without content/],
    ['empty cells', () => sheet(`<row>${'<c/>'.repeat(20_000)}</row>`), /columns/],
    ['formats', () => book('xl/styles.xml', `<s><cellXfs>${'<xf/>'.repeat(1_100_000)}</cellXfs></s>`), /elements/],
    ['sheets', () => book('xl/workbook.xml', `<w>${'<sheet/>'.repeat(1_100_000)}</w>`), /elements/],
  ])('is refused early: %s', (_, make, message) => {
    expect(() => read(make())).toThrowError(
      expect.objectContaining({ code: 'TABLE_TOO_LARGE', message: expect.stringMatching(message) }),
    )
  })
})

test('a row that is the same record as an earlier one is named with it', () => {
  expect(problem('name,code\nAcme,1\nGlobex,2\nOther,1\n')).toMatchObject({
    row: 4,
    message: expect.stringContaining('row 2'),
  })
  expect(problem('name,code\nAcme,\nACME,2\n')).toMatchObject({ row: 3 })
  expect(records('name,code\nAcme,1\nAcme,2\n')).toHaveLength(2) // the codes differ
})

describe('a spreadsheet', () => {
  const table = [
    ['name', 'price', 'date', 'active'],
    ['Acme & Co', 12.5, { xml: '<c s="1"><v>46053</v></c>' }, true],
  ]

  test('is read with texts, numbers, dates and yes or no', () => {
    expect(records(xlsx([{ rows: table }]))).toEqual([
      { row: 2, name: 'Acme & Co', price: '12.5', on: '2026-01-31', active: true },
    ])
  })

  test('is read with inline texts, results of formulas, dates of 1904 and numbers that are codes', () => {
    const rows = [
      ['name', 'code', 'price', 'date'],
      [
        { xml: '<c t="inlineStr"><is><t>Acme</t></is></c>' },
        7290001234567,
        { xml: '<c><f>1+1</f><v>0.30000000000000004</v></c>' },
        { xml: '<c s="2"><v>44591</v></c>' },
      ],
      [{ xml: '<c t="str"><f>A2</f><v>Globex</v></c>' }, null, { xml: '<c s="3"><v>5</v></c>' }],
    ]
    expect(records(xlsx([{ rows }], { date1904: true }))).toEqual([
      { row: 2, name: 'Acme', code: '7290001234567', price: '0.3', on: '2026-01-31' },
      { row: 3, name: 'Globex', price: '5' },
    ])
  })

  test('is read from the first visible or the named sheet', () => {
    const sheets = [
      { name: 'Old', state: 'hidden' as const, rows: [['name'], ['Hidden']] },
      { name: 'New', rows: [['name'], ['Acme']] },
      { name: 'Other', rows: [['name'], ['Globex']] },
    ]
    expect(records(xlsx(sheets))[0]?.name).toBe('Acme')
    expect(records(xlsx(sheets), { sheet: 'other' })[0]?.name).toBe('Globex')
    expect(() => read(xlsx(sheets), { sheet: 'None' })).toThrowError(/"Old", "New", "Other"/)
  })

  test('a cell with an error is named', () => {
    const rows = [
      ['name', 'price'],
      ['Acme', { xml: '<c t="e"><v>#DIV/0!</v></c>' }],
    ]
    expect(problem(xlsx([{ rows }]))).toMatchObject({
      row: 2,
      column: 'price',
      message: expect.stringContaining('#DIV/0!'),
    })
  })

  test.each([
    ['expands without end', () => zip(zeros(300), { named: 'xl/workbook.xml' }), 'FILE_EXPANDS'],
    [
      'declares entities',
      () => xlsx([{ rows: table }], { more: { 'xl/workbook.xml': '<!DOCTYPE x [<!ENTITY a "b">]><workbook/>' } }),
      'XML_ENTITIES',
    ],
    [
      'has too many columns',
      () => xlsx([{ rows: [Array.from({ length: 201 }, (_, n) => `c${n}`)] }]),
      'TABLE_TOO_LARGE',
    ],
    ['is another archive', () => zip(Buffer.from('hello')), 'FILE_UNREADABLE'],
    ['is cut off', () => xlsx([{ rows: table }]).subarray(0, 400), 'FILE_UNREADABLE'],
    ['has no cells', () => xlsx([{ rows: [] }]), 'FILE_EMPTY'],
  ])('that %s is refused', (_, file, code) => {
    expect(() => read(file())).toThrowError(expect.objectContaining({ code }))
  })

  const withRow = (number: string) =>
    xlsx([], {
      more: {
        'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="rId1"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="rId1" Type="http://x/worksheet" Target="sheet.xml"/></Relationships>',
        'xl/sheet.xml': `<worksheet><sheetData><row r="${number}"><c t="str"><v>name</v></c></row></sheetData></worksheet>`,
      },
    })
  test('with a row number twice is refused', () => {
    const twice = withRow('7"/><row r="7')
    expect(() => read(twice)).toThrowError(expect.objectContaining({ code: 'FILE_UNREADABLE' }))
  })

  const withTarget = (target: string, type = 'worksheet') =>
    xlsx([{ rows: table }], {
      more: {
        'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="http://x/${type}" Target="${target}"/></Relationships>`,
      },
    })

  test.each([
    ...['abc', '-5', '0', '1.5', '', '1e3', '99999999999'].map(
      (number) => [`row ${number}`, () => withRow(number)] as const,
    ),
    ...['%E0%A4%A', 'http://[bad', '', 'nowhere.xml', '//'].map(
      (target) => [`target ${target}`, () => withTarget(target)] as const,
    ),
    ['strings elsewhere', () => withTarget('%E0%A4%A', 'sharedStrings')] as const,
  ])('that is damaged is refused: %s', (_, file) => {
    expect(read(withRow('1')).columns).toHaveLength(1)
    expect(() => read(file())).toThrowError(
      expect.objectContaining({ code: 'FILE_UNREADABLE', message: 'The spreadsheet is damaged and cannot be read.' }),
    )
  })

  test('has no characters in an e-mail address that cannot be stored', () => {
    const email: Field[] = [{ name: 'email', type: 'EMAIL', headers: [] }]
    for (const character of ['\0', '&#xD800;'])
      expect(
        problem(xlsx([{ rows: [['email'], [{ xml: `<c t="str"><v>a${character}@x.test</v></c>` }]] }]), {
          fields: email,
          identity: [],
        }),
      ).toMatchObject({ row: 2, field: 'email' })
  })

  test('with 200 columns is read', () => {
    const header = ['name', ...Array.from({ length: 199 }, (_, n) => `c${n}`)]
    expect(records(xlsx([{ rows: [header, ['Acme']] }]))).toEqual([{ row: 2, name: 'Acme' }])
  })
})
