import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { hrefOf, Refused, send, useWrite } from '../../api.ts'
import { refusal } from '../../refusals.ts'
import { useMay, useOrganization } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { say as tell } from '../../ui/overlays/toast.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { settingsWords } from './words.ts'

/** The logo of the organization: shown, replaced, removed. */
export function Logo({ fileId }: { fileId: string | null }) {
  const say = useWords(settingsWords)
  const lang = useLanguage()
  const may = useMay()
  const queries = useQueryClient()
  const { id } = useOrganization()
  const update = useWrite('settings_update')
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (location.hash === '#logo') card.current?.scrollIntoView({ block: 'center' })
  }, [])
  async function upload(file: File) {
    setBusy(true)
    try {
      const body = new FormData()
      body.set('organizationId', id)
      body.set('file', file)
      const { id: logoFileId } = await send<{ id: string }>('POST', '/api/files', body, { key: crypto.randomUUID() })
      await update.mutateAsync({ id, logoFileId })
      tell(say.saved)
      await queries.invalidateQueries({ queryKey: ['session'] })
    } catch (error) {
      tell(file.name, { bad: true, description: error instanceof Refused ? refusal(lang, error) : String(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title={say.logo}>
      <div ref={card} className="p-4 pt-2 flex flex-wrap items-center gap-4">
        {fileId && (
          <img
            src={hrefOf('organizations_file', { id: fileId })}
            alt={say.logo}
            className="h-16 max-w-48 object-contain bg-card"
          />
        )}
        <p className="text-soft flex-1">{say.logoHint}</p>
        {may('settings_update') && (
          <>
            <input
              ref={input}
              type="file"
              accept="image/png,image/jpeg"
              className="sr-only"
              tabIndex={-1}
              aria-hidden
              onChange={(event) => {
                const file = event.target.files?.[0]
                if (file) void upload(file)
                event.target.value = ''
              }}
            />
            <Button icon="image" busy={busy} onPress={() => input.current?.click()}>
              {say.logoChoose}
            </Button>
            {fileId && (
              <Button look="quiet" onPress={() => update.mutate({ id, logoFileId: null })}>
                {say.remove}
              </Button>
            )}
          </>
        )}
      </div>
    </Card>
  )
}
