import { useEffect, useRef, useState } from 'react'
import { hrefOf, type Output } from '../../api.ts'
import { Icon } from '../../ui/icon.tsx'
import type { Row } from '../../ui/values.tsx'

export type Reading = Output<'expenses_scan'>['extractedData']
export type Attached = { id: string; fileName: string; fileType: string | null }
type Place = NonNullable<Reading['boxes']>[string]

export const filesOf = ({ attachments }: Row): readonly Attached[] =>
  Array.isArray(attachments) ? (attachments as Attached[]) : []

/** What every browser shows; a picture in another format is offered as a file. */
const isPicture = ({ fileType }: Attached) => /^image\/(png|jpeg|gif|webp|avif|bmp)$/.test(fileType ?? '')
const isPdf = ({ fileType }: Attached) => fileType === 'application/pdf' && navigator.pdfViewerEnabled

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
          {isPicture(file) && large && <Picture src={href} of={file} {...(at === 0 && { reading, field })} />}
          {isPicture(file) && !large && (
            <img
              src={href}
              alt={file.fileName}
              className="max-h-72 max-w-full justify-self-center rounded-md border border-rule"
            />
          )}
          {isPdf(file) && (
            <iframe
              src={href}
              title={file.fileName}
              className={`w-full rounded-md border border-rule ${large ? 'h-[60dvh]' : 'h-72'}`}
            />
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

type PictureProps = { src: string; of: Attached; reading?: Reading | undefined; field?: string | undefined }

/** The upright picture, with a frame around everything that was read; the field in question stands out. */
function Picture({ src, of: { fileName }, reading, field }: PictureProps) {
  const [size, setSize] = useState({ width: 0, height: 0 })
  const turned = reading?.turned?.[0] ?? 0
  const lies = turned % 180 !== 0 && size.width > 0
  const boxes = Object.entries(reading?.boxes ?? {}).filter(([, { page }]) => page === 1)
  const ratio = size.width / size.height
  return (
    <div
      className="relative overflow-hidden rounded-md border border-rule"
      {...(lies && { style: { aspectRatio: `${size.height} / ${size.width}` } })}
    >
      <img
        src={src}
        alt={fileName}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
        className={lies ? 'absolute top-1/2 max-w-none' : 'block w-full'}
        style={
          lies
            ? { left: '50%', width: `${ratio * 100}%`, transform: `translate(-50%, -50%) rotate(${turned}deg)` }
            : turned
              ? { transform: `rotate(${turned}deg)` }
              : {}
        }
      />
      {boxes.map(([name, place]) => (
        <Box key={name} at={place} isActive={name === field} />
      ))}
    </div>
  )
}

/** A frame around what is printed. Pictures are not mirrored in Hebrew, so its place is counted from the left. */
function Box({ at: { x, y, width, height }, isActive }: { at: Place; isActive: boolean }) {
  const frame = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (isActive) frame.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  const share = (part: number) => `${part * 100}%`
  return (
    <span
      ref={frame}
      aria-hidden
      data-active={isActive}
      className={`absolute rounded-sm border-2 ${isActive ? 'border-accent bg-accent/20' : 'border-info/50'}`}
      style={{ left: share(x), top: share(y), width: share(width), height: share(height) }}
    />
  )
}
