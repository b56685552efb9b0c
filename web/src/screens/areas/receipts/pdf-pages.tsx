import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hrefOf, read } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { isolated, useWords, words } from '../../../words.ts'
import { Picture } from './picture.tsx'
import type { Attached, Reading } from './receipt.tsx'

const said = words(
  {
    page: (n: number, of: number) => `Page ${n} of ${of}`,
    drawn: 'The page is being drawn…',
    broken: 'This page could not be shown.',
    again: 'Try again',
  },
  {
    page: (n, of) => `עמוד ${n} מתוך ${of}`,
    drawn: 'העמוד בהכנה…',
    broken: 'לא ניתן היה להציג את העמוד.',
    again: 'ניסיון נוסף',
  },
)

type PdfPagesProps = {
  of: Attached
  large: boolean
  reading?: Reading | undefined
  field?: string | undefined
}

/** The pages of a PDF as pictures that the server draws, one below the other. */
export function PdfPages({ of: { id, fileName }, large, reading, field }: PdfPagesProps) {
  const say = useWords(said)
  const { data, error, refetch } = useQuery({ ...read('expenses_attachment_pages', { id }), staleTime: Infinity })
  if (error) return <Problem error={error} onAgain={refetch} />
  if (!data) return <Waiting>{say.drawn}</Waiting>
  const { pageCount } = data
  return (
    <div
      role="group"
      aria-label={fileName}
      tabIndex={0}
      className={`grid gap-3 overflow-y-auto rounded-md border border-rule p-2 ${large ? 'max-h-[60dvh]' : 'max-h-72'}`}
    >
      {Array.from({ length: pageCount }, (_, at) => (
        <PdfPage
          key={at}
          page={at + 1}
          src={hrefOf('expenses_attachment_page', { id, page: String(at + 1), dpi: large ? 144 : 96 })}
          label={say.page(at + 1, pageCount)}
          fileName={fileName}
          reading={reading}
          field={field}
        />
      ))}
    </div>
  )
}

type PdfPageProps = {
  page: number
  src: string
  label: string
  fileName: string
  reading: Reading | undefined
  field: string | undefined
}

/** The label is shown at once, the picture when it is there. */
function PdfPage({ page, src, label, fileName, reading, field }: PdfPageProps) {
  const say = useWords(said)
  const [state, setState] = useState<'drawn' | 'shown' | 'broken'>('drawn')
  const alt = `${isolated(fileName)}, ${label}`
  return (
    <figure className="grid gap-1 min-w-0">
      <figcaption className="text-sm text-soft">{label}</figcaption>
      {state === 'drawn' && <Waiting>{say.drawn}</Waiting>}
      {state === 'broken' ? (
        <div role="alert" className="grid gap-2 justify-items-start">
          <p>{say.broken}</p>
          <Button onPress={() => setState('drawn')}>{say.again}</Button>
        </div>
      ) : (
        <Picture
          {...{ src, alt, page, reading, field }}
          onShown={() => setState('shown')}
          onBroken={() => setState('broken')}
        />
      )}
    </figure>
  )
}

const Waiting = ({ children }: { children: string }) => (
  <p role="status" className="text-sm text-soft py-4 text-center">
    {children}
  </p>
)
