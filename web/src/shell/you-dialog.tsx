import { useQuery } from '@tanstack/react-query'
import { type Output, read, useWrite } from '../api.ts'
import { problemText } from '../refusals.ts'
import { Alert } from '../ui/alert.tsx'
import { Skeleton } from '../ui/card.tsx'
import { ChoiceField } from '../ui/forms/choice-field.tsx'
import { useForm } from '../ui/forms/form.ts'
import { FormDialog } from '../ui/forms/form-dialog.tsx'
import { TextField } from '../ui/forms/text-field.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { say as tell } from '../ui/overlays/toast.tsx'
import { useLanguage, useWords, words } from '../words.ts'

const said = words(
  {
    title: 'You',
    name: 'Name',
    locale: 'Language of letters to you',
    locales: { en: 'English', he: 'Hebrew' },
    digest: 'Summary of what happened, by mail',
    digests: { NONE: 'None', DAILY: 'Every day', WEEKLY: 'Every week' },
    save: 'Save',
    saved: 'Saved',
  },
  {
    title: 'אתם',
    name: 'שם',
    locale: 'שפת המכתבים אליכם',
    locales: { en: 'אנגלית', he: 'עברית' },
    digest: 'סיכום בדואר של מה שקרה',
    digests: { NONE: 'ללא', DAILY: 'כל יום', WEEKLY: 'כל שבוע' },
    save: 'שמירה',
    saved: 'נשמר',
  },
)

/** Who one is to others, and which letters one gets. Password and sessions are on the page of the account. */
export function YouDialog({ onClose }: { onClose: () => void }) {
  const say = useWords(said)
  const lang = useLanguage()
  const { data, error } = useQuery(read('users_me', {}))
  if (data) return <YouForm me={data} onClose={onClose} />
  return (
    <Dialog title={say.title} onClose={onClose}>
      {error ? <Alert>{problemText(lang, error)}</Alert> : <Skeleton className="h-40" />}
    </Dialog>
  )
}

function YouForm({ me: { name, locale, digest }, onClose }: { me: Output<'users_me'>; onClose: () => void }) {
  const say = useWords(said)
  const update = useWrite('users_me_update', ['users_me', 'session'])
  const form = useForm({
    initial: { name, locale, digest },
    save: (values, key) => update.mutateAsync({ ...values, key }),
    after: () => {
      tell(say.saved)
      onClose()
    },
  })
  return (
    <FormDialog title={say.title} act={say.save} form={form} onClose={onClose}>
      <TextField {...form.at('name')} label={say.name} autoFocus />
      <ChoiceField {...form.at('locale')} label={say.locale} options={say.locales} />
      <ChoiceField {...form.at('digest')} label={say.digest} options={say.digests} />
    </FormDialog>
  )
}
