import { useState } from 'react'
import { call, type Output, useWrite } from '../../api.ts'
import { shownInstant } from '../../shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Ask, Dialog } from '../../ui/dialog.tsx'
import { say as tell } from '../../ui/toast.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { deliveryWords } from './delivery-words.ts'
import { useFailed } from './switching.ts'

type Shown = Output<'settings_webhook_secret'>

/** The secret lives in this dialog only: not in the cache, not in the address, and gone when it closes. */
export function WebhookSecret({ organizationId: id, onClose }: { organizationId: string; onClose: () => void }) {
  const say = useWords(deliveryWords)
  const lang = useLanguage()
  const failed = useFailed()
  const rotate = useWrite('settings_webhook_secret_rotate', [])
  const [shown, setShown] = useState<Shown | null>(null)
  const [asking, setAsking] = useState(false)
  const show = () => void call('settings_webhook_secret', { id }).then(setShown, failed)
  const make = async () => {
    setAsking(false)
    try {
      setShown(await rotate.mutateAsync({ id }))
    } catch (error) {
      failed(error)
    }
  }
  const copy = async (secret: string) => {
    await navigator.clipboard.writeText(secret)
    tell(say.copied)
  }
  return (
    <Dialog
      title={say.secretTitle}
      onClose={onClose}
      footer={
        <>
          <Button look="danger" icon="refresh" busy={rotate.isPending} onPress={() => setAsking(true)}>
            {say.rotate}
          </Button>
          {!shown && (
            <Button icon="eye" onPress={show}>
              {say.show}
            </Button>
          )}
        </>
      }
    >
      <p className="text-soft">{say.secretHint}</p>
      {shown && !shown.secret && <p>{say.noSecret}</p>}
      {shown?.secret && (
        <div role="status" className="grid gap-2">
          <div className="flex items-center gap-2">
            <code dir="ltr" className="flex-1 min-w-0 break-all font-mono text-sm bg-tint rounded-md p-2">
              {shown.secret}
            </code>
            <Button icon="copy" label={say.copy} onPress={() => void copy(shown.secret ?? '')} />
          </div>
          <p className="text-sm text-soft">
            {shown.createdAt && say.since(shownInstant(lang, shown.createdAt))}{' '}
            {shown.previousUntil && say.previous(shownInstant(lang, shown.previousUntil))} {say.shownOnce}
          </p>
        </div>
      )}
      {asking && (
        <Ask
          title={say.rotateTitle}
          act={say.rotateAct}
          danger
          onAct={() => void make()}
          onClose={() => setAsking(false)}
        >
          <p>{say.rotateAsk}</p>
        </Ask>
      )}
    </Dialog>
  )
}
