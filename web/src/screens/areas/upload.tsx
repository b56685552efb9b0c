import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useOrganization } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { areaWords } from './words.ts'

/** Chooses receipts or takes a photo. Each becomes an expense, which is filled in with what could be read; a single one is opened. */
export function Upload({ onDone }: { onDone: (expenseId: string) => void }) {
  const say = useWords(areaWords)
  const { id: organizationId } = useOrganization()
  const queries = useQueryClient()
  const lang = useLanguage()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  async function upload(files: readonly File[]) {
    setBusy(true)
    const { readReceipt } = await import('./read-receipt.ts')
    const made: (string | undefined)[] = []
    for (const file of files) made.push(await readReceipt(lang, organizationId, file))
    setBusy(false)
    await queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('expenses') })
    if (made.length === 1 && made[0]) onDone(made[0])
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
      <Button icon="camera" busy={busy} onPress={() => input.current?.click()}>
        {busy ? say.uploading : say.upload}
      </Button>
    </>
  )
}
