import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read, useWrite } from '../../../api.ts'
import { shownInstant } from '../../../shown.tsx'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/card.tsx'
import { useForm } from '../../../ui/forms/form.ts'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { Ask, Dialog } from '../../../ui/overlays/dialog.tsx'
import { say as tell } from '../../../ui/overlays/toast.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { useFailed } from '../editor/switching.ts'
import { deliveryWords } from '../runs/delivery-words.ts'

/** Secrets that webhooks send in their headers: set and deleted here, read nowhere. */
export function SecretsDialog({ organizationId, onClose }: { organizationId: string; onClose: () => void }) {
  const say = useWords(deliveryWords)
  const lang = useLanguage()
  const failed = useFailed()
  const { data } = useQuery(read('automations_secrets_list', { organizationId }))
  const remove = useWrite('automations_secrets_delete')
  const [removing, setRemoving] = useState<string | null>(null)
  const drop = async (name: string) => {
    setRemoving(null)
    try {
      await remove.mutateAsync({ name, organizationId })
    } catch (error) {
      failed(error)
    }
  }
  return (
    <Dialog title={say.secretsTitle} onClose={onClose}>
      <p className="text-soft">{say.secretsHint}</p>
      {!data && <Skeleton className="h-10" />}
      {data?.secrets.length === 0 && <p>{say.noSecrets}</p>}
      <ul className="divide-y divide-rule">
        {data?.secrets.map(({ name, updatedAt }) => (
          <li key={name} className="flex items-center gap-2 py-1">
            <code dir="ltr" className="flex-1 font-mono text-sm">
              {name}
            </code>
            <span className="text-sm text-soft">{shownInstant(lang, updatedAt)}</span>
            <Button look="quiet" icon="trash" label={say.removeSecret(name)} onPress={() => setRemoving(name)} />
          </li>
        ))}
      </ul>
      <NewSecret key={data?.secrets.length} organizationId={organizationId} />
      {removing && (
        <Ask
          title={say.removeSecret(removing)}
          act={say.remove}
          danger
          onAct={() => void drop(removing)}
          onClose={() => setRemoving(null)}
        >
          <p>{say.removeAsk}</p>
        </Ask>
      )}
    </Dialog>
  )
}

function NewSecret({ organizationId }: { organizationId: string }) {
  const say = useWords(deliveryWords)
  const set = useWrite('automations_secrets_set')
  const form = useForm({
    initial: { organizationId, name: '', value: '' },
    save: (values, key) => set.mutateAsync({ ...values, key }),
    after: ({ name }) => tell(say.kept(name)),
  })
  return (
    <form
      className="grid gap-3 border-t border-rule pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
    >
      {form.problem && (
        <p role="alert" className="text-danger">
          {form.problem}
        </p>
      )}
      <TextField {...form.at('name')} label={say.secretName} dir="ltr" placeholder="CRM_TOKEN" />
      <TextField {...form.at('value')} label={say.secretValue} dir="ltr" type="password" autoComplete="off" />
      <div>
        <Button type="submit" look="primary" busy={form.busy}>
          {say.setSecret}
        </Button>
      </div>
    </form>
  )
}
