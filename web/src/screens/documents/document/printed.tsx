import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hrefOf, read } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { useWords } from '../../../words.ts'
import type { Doc } from './content.tsx'
import { documentWords } from './document-words.ts'

/** The first page as it is printed; pressed, all pages. The version in the address brings a changed draft again. */
export function Printed({ doc }: { doc: Doc }) {
  const say = useWords(documentWords)
  const [open, setOpen] = useState(false)
  const src = (page: number, dpi: number) =>
    `${hrefOf('invoices_page', { id: doc.id, page: String(page), dpi })}&v=${encodeURIComponent(doc.updatedAt)}`
  return (
    <>
      <button
        type="button"
        aria-label={say.printed}
        onClick={() => setOpen(true)}
        className="block w-40 max-lg:hidden rounded-md shadow-sheet overflow-hidden bg-card"
      >
        <img src={src(1, 48)} alt="" loading="lazy" className="block w-full aspect-[210/297] object-cover object-top" />
      </button>
      <span className="lg:hidden">
        <Button icon="eye" onPress={() => setOpen(true)}>
          {say.printed}
        </Button>
      </span>
      {open && <Pages doc={doc} src={(page) => src(page, 110)} onClose={() => setOpen(false)} />}
    </>
  )
}

function Pages({ doc, src, onClose }: { doc: Doc; src: (page: number) => string; onClose: () => void }) {
  const say = useWords(documentWords)
  const { data } = useQuery(read('invoices_pages', { id: doc.id }))
  return (
    <Dialog wide title={say.printed} onClose={onClose}>
      {data && <p className="text-sm text-soft">{data.original ? say.original : say.copyOf}</p>}
      <div className="grid gap-4">
        {Array.from({ length: data?.pageCount ?? 1 }, (_, at) => (
          <img
            key={at}
            src={src(at + 1)}
            alt={say.page(at + 1)}
            loading="lazy"
            className="w-full rounded-md shadow-sheet bg-card min-h-40"
          />
        ))}
      </div>
    </Dialog>
  )
}
