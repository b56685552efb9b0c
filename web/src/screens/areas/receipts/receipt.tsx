import { hrefOf, type Output } from '../../../api.ts'
import { Icon } from '../../../ui/icon.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import type { Row } from '../../../ui/values/values.tsx'
import { Picture } from './picture.tsx'

export type Reading = Output<'expenses_scan'>['extractedData']
export type Attached = { id: string; fileName: string; fileType: string | null }

export const filesOf = ({ attachments }: Row): readonly Attached[] =>
  Array.isArray(attachments) ? (attachments as Attached[]) : []

/** What every browser shows; a picture in another format is offered as a file. */
const isPicture = ({ fileType }: Attached) => /^image\/(png|jpeg|gif|webp|avif|bmp)$/.test(fileType ?? '')
const isPdf = ({ fileType }: Attached) => fileType === 'application/pdf'

/** For browsers without a viewer of their own, as on phones. */
const PdfPages = lazily(() => import('./pdf-pages.tsx'), 'PdfPages')

type ReceiptProps = {
  files: readonly Attached[]
  /** What was read from the first file, and the field that somebody looks at. */
  reading?: Reading | undefined
  field?: string | undefined
  /** As large as there is room, to be read; otherwise as a part of the record. */
  large?: boolean
}

/** The files of an expense as they are: pictures and PDF are shown, others can be saved. */
export const Receipt = ({ files, reading, field, large = false }: ReceiptProps) => (
  <div className="grid gap-3 min-w-0 content-start">
    {files.map((file, at) => {
      const href = hrefOf('expenses_attachments', { id: file.id })
      return (
        <figure key={file.id} className="grid gap-1 min-w-0">
          {isPicture(file) && large && <Picture src={href} alt={file.fileName} {...(at === 0 && { reading, field })} />}
          {isPicture(file) && !large && (
            <img
              src={href}
              alt={file.fileName}
              className="max-h-72 max-w-full justify-self-center rounded-md border border-rule"
            />
          )}
          {isPdf(file) && navigator.pdfViewerEnabled && (
            <iframe
              src={href}
              title={file.fileName}
              className={`w-full rounded-md border border-rule ${large ? 'h-[60dvh]' : 'h-72'}`}
            />
          )}
          {isPdf(file) && !navigator.pdfViewerEnabled && (
            <PdfPages of={file} large={large} {...(at === 0 && { reading, field })} />
          )}
          <figcaption className="min-w-0">
            <a href={href} download={file.fileName} className="inline-flex items-center gap-1.5 max-w-full text-accent">
              <Icon name="download" />
              <bdi className="truncate underline">{file.fileName}</bdi>
            </a>
          </figcaption>
        </figure>
      )
    })}
  </div>
)
