import { useState } from 'react'
import { useWrite } from '../../api.ts'
import { problemText } from '../../refusals.ts'
import { useMay, useOrganization } from '../../session.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { settingsWords } from './words.ts'

/** The end of the organization and of everything in it. Whoever may do it types its name first. */
export function DeleteOrganization() {
  const say = useWords(settingsWords)
  const may = useMay()
  const [asking, setAsking] = useState(false)
  if (!may('organizations_delete')) return null
  return (
    <Card title={say.deleteTitle}>
      <div className="p-4 pt-2 flex flex-wrap items-center gap-4">
        <p className="text-soft flex-1 min-w-60">{say.deleteHint}</p>
        <Button look="danger" icon="trash" onPress={() => setAsking(true)}>
          {say.deleteTitle}
        </Button>
      </div>
      {asking && <DeleteDialog onClose={() => setAsking(false)} />}
    </Card>
  )
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const say = useWords(settingsWords)
  const lang = useLanguage()
  const { id, name } = useOrganization()
  const write = useWrite('organizations_delete', [])
  const [typed, setTyped] = useState('')
  const act = async () => {
    await write.mutateAsync({ id })
    location.assign('/')
  }
  return (
    <Dialog
      title={say.deleteTitle}
      onClose={onClose}
      footer={
        <Button
          look="danger"
          busy={write.isPending}
          isDisabled={typed.trim() !== name.trim()}
          onPress={() => void act().catch(() => {})}
        >
          {say.deleteAct}
        </Button>
      }
    >
      <p>{say.deleteHint}</p>
      {write.error && <Alert>{problemText(lang, write.error)}</Alert>}
      <TextField label={say.deleteName(name)} value={typed} onChange={setTyped} error={undefined} autoComplete="off" />
    </Dialog>
  )
}
