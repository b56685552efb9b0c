import { Readable } from 'node:stream'
import { notFound } from '../../../../core/define/failure.ts'
import { type Outside, operation } from '../../../../core/define/operation.ts'
import { Count, defaulted, Id, OneOf, Type } from '../../../../core/define/schema.ts'
import { File, type FileAnswer } from '../../../../core/files/file.ts'
import { readOriginal } from './original.ts'
import { languagesOf, type Print, type PrintLanguage, printLanguages, typeset } from './print.ts'
import { readPrintData } from './print-data.ts'

/** What the pages of a document are drawn from, as a caller asks for it. */
const shown = {
  language: Type.Optional({ ...OneOf(...printLanguages), description: 'he-en is Hebrew with English beside it.' }),
  copy: defaulted(
    Type.Boolean({
      description:
        'Whether the pages are those of a copy printed now, with later payments. Otherwise (false) they are those of the kept original, if there is one.',
    }),
    false,
  ),
}

export const DotsPerInch = defaulted(
  Type.Integer({ minimum: 36, maximum: 300, description: 'How fine the picture is: 144 is twice the size on paper.' }),
  144,
)

export const pages = operation({
  name: 'invoices_pages',
  http: 'GET /api/documents/{id}/pages',
  does: 'Tells how many pages the print of a sales document has, and whether they are those of its kept original.',
  scope: 'invoices:read',
  within: 'documents',
  rate: 'pages',
  input: Type.Object({ id: Id, ...shown }),
  output: Type.Object({
    pageCount: Count,
    original: Type.Boolean({ description: 'Whether the pages are those of the kept original.' }),
  }),
  outside: true,
  async run(context, input) {
    const { pdf, original, organizationId } = await printToShow(context, input)
    const drawn = await context.typesetter.draw({ pdf, organizationId, first: 1, pagesMax: 0, dotsPerInch: 36 })
    return { pageCount: drawn.pageCount, original }
  },
})

export const page = operation({
  name: 'invoices_page',
  http: 'GET /api/documents/{id}/pages/{page}',
  does: 'Shows one page of a sales document as a picture (PNG): of its kept original, or else as printed now.',
  scope: 'invoices:read',
  within: 'documents',
  rate: 'pages',
  input: Type.Object({
    id: Id,
    page: Type.String({ pattern: '^[1-9][0-9]{0,3}$', description: 'Its number, from 1.', examples: ['1'] }),
    ...shown,
    dpi: DotsPerInch,
  }),
  output: File,
  outside: true,
  async run(context, { page: number, dpi, ...input }) {
    const { pdf, fileName, organizationId } = await printToShow(context, input)
    const asked = { pdf, organizationId, first: Number(number), pagesMax: 1, dotsPerInch: dpi }
    const {
      pages: [drawn],
    } = await context.typesetter.draw(asked)
    if (!drawn) throw notFound('page')
    return toPicture(fileName.replace(/\.pdf$/, ` ${number}.png`), drawn.png)
  },
})

function toPicture(fileName: string, png: Uint8Array): FileAnswer {
  const bytes = Buffer.from(png)
  const open = async () => Readable.from([bytes])
  return { fileName, fileType: 'image/png', fileSize: bytes.length, open, bytes, inline: true }
}

type Shown = { id: string; language?: PrintLanguage | undefined; copy: boolean }

/**
 * The print that is shown on the screen. Unlike the PDF that a customer gets, looking at a document keeps no original and asks
 * no tax authority: until there is one, a copy is shown.
 */
async function printToShow(
  context: Pick<Outside, 'tx' | 'typesetter' | 'storage'>,
  { id, language, copy }: Shown,
): Promise<Print & { original: boolean; organizationId: string }> {
  const data = await context.tx(({ db }) => readPrintData(db, id))
  const { organizationId, status } = data.row
  const isOwnLanguage = language === undefined || language === data.language
  if (data.original && isOwnLanguage && !copy)
    return { ...(await readOriginal(context.storage, data.original)), original: true, organizationId }
  const languages = languagesOf(data, language)
  const print = await typeset(context, data, { languages, copy: status === 'DRAFT' ? 'draft' : 'copy' })
  return { ...print, original: false, organizationId }
}
