import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import MailComposer from 'nodemailer/lib/mail-composer'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { MailContent } from '../../../core/outside/mail-reader.ts'
import { sample } from '../../../test/einvoices/samples.ts'
import {
  type AttachedFile,
  composeMail,
  filePart,
  type Mail,
  multipart,
  writeMail,
} from '../../../test/mails/compose.ts'
import {
  billFile,
  bodyReceiptMail,
  bounceMail,
  forwardMail,
  invitationMail,
  linkMail,
  newsletterMail,
  pdfFile,
  pdfMail,
  personalMail,
  receiptMail,
  textReceiptMail,
} from '../../../test/mails/mails.ts'
import { tnefFile } from '../../../test/mails/tnef.ts'
import { newFolder } from '../../../test/temporary-folder.ts'
import { readMail } from './read-mail.ts'

const folder = newFolder('mails')

async function outcomeOf(mail: Buffer) {
  const own = mkdtempSync(join(folder, 'mail-'))
  writeFileSync(join(own, 'mail.eml'), mail)
  return readMail({ path: join(own, 'mail.eml'), folder: mkdtempSync(join(own, 'files-')) })
}

async function contentOf(mail: Buffer): Promise<MailContent> {
  const outcome = await outcomeOf(mail)
  if ('unread' in outcome) throw new Error(outcome.message)
  return outcome.content
}

const namesOf = ({ documents }: MailContent) => documents.map(({ name }) => name)
const textOf = ({ body }: MailContent) =>
  (body?.blocks ?? []).map((block) => (block.kind === 'row' ? block.cells.join(' | ') : block.text))
const compose = (mail: Mail) => contentOf(composeMail(mail))

async function picture(
  name: string,
  [width, height]: [number, number],
  more: Partial<AttachedFile> = {},
): Promise<AttachedFile> {
  const blank = sharp({ create: { width, height, channels: 3, background: '#888' } })
  const isPng = name.endsWith('.png')
  return {
    name,
    type: isPng ? 'image/png' : 'image/jpeg',
    content: await (isPng ? blank.png() : blank.jpeg()).toBuffer(),
    ...more,
  }
}

const html = (cid: string, words = '') => `<p>${words}</p><img src="cid:${cid}">`
const longText = 'Dear colleagues, thank you for the good meeting of last week. '.repeat(10)

describe('the documents of a message', () => {
  test('INV-16: a message has its id, sender, subject, time and the files that may be invoices', async () => {
    const content = await contentOf(receiptMail({ id: 'one', number: 'A-77', date: new Date('2026-02-03T04:05:06Z') }))
    expect(content).toMatchObject({
      messageId: '<one@acme.example>',
      subject: 'Invoice A-77',
      from: { address: 'billing@acme.example', name: 'Acme Ltd' },
      sentAt: '2026-02-03T04:05:06.000Z',
      body: null,
      reason: null,
    })
    expect(content.documents).toEqual([
      {
        path: expect.any(String),
        name: 'bill.xml',
        contentType: 'application/xml',
        size: expect.any(Number),
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
    expect(readFileSync(content.documents[0]?.path ?? '', 'utf8')).toContain('A-77')
  })

  test('a message that nodemailer writes is read, with names and texts in Hebrew', async () => {
    const mail = new MailComposer({
      from: '"ספק בע״מ" <a@alon.example>',
      to: 'b@globex.example',
      subject: 'חשבונית מס קבלה 1234',
      text: 'מצורפת חשבונית',
      attachments: [{ filename: 'חשבונית 1234.pdf', content: Buffer.from(pdfFile().content) }],
    })
    const content = await contentOf(await mail.compile().build())
    expect(content).toMatchObject({ subject: 'חשבונית מס קבלה 1234', from: { name: 'ספק בע״מ' } })
    expect(namesOf(content)).toEqual(['חשבונית 1234.pdf'])
  })

  test('the type of a file is that of its content, and other XML is no document', async () => {
    const hidden = { ...pdfFile('scan.dat'), type: 'application/octet-stream' }
    const note = { name: 'note.pdf', type: 'application/pdf', content: 'just a text' }
    const other = { name: 'feed.xml', type: 'application/xml', content: '<?xml version="1.0"?><feed/>' }
    const cii = { name: 'x.xml', type: 'text/xml', content: sample('cii-en16931') }
    const content = await compose({ text: 'see attached', files: [note, hidden, other, cii] })
    expect(content.documents.map(({ name, contentType }) => [name, contentType])).toEqual([
      ['x.xml', 'application/xml'],
      ['scan.dat', 'application/pdf'],
    ])
    expect((await compose({ text: 'see attached', files: [note, other] })).reason).toMatch(
      /No attached file is a picture.*note\.pdf, feed\.xml/,
    )
  })

  test('the most likely document is the first, and there are at most 20', async () => {
    const files = [
      await picture('small.jpg', [400, 500]),
      await picture('large.jpg', [900, 1200]),
      pdfFile('terms and conditions.pdf', ['Terms']),
      pdfFile('scan.pdf', ['Scan']),
      pdfFile('Receipt 5.pdf', ['Receipt']),
      billFile(),
    ]
    expect(namesOf(await compose({ text: '', files }))).toEqual([
      'bill.xml',
      'Receipt 5.pdf',
      'scan.pdf',
      'large.jpg',
      'small.jpg',
      'terms and conditions.pdf',
    ])
    const many = Array.from({ length: 25 }, (_, at) => pdfFile(`${at}.pdf`, [`Number ${at}`]))
    expect((await compose({ text: '', files: many })).documents).toHaveLength(20)
    expect((await compose({ text: '', files: [pdfFile('a.pdf'), pdfFile('copy of a.pdf')] })).documents).toHaveLength(1)
  })

  test('a PDF keeps its name', async () => {
    expect(namesOf(await contentOf(pdfMail({ name: 'Rechnung Ü-5.pdf' })))).toEqual(['Rechnung Ü-5.pdf'])
  })

  test('names of files have no folders and no characters that hide what they are', async () => {
    const names = namesOf(
      await compose({
        text: '',
        files: [
          pdfFile('../../etc/passwd.pdf', ['a']),
          pdfFile('C:\\x\\inv\u202efdp.exe', ['b']),
          pdfFile('..', ['c']),
        ],
      }),
    )
    expect(names.sort()).toEqual(['attachment', 'invfdp.exe', 'passwd.pdf'])
  })
})

describe('pictures', () => {
  test.for([
    ['a logo in a signature', ['image001.png', [220, 60], { cid: 'a' }], longText],
    ['a wide banner', ['banner.jpg', [1200, 200], {}], ''],
    ['a tracking pixel', ['p.png', [1, 1], { cid: 'a' }], ''],
    ['a drawing in a long text', ['image004.png', [900, 500], { cid: 'a' }], longText],
    ['a small attached icon', ['facebook.png', [128, 128], {}], ''],
  ] as const)('%s is no document', async ([, [name, size, more], words]) => {
    const content = await compose({ html: html('a', words), files: [await picture(name, [...size], more)] })
    expect(content).toMatchObject({ documents: [], body: null, reason: expect.stringContaining('decorative pictures') })
  })

  test.for([
    ['a photo that a phone sends in the text', ['IMG_1.jpg', [1500, 2000], { cid: 'a' }], ''],
    ['a photo that a phone sends inline without a text', ['image0.jpg', [1200, 1600], { inline: true }], ''],
    ['an attached scan', ['scan.png', [600, 850], {}], longText],
    ['a long strip', ['receipt.jpg', [300, 2400], {}], ''],
  ] as const)('%s is a document', async ([, [name, size, more], words]) => {
    const content = await compose({ html: html('a', words), files: [await picture(name, [...size], more)] })
    expect(namesOf(content)).toEqual([name])
  })
})

describe('messages that are no receipts say why', () => {
  test.for([
    ['newsletter', newsletterMail(), /newsletter/],
    ['invitation', invitationMail(), /invitation/],
    ['link', linkMail(), /links are not opened/],
    ['bounce', bounceMail(), /report about the delivery/],
    ['personal', personalMail(), /no total amount/],
    [
      'question about an amount',
      personalMail({ text: 'Can you send me the invoice for the $500 job?' }),
      /names an amount/,
    ],
    ['empty', composeMail({ text: '' }), /no text and no files/],
    [
      'office',
      composeMail({
        text: 'attached',
        files: [
          {
            name: 'invoice.docx',
            type: 'application/msword',
            content: Buffer.from(
              zipSync({
                '[Content_Types].xml': Buffer.from(
                  '<Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
                ),
                'word/document.xml': Buffer.from('<x/>'),
              }),
            ),
          },
        ],
      }),
      /Office documents are not read \(invoice\.docx\)/,
    ],
    [
      'contact',
      composeMail({ text: 'my card', files: [{ name: 'me.vcf', type: 'text/vcard', content: 'BEGIN:VCARD' }] }),
      /contact card/,
    ],
    [
      'PGP',
      writeMail(
        {},
        {
          type: 'multipart/encrypted; protocol="application/pgp-encrypted"',
          parts: [
            { type: 'application/pgp-encrypted', content: 'Version: 1' },
            { type: 'application/octet-stream', content: '-----BEGIN PGP MESSAGE-----' },
          ],
        },
      ),
      /encrypted/,
    ],
    [
      'S/MIME',
      writeMail(
        {},
        {
          type: 'application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m',
          content: Buffer.from('308006092a864886f70d010703', 'hex'),
        },
      ),
      /encrypted/,
    ],
  ] as const)('%s', async ([, mail, reason]) => {
    expect(await contentOf(mail)).toMatchObject({ documents: [], body: null, reason: expect.stringMatching(reason) })
  })

  test('a newsletter with an invoice attached, and an invitation with one, have a document', async () => {
    expect(namesOf(await contentOf(receiptMail({ headers: { 'List-Unsubscribe': '<https://a.example>' } })))).toEqual([
      'bill.xml',
    ])
    const calendar = { name: 'event.ics', type: 'text/calendar', content: 'BEGIN:VCALENDAR' }
    expect(namesOf(await compose({ text: 'Your ticket', files: [calendar, pdfFile()] }))).toEqual(['invoice.pdf'])
  })

  test('the content of a signed message is read, and its signature is no file', async () => {
    const signed = writeMail(
      {},
      {
        type: 'multipart/signed; protocol="application/pkcs7-signature"',
        parts: [
          multipart('mixed', [{ type: 'text/plain', content: 'attached' }, filePart(pdfFile())]),
          { type: 'application/pkcs7-signature; name=smime.p7s', content: 'x' },
        ],
      },
    )
    expect(namesOf(await contentOf(signed))).toEqual(['invoice.pdf'])
  })
})

describe('messages and archives inside', () => {
  test.for([
    ['attached', forwardMail(receiptMail())],
    ['attached twice', forwardMail(forwardMail(receiptMail()))],
    ['attached as a file of unknown type', composeMail({ text: '', files: [{ name: 'Invoice.eml', type: 'application/octet-stream', content: receiptMail() }] })],
  ] as const)('the document of a message that is %s is found', async ([, mail]) => {
    expect(namesOf(await contentOf(mail))).toEqual(['bill.xml'])
  })

  test('a receipt in the text of an attached message is found', async () => {
    expect(textOf(await contentOf(forwardMail(bodyReceiptMail())))).toContain('Total | $54.00')
  })

  test('the files of winmail.dat are found, in both forms of their names', async () => {
    const pdf = Buffer.from(pdfFile().content)
    const winmail = { name: 'winmail.dat', type: 'application/ms-tnef', content: tnefFile([{ name: 'INVOIC~1.PDF', longName: 'Invoice 2026.pdf', bytes: pdf }]) }
    const content = await compose({ text: 'attached', files: [winmail] })
    expect(namesOf(content)).toEqual(['Invoice 2026.pdf'])
    expect(readFileSync(content.documents[0]?.path ?? '').equals(pdf)).toBe(true)
    for (const at of [7, 20, 60, 150, 300]) {
      const cut = { ...winmail, content: winmail.content.subarray(0, at) }
      expect((await compose({ text: 'attached', files: [cut] })).documents).toEqual([])
    }
  })

  const zipFile = (files: Record<string, Uint8Array>, name = 'invoices.zip') => ({ name, type: 'application/zip', content: Buffer.from(zipSync(files)) })

  test('the documents in an archive are found, also in one inside it, and not deeper', async () => {
    const pdf = Buffer.from(pdfFile().content)
    const inner = (content: Uint8Array) => zipSync({ 'inner.zip': content })
    const plain = zipSync({ 'a.pdf': pdf })
    expect(namesOf(await compose({ text: '', files: [zipFile({ 'folder/../January.pdf': pdf, '__MACOSX/._January.pdf': Buffer.from('x') })] }))).toEqual(['January.pdf'])
    expect(namesOf(await compose({ text: '', files: [zipFile({ 'inner.zip': plain })] }))).toEqual(['a.pdf'])
    expect((await compose({ text: '', files: [zipFile({ 'inner.zip': inner(plain) })] })).reason).toMatch(/inside another archive/)
  })

  test('pictures in an Office document that looks like an archive are no documents', async () => {
    const photo = Buffer.from((await picture('a.jpg', [900, 1200])).content)
    expect(namesOf(await compose({ text: '', files: [zipFile({ 'media/photo.jpg': photo })] }))).toEqual(['photo.jpg'])
    const office = zipFile({ 'xl/media/photo.jpg': photo, '[Content_Types].xml': Buffer.from('<Types/>') }, 'invoice.xyz')
    expect((await compose({ text: '', files: [office] })).reason).toContain('Office documents are not read (invoice.xyz)')
  })

  test('an archive beyond the limits, with a password or damaged is named in the reason', async () => {
    const reasonOf = async (content: Buffer) => (await compose({ text: '', files: [{ name: 'a.zip', type: 'application/zip', content }] })).reason
    const files = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}.txt`, Buffer.from('x')]))
    expect(await reasonOf(Buffer.from(zipSync(files(50))))).toMatch(/No attached file/)
    expect(await reasonOf(Buffer.from(zipSync(files(51))))).toMatch(/archive a\.zip holds more than 50 files/)
    expect(await reasonOf(Buffer.from(zipSync({ 'bomb.pdf': new Uint8Array(51 * 1024 * 1024) }, { level: 1 })))).toMatch(/more than 50 MiB/)
    const locked = Buffer.from(zipSync({ 'a.txt': Buffer.from('x') }))
    locked.writeUInt16LE(1, locked.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1')) + 8)
    expect(await reasonOf(locked)).toMatch(/password/)
    expect(await reasonOf(Buffer.from(zipSync(files(1))).subarray(0, 40))).toMatch(/damaged/)
  })
}) // biome-ignore format: a case a line

describe('a receipt in the text', () => {
  test('HTML becomes headings, lines and rows; what is hidden, styles and scripts are dropped', async () => {
    const content = await contentOf(bodyReceiptMail())
    expect(content).toMatchObject({
      documents: [],
      reason: null,
      body: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expect(content.body?.blocks).toEqual([
      { kind: 'heading', text: 'Acme Cloud' },
      { kind: 'text', text: 'Thank you for your payment.' },
      { kind: 'row', cells: ['Receipt number', 'R-1001'] },
      { kind: 'row', cells: ['Date paid', 'January 20, 2026'] },
      { kind: 'row', cells: ['Description', 'Amount'] },
      { kind: 'row', cells: ['Team plan', '$54.00'] },
      { kind: 'row', cells: ['Total', '$54.00'] },
    ])
  })

  test.for([
    ['HTML in Hebrew', bodyReceiptMail({ language: 'he' }), 'סה"כ לתשלום | 54.00 ₪'],
    ['text', textReceiptMail(), 'Total | USD 54.00'],
    ['text in Hebrew', textReceiptMail({ language: 'he' }), 'סה״כ | 54.00 ₪'],
    [
      'a receipt with a header of mailing programs',
      bodyReceiptMail({ headers: { 'List-Unsubscribe': '<https://a.example>' } }),
      'Total | $54.00',
    ],
  ] as const)('%s', async ([, mail, line]) => {
    expect(textOf(await contentOf(mail))).toContain(line)
  })

  test('a layout of tables without a font size is read, and what only shows elsewhere is not', async () => {
    const mjml = (inner: string) =>
      `<div style="display:none;max-height:0">Preview</div><table style="font-size:0px"><tr><td style="font-size:0px"><div style="font-size:13px">${inner}</div></td></tr></table>`
    const content = await compose({
      html: mjml(
        '<p>Receipt 5</p><table><tr><td>Total<td>$5.00<tr><td>Paid with<br>Visa<td>4242</table><!--[if mso]>x<![endif]--><p hidden>y',
      ),
    })
    expect(content.body?.blocks).toEqual([
      { kind: 'text', text: 'Receipt 5' },
      { kind: 'row', cells: ['Total', '$5.00'] },
      { kind: 'row', cells: ['Paid with\nVisa', '4242'] },
    ])
  })

  test('a logo beside it is no document, and a large text is cut', async () => {
    const rows = '<tr><td>Chair</td><td>$10.00</td></tr>'.repeat(3_000)
    const receipt = `<img src="cid:a"><h1>Your receipt</h1><table><tr><td>Total</td><td>$30.00</td></tr>${rows}</table>`
    const content = await compose({ html: receipt, files: [await picture('photo.jpg', [1500, 2000], { cid: 'a' })] })
    expect(content.documents).toEqual([])
    expect(content.body?.blocks).toHaveLength(2_000)
  })

  test.for([
    [
      'Gmail',
      'Fwd: Your receipt',
      'FYI\n\n---------- Forwarded message ---------\nFrom: Shop <a@shop.example>\nDate: Tue, Jan 20, 2026 at 9:00\nSubject: Your receipt\nTo: <me@globex.example>\n\nReceipt 5\nTotal: $12.50',
    ],
    [
      'Apple Mail',
      'Fwd: Your receipt',
      'Begin forwarded message:\n\n> From: Shop <a@shop.example>\n> Subject: Your receipt\n> Date: 20 January 2026\n>\n> Receipt 5\n> Total: $12.50',
    ],
    [
      'Outlook',
      'FW: Your receipt',
      'See below\n\nFrom: Shop <a@shop.example>\nSent: Tuesday, January 20, 2026\nTo: me\nSubject: Your receipt\n\nReceipt 5\nTotal: $12.50',
    ],
    [
      'Outlook in Hebrew',
      'הועבר: קבלה',
      'מאת: Shop <a@shop.example>\nנשלח: 20 ינואר 2026\nאל: me\nנושא: קבלה\n\nReceipt 5\nTotal: $12.50',
    ],
    [
      'Gmail in Hebrew',
      'Fwd: קבלה',
      '---------- הודעה שהועברה ---------\nמאת: Shop <a@shop.example>\nתאריך: 20 ינואר\nנושא: קבלה\nאל: me\n\nReceipt 5\nTotal: $12.50',
    ],
  ] as const)('of a message that %s forwards in its text, the forwarded one is taken', async ([, subject, text]) => {
    expect(textOf(await compose({ subject, text }))).toEqual(['Receipt 5', 'Total: $12.50'])
  })

  test.for([
    ['On Tue, Jan 20, 2026 at 9:00 Shop <a@shop.example> wrote:\n> Receipt 5\n> Total: $12.50'],
    ['On Tue, Jan 20, 2026 at 9:00\nShop <a@shop.example> wrote:\nReceipt 5\nTotal: $12.50'],
    ['-----Original Message-----\nFrom: Shop\nSent: Tuesday\nTo: me\nSubject: Receipt\n\nReceipt 5\nTotal: $12.50'],
    ['From: Shop\nSent: Tuesday\nTo: me\nSubject: Receipt\n\nReceipt 5\nTotal: $12.50'],
    ['‫בתאריך יום ג׳, 20 בינו׳ 2026 ב-9:00 מאת ‪Shop‬‏ <‪a@shop.example‬‏>:\nReceipt 5\nTotal: $12.50'],
  ])('an earlier message that a reply quotes is no receipt', async ([quoted]) => {
    const subject = 'Re: Your receipt'
    expect(textOf(await compose({ subject, text: 'Receipt 5\nTotal: $12.50' }))).toEqual(['Receipt 5', 'Total: $12.50'])
    expect(await compose({ subject, text: `Thank you, received.\n\n${quoted}` })).toMatchObject({
      body: null,
      reason: expect.stringContaining('no receipt'),
    })
  })

  test('a ticket with the words from, to and date is no forwarded message', async () => {
    const lines = ['Rail Ltd', 'Receipt 5', 'From: Tel Aviv', 'To: Haifa', 'Date: 20 January 2026', 'Total: $12.50']
    expect(textOf(await compose({ subject: 'Your ticket', text: lines.join('\n') }))).toEqual(lines)
  })

  test('a receipt in the plain text is found if the HTML shows only a picture of it', async () => {
    const content = await compose({
      subject: 'Receipt',
      html: '<p>See this message in your browser</p><img src="https://a.example/x.png">',
      text: 'Receipt 5\nTotal: $12.50',
    })
    expect(textOf(content)).toEqual(['Receipt 5', 'Total: $12.50'])
  })

  test('a receipt in an attached page or text is found', async () => {
    const page = {
      name: 'receipt.html',
      type: 'text/html',
      content: '<html><body><p>Receipt 5</p><p>Total: $12.50</p></body></html>',
    }
    expect(textOf(await compose({ text: 'attached', files: [page] }))).toEqual(['Receipt 5', 'Total: $12.50'])
    expect(
      textOf(
        await compose({
          text: 'attached',
          files: [{ name: 'a.txt', type: 'text/plain', content: 'Receipt 5\nTotal: $12.50' }],
        }),
      ),
    ).toEqual(['Receipt 5', 'Total: $12.50'])
    expect(
      (await compose({ text: 'attached', files: [{ ...page, content: '<html><body>Hello</body></html>' }] })).reason,
    ).toContain('receipt.html')
  })

  test('quotations of HTML are left out, and kept where they are forwarded', async () => {
    const quote = '<blockquote type="cite"><p>Receipt 5</p><p>Total: $12.50</p></blockquote>'
    expect(await compose({ subject: 'Re: receipt', html: `<p>Thanks</p>${quote}` })).toMatchObject({ body: null })
    expect(
      textOf(await compose({ subject: 'Fwd: receipt', html: `<div>Begin forwarded message:</div>${quote}` })),
    ).toEqual(['Receipt 5', 'Total: $12.50'])
  })
})

describe('charsets', () => {
  const iconv = (text: string, table: Record<string, number[]>) =>
    Buffer.from([...text].flatMap((letter) => table[letter] ?? [letter.charCodeAt(0)]))
  const hebrew = Object.fromEntries([...'אבגדהוזחטיךכלםמןנסעףפץצקרשת'].map((letter, at) => [letter, [0xe0 + at]]))
  const receipt = 'קבלה 5\r\nלתשלום: 54.00 USD'
  test.for([
    ['windows-1255', iconv(receipt, hebrew), 'קבלה 5'],
    ['iso-8859-8', iconv(receipt, hebrew), 'קבלה 5'],
    ['iso-8859-8-i', iconv(receipt, hebrew), 'קבלה 5'],
    [
      'koi8-r',
      Buffer.concat([Buffer.from('feca', 'hex'), Buffer.from(' Receipt 5\r\nTotal: 54.00 USD')]),
      'Чй Receipt 5',
    ],
    [
      'gb18030',
      Buffer.concat([Buffer.from('cad5bedd', 'hex'), Buffer.from(' Receipt 5\r\nTotal: 54.00 USD')]),
      '收据 Receipt 5',
    ],
    [
      'big5',
      Buffer.concat([Buffer.from('a6acbeda', 'hex'), Buffer.from(' Receipt 5\r\nTotal: 54.00 USD')]),
      '收據 Receipt 5',
    ],
    [
      'iso-2022-jp',
      Buffer.from('\x1b$B>uG[\x1b(B Receipt 5\r\nTotal: 54.00 USD', 'latin1'),
      expect.stringMatching(/^\p{Script=Han}{2} Receipt 5$/u),
    ],
  ] as const)('%s', async ([charset, content, line]) => {
    const mail = (encoding: 'base64' | '8bit') =>
      writeMail({}, { type: `text/plain; charset=${charset}`, content, encoding })
    expect(textOf(await contentOf(mail('base64')))[0]).toEqual(line)
    expect(textOf(await contentOf(mail('8bit')))[0]).toEqual(line)
  })

  test('headers and a text without a charset are read as Hebrew if they look like it', async () => {
    const headers = Buffer.concat([
      Buffer.from('From: '),
      iconv('אלון', hebrew),
      Buffer.from(' <a@alon.example>\r\nSubject: '),
      iconv('קבלה', hebrew),
      Buffer.from('\r\n\r\n'),
    ])
    const content = await contentOf(Buffer.concat([headers, iconv(receipt, hebrew)]))
    expect(content).toMatchObject({ subject: 'קבלה', from: { address: 'a@alon.example', name: 'אלון' } })
    expect(textOf(content)[0]).toBe('קבלה 5')
  })
})

describe('INV-16: the hash of the content', () => {
  const mail = (more: Partial<Mail> = {}) =>
    composeMail({
      id: 'same',
      text: 'Line one  \nline two\n',
      html: '<p>a</p>',
      files: [billFile(), pdfFile()],
      ...more,
    })
  const hashOf = async (message: Buffer) => (await contentOf(message)).contentHash

  test('is the same in every copy, whatever servers added or changed', async () => {
    const first = await hashOf(mail())
    expect(await hashOf(mail())).toBe(first) // other boundaries
    expect(await hashOf(mail({ headers: { Received: 'from a by b', 'X-Spam': 'no', 'DKIM-Signature': 'x' } }))).toBe(
      first,
    )
    expect(await hashOf(mail({ text: 'Line one\nline two' }))).toBe(first)
    expect(await hashOf(Buffer.from(mail().toString('latin1').replaceAll('\r\n', '\n'), 'latin1'))).toBe(first)
    const parts = (encoding: 'base64' | '8bit') =>
      writeMail(
        {},
        multipart('mixed', [
          { type: 'text/plain', content: 'שלום\r\nTotal', encoding },
          { ...filePart(billFile()), encoding } as never,
        ]),
      )
    expect(await hashOf(parts('8bit'))).toBe(await hashOf(parts('base64')))
  })

  test('differs when a text or a file differs', async () => {
    const hashes = await Promise.all(
      [
        mail(),
        mail({ text: 'Other' }),
        mail({ html: '<p>b</p>' }),
        mail({ files: [billFile({ number: 'B' })] }),
        mail({ files: [] }),
        forwardMail(mail()),
        forwardMail(mail({ files: [] })),
      ].map(hashOf),
    )
    expect(new Set(hashes).size).toBe(7)
  })

  test('of the text of a receipt does not depend on its markup', async () => {
    const one = await compose({ html: '<h1>Receipt</h1><p>Total: $5.00</p>' })
    const two = await compose({ html: '<div>Receipt</div>\n\n<div>Total:   $5.00</div>' })
    expect(one.body?.hash).toBe(two.body?.hash)
  })
})
