import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call, type Output, Refused } from '../../../api.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useWords } from '../../../words.ts'
import { asWritten, type Draft, described } from '../editor/draft.ts'
import { editorWords } from '../editor/editor-words.ts'

const pagesMax = 5
const delay = 500

/** What is typed, once nothing was typed for a moment. */
function useSettled(draft: Draft): Draft {
  const [settled, setSettled] = useState(draft)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), delay)
    return () => clearTimeout(timer)
  }, [draft])
  return settled
}

/** The printed page of what is typed, made by the server, with what keeps it from being issued. */
export function usePreview(org: string, draft: Draft) {
  const settled = useSettled(draft)
  const written = { organizationId: org, ...asWritten(settled), pagesMax, dpi: 110 }
  return useQuery({
    queryKey: ['preview', written],
    queryFn: ({ signal }) => call('invoices_preview', written, { signal }),
    enabled: settled.customerId !== '' && described(settled.items).length > 0,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
    retry: false,
  })
}

type PreviewProps = { shown: Output<'invoices_preview'> | undefined; error: Error | null; waits: boolean }

export function Preview({ shown, error, waits }: PreviewProps) {
  const say = useWords(editorWords)
  const count = shown?.pageCount ?? 0
  return (
    <aside
      aria-label={say.preview}
      className="bg-tint lg:border-s border-rule p-4 md:p-6 lg:overflow-y-auto grid content-start gap-3"
    >
      <h2 className="text-xs text-soft">{say.preview}</h2>
      {shown?.pages.map(({ page, width, height, base64, fileType }) => (
        <img
          key={page}
          alt={say.page(page, count)}
          src={`data:${fileType};base64,${base64}`}
          width={width}
          height={height}
          className="w-full h-auto rounded-md bg-card shadow-sheet"
        />
      ))}
      {count > pagesMax && <p className="text-sm text-soft">{say.morePages(count - pagesMax)}</p>}
      {!shown && (
        <div className="aspect-[210/297] rounded-md bg-card shadow-sheet grid place-content-center justify-items-center gap-3 p-8 text-center text-soft">
          {!waits && (
            <>
              <Icon name="document" size={32} />
              {say.previewNone}
            </>
          )}
        </div>
      )}
      {error && !(error instanceof Refused && error.status < 500) && (
        <p className="text-sm text-soft">{say.previewOld}</p>
      )}
    </aside>
  )
}
