import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Search } from '../../../search.ts'
import { useOrganization } from '../../../session.ts'
import { Button } from '../../../ui/button.tsx'
import { useNarrow } from '../../../ui/narrow.ts'
import { useLanguage, useWords } from '../../../words.ts'
import { uploadWords } from './upload-words.ts'

/**
 * Chooses receipts or takes a photo. Each becomes an expense, which is filled in with what could be read: a single one is read at
 * once and opened, several are read in the background, and their progress is opened.
 */
export function Upload() {
  const say = useWords(uploadWords)
  const { id: organizationId } = useOrganization()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const lang = useLanguage()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const { open } = useSearch({ strict: false }) as Search
  const isTight = useNarrow(open ? 1500 : 760) // beside an open record there is no room for words
  async function upload(files: readonly File[]) {
    setBusy(true)
    const { readReceipt, readTogether } = await import('./read-receipt.ts')
    const [first] = files
    const made =
      files.length > 1
        ? await readTogether(lang, organizationId, files)
        : first && (await readReceipt(lang, queries, organizationId, first))
    setBusy(false)
    await queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('expenses') })
    const area = files.length > 1 ? 'scan-batches' : 'expenses'
    if (made) void navigate({ to: '/o/$org/$area', params: { org: organizationId, area }, search: { open: made } })
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*,application/pdf,.xml"
        multiple
        hidden
        aria-label={say.upload}
        onChange={(event) => {
          void upload([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      {isTight ? (
        <Button
          icon="camera"
          busy={busy}
          label={busy ? say.uploading : say.upload}
          onPress={() => input.current?.click()}
        />
      ) : (
        <Button icon="camera" busy={busy} onPress={() => input.current?.click()}>
          {busy ? say.uploading : say.upload}
        </Button>
      )}
    </>
  )
}
