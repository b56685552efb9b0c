import { type Output, useWrite } from '../../api.ts'
import { useMay, useOrganization } from '../../session.ts'
import { useWords, words } from '../../words.ts'
import { CheckField } from '../forms/check-field.tsx'
import { useForm } from '../forms/form.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { TextField } from '../forms/text-field.tsx'

const said = words(
  {
    save: 'Save this view',
    rename: 'Rename the view',
    name: 'Name',
    hint: 'Search, filters and order are kept. It stands beside the other views of this list.',
    shared: 'For everybody in the organization',
    act: 'Save',
  },
  {
    save: 'שמירת התצוגה',
    rename: 'שינוי שם התצוגה',
    name: 'שם',
    hint: 'החיפוש, הסינון והסדר נשמרים. התצוגה תופיע לצד שאר התצוגות של הרשימה.',
    shared: 'לכולם בארגון',
    act: 'שמירה',
  },
)

type SavedView = Output<'views_list'>['views'][number]
type ViewDialogProps = {
  screen: string
  search: string
  /** The view that gets another name; without it a new one is saved. */
  view?: SavedView
  onClose: () => void
  onSaved: (view: SavedView) => void
}

export function ViewDialog({ screen, search, view, onClose, onSaved }: ViewDialogProps) {
  const say = useWords(said)
  const { id: organizationId } = useOrganization()
  const may = useMay()
  const create = useWrite('views_create')
  const update = useWrite('views_update')
  const form = useForm({
    initial: { name: view?.name ?? '', shared: view?.shared ?? false },
    save: ({ name, shared }, key) =>
      view
        ? update.mutateAsync({ id: view.id, name, key })
        : create.mutateAsync({ organizationId, screen, search, name, shared, key }),
    after: onSaved,
  })
  return (
    <FormDialog title={view ? say.rename : say.save} act={say.act} form={form} onClose={onClose}>
      <TextField {...form.at('name')} label={say.name} hint={view ? undefined : say.hint} autoFocus />
      {!view && may('customers_create') && (
        <CheckField label={say.shared} checked={form.values.shared} onChange={(shared) => form.set('shared', shared)} />
      )}
    </FormDialog>
  )
}
