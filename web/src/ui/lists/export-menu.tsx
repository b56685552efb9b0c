import { useState } from 'react'
import { call, type Input, type Name } from '../../api.ts'
import { problemText } from '../../refusals.ts'
import { useMay, useOrganization } from '../../session.ts'
import { today } from '../../shown.tsx'
import { useLanguage, useWords, words } from '../../words.ts'
import { Button } from '../button.tsx'
import { Menu } from '../overlays/menu.tsx'
import { say as tell } from '../overlays/toast.tsx'
import { saveFile } from '../values/save-file.ts'

const said = words(
  { export: 'Export', csv: 'CSV: what is shown', xlsx: 'Excel: what is shown', failed: 'It was not exported' },
  { export: 'ייצוא', csv: 'CSV: מה שמוצג', xlsx: 'Excel: מה שמוצג', failed: 'הייצוא לא הצליח' },
)

type Exported = Input<'lists_export'>['list']
const exported: Partial<Record<Name, Exported>> = {
  customers_list: 'customers',
  suppliers_list: 'suppliers',
  invoices_list: 'documents',
  invoices_payments_list: 'payments',
  logistics_items_list: 'items',
  orders_list: 'orders',
}

/** The list as it is shown, with its search, filters and order, as a file. */
export function ExportMenu({ list: name, input }: { list: Name; input: object }) {
  const say = useWords(said)
  const lang = useLanguage()
  const may = useMay()
  const { id: organizationId } = useOrganization()
  const [busy, setBusy] = useState(false)
  const list = exported[name]
  if (!list || !may('lists_export')) return null
  async function download(format: 'csv' | 'xlsx', of: Exported) {
    setBusy(true)
    try {
      const file = await call('lists_export', { list: of, organizationId, format, query: queryOf(input) })
      saveFile(file, `${of}-${today()}.${format}`)
    } catch (error) {
      tell(say.failed, { bad: true, description: problemText(lang, error as Error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Menu
      trigger={<Button icon="download" label={say.export} busy={busy} />}
      entries={[
        { label: say.csv, on: () => void download('csv', list) },
        { label: say.xlsx, on: () => void download('xlsx', list) },
      ]}
    />
  )
}

const queryOf = (input: object) =>
  new URLSearchParams(
    Object.entries(input)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([field, value]) => [field, String(value)]),
  ).toString()
