import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { read } from '../../../api.ts'
import { Button } from '../../../ui/button.tsx'
import { Combo } from '../../../ui/forms/combo.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { useWords } from '../../../words.ts'
import { useHere } from '../here.ts'
import { emptyLine, type Line } from './draft.ts'
import { editorWords } from './editor-words.ts'

/** A line from what the organization sells; where it has no items, nothing is shown. */
export function ItemPicker({ currency, onPick }: { currency: string; onPick: (line: Line) => void }) {
  const say = useWords(editorWords)
  const { id: organizationId } = useHere()
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const { data } = useQuery({
    ...read('logistics_items_list', {
      organizationId,
      active: 'true',
      search: useDeferredValue(text),
      limit: 8,
      sortBy: 'name',
      sortOrder: 'asc',
    }),
    placeholderData: keepPreviousData,
  })
  const items = data?.items ?? []
  if (!open)
    return items.length > 0 || text !== '' ? (
      <Button look="quiet" icon="stock" onPress={() => setOpen(true)}>
        {say.addItem}
      </Button>
    ) : null
  const pick = (id: string) => {
    const item = items.find((each) => each.id === id)
    if (!item) return
    const { name, salePrice, saleCurrency, taxRate, taxCategory } = item
    const unitPrice = saleCurrency === currency ? (salePrice ?? 0) : 0
    onPick({ ...emptyLine(), description: name, itemId: id, unitPrice, taxRate, taxCategory })
    setText('')
    setOpen(false)
  }
  return (
    <Field label={say.addItem} className="w-64">
      <Combo
        value={null}
        items={items.map(({ id, name }) => ({ id, name }))}
        onSearch={setText}
        onPick={({ id }) => pick(id)}
        placeholder={say.pickItem}
        empty={say.noItem}
        autoFocus
      />
    </Field>
  )
}
